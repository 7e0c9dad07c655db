import ArgumentParser
import Subscriptions

/// `reddot export`
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Print the followed feeds as OPML.",
    discussion: """
      EXAMPLE:
        reddot export > subscriptions.opml
      """)

  @OptionGroup var files: FileOptions

  func run() throws {
    let workspace = try Composition.workspaceToRead(files)
    Composition.report(leftOutOf: workspace)
    let (document, withoutPassword) = try Subscriptions(workspace).exportOPML()
    for name in withoutPassword {
      Complaint.print("\(name): its address is written without the user and the password")
    }
    try Answer.print(document, terminator: "")
  }
}
