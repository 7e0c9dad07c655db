import App
import ArgumentParser

/// The process that runs the scripts of a banner's view; started by reddot itself.
struct ScriptHostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "script-host", abstract: "Run the scripts of a banner's view.", shouldDisplay: false)

  func run() { BannerScripts.serve() }
}
