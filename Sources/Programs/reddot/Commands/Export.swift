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
    let profile = try Composition.profileToRead(files)
    Composition.report(leftOutOf: profile)
    let (document, withoutPassword) = try Subscriptions(profile).exportOPML()
    for name in withoutPassword {
      Complaint.print("\(name): its address is written without the user and the password")
    }
    try Answer.print(document, terminator: "")
  }
}
