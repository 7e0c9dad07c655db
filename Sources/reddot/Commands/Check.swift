import ArgumentParser
import Workspace

/// `reddot check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compare everything derived in the database with what it is derived from.",
    discussion: """
      Says what the database holds, and whether its file, lists, counts, copies, facets, search index and saved lists agree \
      with the messages and their marks. With --repair what differs is derived again, in steps beside a running inbox, after \
      a copy of the file where the disk has room for one. Messages and marks are never changed. Exit status 1: something \
      differs.

      EXAMPLES:
        reddot check
        reddot check --repair
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Derive again what differs.") var repair = false

  func run() throws {
    let workspace = try Composition.workspace(files)
    guard try workspace.check(isRepairing: repair, say: { try Answer.print($0) }) else {
      throw ExitCode.failure
    }
  }
}
