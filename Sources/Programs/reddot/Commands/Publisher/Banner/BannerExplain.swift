import ArgumentParser
import Foundation
import Messages
import Platform
import Screen
import Words

/// `reddot publisher banner explain`
struct BannerExplain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Check the banners of a control file, with the deciding condition.",
    discussion: """
      Nothing is shown or stored, and no launch is counted. Without a state file nothing was ever displayed and this \
      is launch 1.

      EXAMPLES:
        reddot publisher banner explain control.json
        reddot publisher banner explain https://example.org/control.json --wifi yes
        reddot publisher banner explain control.json --json | jq .shown
        reddot publisher banner explain control.json --state state.json

      A state file: {"update": {"displayed": true, "launches": 4,
      "last_display": "2026-11-20T09:00:00Z", "flags": {"never": false}}}
      """)

  enum YesOrNo: String, ExpressibleByArgument, CaseIterable { case yes, no }

  @OptionGroup var files: FileOptions
  @Argument(help: "A control file, its address, or - for standard input.") var target: String
  @Option(help: ArgumentHelp("Judge as at this time.", valueName: "iso")) var at: Instant?
  @Option(
    help: ArgumentHelp(
      "Whether the network is Wi-Fi; by default as the default route is.",
      valueName: "yes|no")) var wifi: YesOrNo?
  @Option(help: ArgumentHelp("The app's version; by default the source's, or reddot's own.", valueName: "v"))
  var appVersion: String?
  @Option(
    help: ArgumentHelp("The system's version; by default the settings', or the system's.", valueName: "v"))
  var osVersion: String?
  @Option(help: ArgumentHelp("The earlier displays, as JSON.", valueName: "file")) var state: String?
  @Flag(help: "Print a JSON object.") var json = false

  func run() async throws {
    let environment = Composition.environment()
    var examination = try BannerExamination(
      config: files.config, database: files.database, environment: environment)
    examination.now = at?.date
    examination.isOnWifi = wifi.map { $0 == .yes }
    examination.appVersion = appVersion
    examination.osVersion = osVersion
    examination.stateFile = state
    do {
      let explanation = try await examination.explain(target)
      if json {
        try Answer.print(explanation.json)
      } else {
        for line in explanation.lines(isUTF8: environment.isUTF8) { try Answer.print(line) }
      }
    } catch let failure as FetchFailure {
      throw Complaint("\(target): \(Words.inLanguage(environment.language).sentence(failure).text)")
    }
  }
}
