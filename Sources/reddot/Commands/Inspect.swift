import App
import ArgumentParser
import Foundation
import Interface
import Messages
import Screen

/// `reddot inspect`
struct Inspect: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what reddot would make of a file or an address.",
    discussion: """
      Nothing is stored. For publishers, and to find out why a feed looks wrong. Of a schedule file it shows what \
      reddot schedule preview shows. A format that reddot does not know ends with status 1.

      EXAMPLES:
        reddot inspect https://www.swift.org/atom.xml
        reddot inspect feed.xml --json | jq .problems
        curl -s https://example.org/feed | reddot inspect -
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A file, an address, or - for standard input.", completion: .file()) var target: String
  @Option(help: "\(SourceKind.words(without: .local)); by default what the content is.")
  var kind: SourceKind?
  @Flag(help: "Print a JSON object.") var json = false

  func run() async throws {
    let environment = Composition.environment()
    do {
      if let report = try await Examiner(environment).report(
        service: target, kind: kind, in: try Composition.workspaceToRead(files), asJSON: json)
      {
        return try Answer.print(report.text)
      }
      let report = try await Examiner(environment).report(
        target, kind: kind, asJSON: json, config: files.config, database: files.database)
      try Answer.print(report.text)
      if !report.isKnown { throw ExitCode.failure }
    } catch let failure as FetchFailure {
      throw Complaint("\(target): \(Words.inLanguage(environment.language).sentence(failure).text)")
    }
  }
}
