import Basics
import Foundation
import Messages
import Polling
import Storage
import Synchronization

@testable import Notifications
@testable import Platform
@testable import Profile
@testable import Settings

/// A settings file and a database on disk, which several processes open one after another, with the state that a user sees.
final class EditedSettings {
  let folder: SettingsFileTests.Folder
  let time = SetTime(Date(timeIntervalSince1970: 1_800_000_000))

  init(_ text: String) throws {
    folder = try SettingsFileTests.Folder()
    try write(text)
  }

  var database: String { folder.url.appending(path: "reddot.sqlite").path }

  func write(_ text: String) throws {
    try folder.write(text)
    // It may contain tokens.
    chmod(folder.path, 0o600)
  }

  /// Opens the profile as another process does, which knows no secrets.
  func open() throws -> Profile {
    let environment = Environment(
      variables: [:], home: folder.url.path, version: "0", now: { [time] in time.now }, clock: { .gmt },
      random: { 0 })
    return try Profile(config: folder.path, database: database, environment: environment).reopened()
  }

  /// Stores messages with the titles 1, 2, 3 …, as scripts do.
  func push(_ count: Int, into source: @Sendable (Int) -> String) async throws {
    let arrival = try open().observedArrival
    for number in 1...count {
      _ = try await arrival.push(
        IncomingMessage(remoteID: RemoteID("\(number)"), kind: .local, title: "\(number)", body: ""),
        into: source(number))
    }
    _ = try open()
  }

  /// Returns the user's data, without the ids of steps: the bytes of the file, then the lists and all messages.
  func state(_ profile: Profile) throws -> [String] {
    let store = profile.store
    var state = [try folder.text()]
    state += try store.sources.statuses().map { "\($0.source.name) \($0.unread) \($0.total)" }
    state.append("\(String(describing: try store.notices.quiet()?.end))")
    let hidden = try store.lists.snapshot(InboxQuery(scope: .hidden), InboxWindow())
    state.append("hidden: \(hidden.total) \(hidden.rows.map(\.id.rawValue))")
    for (name, rule) in try store.rules.records().sorted(by: { $0.key < $1.key }) where rule.hidden > 0 {
      state.append("\(name) hides \(rule.hidden)")
    }
    var id: Int64 = 1
    while let message = try store.messages.find(MessageID(id)) {
      let snoozed = message.snoozedUntil.map { " \($0.timeIntervalSince1970)" } ?? ""
      let hidden = try store.rules.hider(of: MessageID(id)).map { " hidden by \($0)" } ?? ""
      state.append("\(id) \(message.isUnread) \(message.isStarred) \(message.isDismissed)\(snoozed)\(hidden)")
      id += 1
    }
    return state
  }

  /// The time of all processes.
  final class SetTime: Sendable {
    private let value: Mutex<Date>

    init(_ now: Date) { value = Mutex(now) }

    var now: Date { value.withLock { $0 } }

    func pass(_ seconds: TimeInterval) { value.withLock { $0 += seconds } }
  }
}
