import ArgumentParser
import Banners

/// The process that runs the scripts of a banner's view; started by reddot itself.
struct ScriptHostCommand: ParsableCommand {
  static let name = "script-host"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Run the scripts of a banner's view.", shouldDisplay: false)

  func run() { BannerScripts.serve() }
}
