import ArgumentParser
import Foundation
import Messages
import Platform
import Profile
import Screen
import Settings
import Subscriptions
import Words

/// `reddot publisher feed`
struct PublisherFeed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Check a native feed: its messages, and every problem.",
    discussion: """
      The messages are shown as readers would get them. Exits with 1 if the feed has problems or cannot be read.

      EXAMPLES:
        reddot publisher feed news.json
        reddot publisher feed https://team.example/news.json
        reddot publisher feed news.json --json | jq -r '.problems[].at'
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A file, an address, or - for standard input.", completion: .file()) var target: String
  @Flag(help: "Print a JSON object.") var json = false

  func run() async throws {
    let environment = Composition.environment()
    do {
      let examiner = Examiner(environment) { [files] in try environment.settings(config: files.config) }
      let report = try await examiner.report(
        target, kind: .native, asJSON: json, config: files.config, database: files.database)
      try Answer.print(report.text)
      if !report.isKnown || report.hasProblems { throw ExitCode.failure }
    } catch let failure as FetchFailure {
      let sentence = Words.inLanguage(environment.language).sentence(failure).text
      throw Complaint(failure.namesItsFile ? sentence : "\(target): \(sentence)")
    }
  }
}
