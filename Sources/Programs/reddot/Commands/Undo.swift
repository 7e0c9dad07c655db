import ArgumentParser
import Polling
import Profile

/// `reddot undo`
struct Undo: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last change of messages or settings.",
    discussion: """
      Actions are kept across restarts; each call undoes one more. Messages that were changed since stay \
      unchanged, and so do settings that were edited there since. Tokens and passwords are not stored: if \
      the settings no longer have them, enter them again. With --redo, the action that was undone last is redone, unless you did \
      something else since.

      EXAMPLES:
        reddot mark --read --all && reddot undo
        reddot remove team && reddot undo
        reddot rename team ops && reddot undo
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Redo the action that was undone last.") var redo = false

  func run() async throws {
    let profile = try Composition.profile(files)
    guard let sentence = try redo ? profile.redo() : profile.undo() else {
      throw Complaint(redo ? "nothing to do again" : "nothing to undo")
    }
    try Answer.print(sentence)
    for sentence in try await profile.sendActs() { Complaint.print(sentence) }
  }
}
