import ArgumentParser
import Polling
import Profile

/// `reddot undo`
struct Undo: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last action: a mark, or an edit of the settings.",
    discussion: """
      Actions are kept across restarts; each call undoes one more. Messages that were changed since stay as they are, and so \
      do settings that were edited there since. Tokens and passwords are not kept: give them again after an undo. With \
      --redo the last undo is taken back, unless something else was done since.

      EXAMPLES:
        reddot mark --read --all && reddot undo
        reddot remove team && reddot undo
        reddot rename team ops && reddot undo
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Do again what the last undo took back.") var redo = false

  func run() async throws {
    let profile = try Composition.profile(files)
    guard let sentence = try redo ? profile.redo() : profile.undo() else {
      throw Complaint(redo ? "nothing to do again" : "nothing to undo")
    }
    try Answer.print(sentence)
    for sentence in try await profile.sendActs() { Complaint.print(sentence) }
  }
}
