import Foundation
import Messages
import Storage

/// The demo's settings and database: real ones, in a folder that goes when the demo ends.
package struct DemoWorkspace: Sendable {
  private let folder: URL
  private let port: Int
  private let surroundings: Surroundings

  package init(port: Int, surroundings: Surroundings) {
    self.port = port
    self.surroundings = surroundings
    folder = FileManager.default.temporaryDirectory.appending(
      path: "reddot-demo-\(ProcessInfo.processInfo.processIdentifier)")
  }

  package func open() throws -> Workspace {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var settings = Settings()
    settings.polling.interval = .seconds(10)
    settings.polling.grace = .seconds(3)
    let sources: [(String, SourceKind, String)] = [
      ("team", .native, "team"), ("builds", .native, "builds"), ("blog", .feed, "blog.atom"),
    ]
    settings.sources = sources.map { name, kind, path in
      SourceSettings(
        source: ConfiguredSource(
          name: name, kind: kind, address: "http://127.0.0.1:\(port)/\(path)", polling: settings.polling))
    }
    let file = SettingsFile(path: folder.appending(path: "config.toml").path, home: surroundings.home)
    return try Workspace(
      settings: settings, file: file, database: folder.appending(path: "reddot.sqlite").path,
      surroundings: surroundings)
  }

  package func remove() {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      // In the system's folder for temporary files, which is cleared by the system.
    }
  }
}
