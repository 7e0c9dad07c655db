import Foundation
import Interface
import Messages
package import Platform
package import Profile
import Services
import Settings
import Storage

/// The demo's settings and database, in a folder that is deleted when the demo ends.
package struct DemoProfile: Sendable {
  /// Its path.
  package let path: String
  private let port: Int
  private let environment: Environment
  private let strings: [String: String]

  /// - Parameter strings: the demo's app's `Localizable.strings`, by language.
  package init(port: Int, strings: [String: String], environment: Environment) throws {
    self.port = port
    self.strings = strings
    self.environment = environment
    path = try TemporaryFolder("reddot-demo").path
  }

  package func open() throws -> Profile {
    let folder = URL(fileURLWithPath: path)
    let lproj = folder.appending(path: "strings")
    for (language, text) in strings {
      let folder = lproj.appending(path: "\(language).lproj")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: folder.appending(path: "Localizable.strings"))
    }
    var settings = Settings()
    settings.sourceDefaults.source.polling.interval = .seconds(10)
    settings.sourceDefaults.source.polling.grace = .seconds(3)
    let sources: [(String, SourceKind, String)] = [
      ("team", .native, "team"), ("builds", .native, "builds"), ("blog", .feed, "blog.atom"),
      ("app", .native, "app"), ("campaigns", .banners, "banners/control.json"), ("github", .github, "hub"),
      ("alerts", .ntfy, "push/alerts"),
    ]
    settings.sources = sources.map { name, kind, path in
      var entry = settings.sourceDefaults
      entry.source.name = name
      entry.source.kind = kind
      entry.source.address = "http://127.0.0.1:\(port)/\(path)"
      entry.source.settings.carries = SourceAdapters.facts(of: kind)?.carries ?? []
      // The campaign is about an app of the team's that has a newer version.
      entry.source.settings.appVersion = kind == .banners ? "4.1" : nil
      entry.strings = name == "app" ? lproj.path : nil
      return entry
    }
    settings.categories["INVITE"] = [
      MessageAction(label: "Accept", url: "https://example.org/games/accept"),
      MessageAction(label: "Decline", url: "https://example.org/games/decline"),
    ]
    let file = SettingsFile(path: folder.appending(path: "config.toml").path, home: environment.home)
    let profile = try Profile(
      settings: settings, file: file, database: folder.appending(path: "reddot.sqlite").path,
      environment: environment)
    // Nothing of a demo is lost for good.
    let known = Preferences.knowsFinalActs
    try profile.store.preferences.set(known.name, to: known.value)
    return profile
  }

  /// Deletes the folder, also while this process still writes into it; a second call does nothing.
  ///
  /// The folder gets another name first. Everything in it is opened by its path, so from then on nothing new comes into
  /// it, and the deletion doesn't meet a folder that is not empty again.
  /// - Returns: what could not be deleted, why, and what to do; nil if nothing is left.
  package func remove() -> String? {
    let ended = path + ".ended"
    if rename(path, ended) != 0 {
      return errno == ENOENT ? nil : Self.remains(path, String(cString: strerror(errno)))
    }
    do {
      try FileManager.default.removeItem(atPath: ended)
      return nil
    } catch {
      return Self.remains(ended, SystemReason.words(error))
    }
  }

  private static func remains(_ path: String, _ reason: String) -> String {
    "the demo's folder \(path) could not be deleted (\(reason)); delete it"
  }
}
