import Basics
import Foundation
import Interface
import Messages
import Notifications
package import Platform
import Polling
package import Profile
import Settings
import Storage

/// The settings and databases of the demo's two machines, in its folder, and their sync location.
package struct MorningProfile: Sendable {
  private let folder: String
  private let port: Int
  private let environment: Environment
  let server: MorningServer

  package init(in folder: DemoFolder, _ server: MorningServer, port: Int, environment: Environment) {
    (self.folder, self.server, self.port) = (folder.path, server, port)
    self.environment = environment
  }

  private static let sources: [(name: String, kind: String, path: String)] = [
    ("ci", "native", "ci"), ("team", "native", "team"), ("github", "github", "github"),
    ("alerts", "alertmanager", "alerts"), ("calendar", "calendar", "calendar.ics"),
    ("kernel", "feed", "kernel.atom"), ("swift", "feed", "swift.atom"), ("deps", "native", "deps"),
  ]

  /// Returns the settings of a machine. The intervals are so long that for an hour only the story and the user start
  /// polls.
  private func settings(of machine: String) -> String {
    let sources = Self.sources.map { name, kind, path in
      """

      [[source]]
      name = "\(name)"
      url = "http://127.0.0.1:\(port)/\(path)"
      kind = "\(kind)"

      """
    }
    return """
      [poll]
      interval = "1h"
      initial_delay = "1h"
      grace = "1s"

      [sync]
      name = "\(machine)"

      [[rule]]
      name = "builds that passed"
      when = "source:ci -title:failed"
      do = ["read"]

      """ + sources.joined()
  }

  /// Creates a machine's settings and database, opens them, and polls all sources once.
  private func open(_ machine: String) async throws -> Profile {
    let home = "\(folder)/\(machine)"
    // The folders above are not created: a demo that has ended must not get its folder again.
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
    try Data(settings(of: machine).utf8).write(to: URL(fileURLWithPath: "\(home)/config.toml"))
    var profile = try Profile(
      config: "\(home)/config.toml", database: "\(home)/reddot.sqlite", environment: environment
    ).registered()
    profile.logFile = nil
    _ = try await profile.arrival(trouble: { _ in }) { arrival in
      try await arrival.poll(profile.sources, .forced)
    }
    return profile
  }

  /// Opens the settings and the database of the machine whose inbox is shown.
  ///
  /// - Parameter synchronises: whether the machine is synced with the other one.
  package func open(synchronises: Bool) async throws -> Profile {
    var profile = try await open("desk")
    let item = Morning.backup
    var backup = IncomingMessage(
      remoteID: RemoteID("backup"), kind: .local, title: item.title, body: item.body ?? "")
    backup.published = environment.now().addingTimeInterval(Double(-60 * item.minutes))
    let pushed = backup
    try await profile.arrival(trouble: { _ in }) { arrival in
      try await arrival.push(pushed, into: "backup")
      try arrival.read(pushed.remoteID)
    }
    // No action in a demo is final.
    let known = Preferences.knowsFinalActs
    try profile.store.preferences.set(known.name, to: known.value)
    if synchronises { _ = try await Synchroniser(profile).begin(at: place) }
    profile = try profile.reopened()
    profile.logFile = nil
    return profile
  }

  /// The sync location of the two machines.
  private var place: String { "\(folder)/shared" }

  // MARK: The other machine

  /// Marks three messages read on the other machine, and synchronises it with the sync location.
  func readElsewhere(besides desk: Profile) async throws {
    let laptop = try await open("laptop")
    defer { try? laptop.store.close() }
    _ = try await Synchroniser(laptop).join(place, key: Synchroniser(desk).keyText())
    let ids = try Morning.readElsewhere.compactMap { source, id in
      try laptop.sources.first { $0.name == source }.flatMap {
        try laptop.store.messages.find(RemoteID(id), of: $0.id)?.id
      }
    }
    _ = try laptop.store.acts.perform(.read(ids), at: environment.now())
    _ = try await Synchroniser(laptop.reopened()).run()
  }
}
