import ArgumentParser
import Notifications
import Polling
import Profile
import Subscriptions

/// `reddot import`
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Follow the feeds of an OPML file, or those of newsboat.",
    discussion: """
      Feeds that you already follow are skipped. From newsboat, this imports the feeds with their titles and \
      tags, the articles with their read state, query feeds as saved lists, and ignore-article as rules that \
      hide. Parts that could not be imported are listed with the reason.

      EXAMPLES:
        reddot import subscriptions.opml
        reddot import --newsboat ~/.newsboat
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "An OPML file, or - for standard input.", completion: .file()) var file: String?
  @Option(help: ArgumentHelp("The OPML file, as an option.", valueName: "file"), completion: .file())
  var opml: String?
  @Option(help: ArgumentHelp("The folder of newsboat's file urls.", valueName: "folder"))
  var newsboat: String?

  func validate() throws {
    guard [file, opml, newsboat].compactMap(\.self).count == 1 else {
      throw ValidationError("give an OPML file, or --newsboat and the folder of its file urls")
    }
  }

  func run() async throws {
    let profile = try Composition.profile(files)
    let subscriptions = Subscriptions(profile)
    let report =
      if let newsboat {
        try await profile.arrival(trouble: Complaint.print) {
          try subscriptions.importNewsboat(from: newsboat, by: $0)
        }
      } else {
        try subscriptions.importOPML(from: file ?? opml ?? "-")
      }
    _ = try profile.reopened()
    for line in report.lines { try Answer.print(line) }
    if report.isPartial { throw ExitCode.failure }
  }
}
