import Basics
import Foundation
package import Messages
package import Platform

/// Finds sources that can be followed on this machine, by looking for files and programs. It starts no program, and
/// sends no request.
package struct OfferFinder: Sendable {
  private let environment: Environment

  package init(_ environment: Environment) { self.environment = environment }

  /// The folder for the configuration of programs, `~/.config` by default.
  private var configFolder: String {
    environment.variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment.home + "/.config"
  }

  /// Returns the offers for this machine.
  package func find() -> [Offer] {
    [newsboat, github, shell, tmux, desktop].compactMap(\.self)
  }

  /// Returns the text of a file, or `nil` if it cannot be read.
  private func text(of path: String) -> String? {
    (try? BoundedFile.read(path, limit: Limits.offerFileBytes)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func isInstalled(_ program: String) -> Bool {
    ProgramRunner.isInstalled(program, path: environment.variables["PATH"])
  }

  /// Whether an environment variable is set and not empty.
  private func isSet(_ variable: String) -> Bool {
    !(environment.variables[variable] ?? "").isEmpty
  }

  /// The offer to import the feeds of newsboat, if it has some.
  private var newsboat: Offer? {
    for folder in [environment.home + "/.newsboat", configFolder + "/newsboat"] {
      guard let urls = text(of: folder + "/urls") else { continue }
      var files = NewsboatFiles()
      files.read(urls: urls)
      if !files.feeds.isEmpty { return .newsboat(folder: folder, feeds: files.feeds.count) }
    }
    return nil
  }

  /// The offer to follow GitHub with the token of its command-line program `gh`, if that is logged in.
  private var github: Offer? {
    let folder = environment.variables["GH_CONFIG_DIR"] ?? configFolder + "/gh"
    guard isInstalled("gh"), let hosts = text(of: folder + "/hosts.yml"),
      hosts.exactLines.contains(where: { $0.hasPrefix("github.com:") })
    else { return nil }
    return .github
  }

  /// The offer to report long commands of the user's shell.
  private var shell: Offer? {
    let name = ((environment.variables["SHELL"] ?? "") as NSString).lastPathComponent
    guard let start = ShellStart(name, environment), !start.hasHook(text(of: start.path) ?? "")
    else {
      return nil
    }
    return .shell(name)
  }

  /// The offer to install the hooks for tmux, if reddot runs in it.
  private var tmux: Offer? { isSet("TMUX") && isInstalled("tmux") ? .tmux : nil }

  /// The names of desktop notification daemons.
  private static let daemons = ["dunst", "mako", "swaync", "fnott"]

  /// The offer to follow desktop notifications, if a known notification daemon is installed.
  private var desktop: Offer? {
    guard isSet("DBUS_SESSION_BUS_ADDRESS") else { return nil }
    return Self.daemons.first(where: isInstalled).map { .desktop(daemon: $0) }
  }
}
