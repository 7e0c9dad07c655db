import ArgumentParser
import Foundation
import Messages
import Platform
import Profile
import Screen
import Settings
import Subscriptions
import Words

/// `reddot inspect`
struct Inspect: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show how reddot reads a file or an address.",
    discussion: """
      Nothing is stored. This is for publishers, and for finding out why a feed looks wrong. For a schedule \
      file, it prints the same as reddot publisher schedule preview. Exits with 1 if reddot does not know the \
      format.

      EXAMPLES:
        reddot inspect https://www.swift.org/atom.xml
        reddot inspect feed.xml --json | jq .problems
        curl -s https://example.org/feed | reddot inspect -
        reddot inspect --kind command -- ./checks --all
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A file, an address, or - for standard input; a program.", completion: .file())
  var target: String
  @Argument(help: "The arguments of a program, after --.") var arguments: [String] = []
  @Option(help: "\(SourceKind.words(without: .local)); by default what the content is.")
  var kind: SourceKind?
  @Option(help: "The format of a program's output: items, nagios or lines.") var format: CommandFormat?
  @Flag(help: "Print a JSON object.") var json = false

  func validate() throws {
    if kind == .command { return }
    if !arguments.isEmpty { throw ValidationError("only a program has arguments: --kind command") }
    if format != nil { throw ValidationError("--format is for --kind command") }
  }

  func run() async throws {
    let environment = Composition.environment()
    do {
      let examiner = Examiner(environment) { [files] in try environment.settings(config: files.config) }
      if kind == .command {
        let signals = EndingSignals(before: environment.programs.killAll)
        defer { signals.cancel() }
        return try Answer.print(
          try await examiner.report(command: [target] + arguments, format: format?.rawValue, asJSON: json)
            .text)
      }
      if let report = try await examiner.report(
        service: target, kind: kind, in: try Composition.profileToRead(files), asJSON: json)
      {
        return try Answer.print(report.text)
      }
      let report = try await examiner.report(
        target, kind: kind, asJSON: json, config: files.config, database: files.database)
      try Answer.print(report.text)
      if !report.isKnown { throw ExitCode.failure }
    } catch let failure as FetchFailure {
      let sentence = Words.inLanguage(environment.language).sentence(failure).text
      throw Complaint(failure.namesItsFile ? sentence : "\(target): \(sentence)")
    }
  }
}
