import Foundation
import Interface
import Messages
package import Platform
package import Profile
import Services
import Settings
import Storage

/// The settings and the database of the demo of polling.
package struct DemoProfile: Sendable {
  private let path: String
  private let port: Int
  private let environment: Environment
  private let strings: [String: String]

  /// - Parameter strings: the demo's app's `Localizable.strings`, by language.
  package init(in folder: DemoFolder, port: Int, strings: [String: String], environment: Environment) {
    path = folder.path
    self.port = port
    self.strings = strings
    self.environment = environment
  }

  package func open() throws -> Profile {
    let folder = URL(fileURLWithPath: path)
    let lproj = folder.appending(path: "strings")
    // The folders above are not created: a demo that has ended must not get its folder again.
    try FileManager.default.createDirectory(at: lproj, withIntermediateDirectories: false)
    for (language, text) in strings {
      let folder = lproj.appending(path: "\(language).lproj")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
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
      entry.source.settings.writableMarks = SourceAdapters.facts(of: kind)?.writableMarks ?? []
      // The campaign is about a newer version of the team's app.
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
    // No action in a demo is final.
    let known = Preferences.knowsFinalActs
    try profile.store.preferences.set(known.name, to: known.value)
    return profile
  }
}
