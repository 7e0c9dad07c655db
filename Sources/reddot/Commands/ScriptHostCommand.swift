import App
import ArgumentParser

/// The process in which the scripts of a banner's view run; started by reddot itself.
struct ScriptHostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "script-host", abstract: "Run the scripts of a banner's view.", shouldDisplay: false)

  func run() { BannerScripts.serve() }
}
