import ArgumentParser
import Rounds
import Workspace

/// `reddot undo`
struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last act: a mark, a star, a dismissal, a removal.",
    discussion: """
      Acts are kept across restarts; each call undoes one more.

      EXAMPLES:
        reddot mark --read --all && reddot undo
        reddot remove team && reddot undo
      """)

  @OptionGroup var files: FileOptions

  func run() async throws {
    let workspace = try Composition.workspace(files)
    guard let undone = try workspace.undo() else {
      throw Complaint("nothing to undo")
    }
    try Answer.print(undone)
    for sentence in try await workspace.sendActs() { Complaint.print(sentence) }
  }
}
