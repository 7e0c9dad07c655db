import Foundation
import Messages
import Profile
import Storage
import Sync
import TestBasics
import Testing

/// A machine: its database, and its view of the sync location.
final class PlacedMachine {
  let name: String
  let store: Store
  let source: SourceID
  let place: any Place
  let skew: TimeInterval
  /// The number of messages of the feed that it follows; their ids begin at 1.
  private let messages: Int

  /// - Parameters:
  ///   - placeID: the id of the place, or `nil` if it is a machine already, or becomes one later.
  ///   - file: the file of its database, or `nil` for one in memory.
  init(
    _ name: String, _ place: any Place, placeID: [UInt8]? = nil, file: String? = nil, messages: Int = 6,
    skew: TimeInterval = 0, at now: Date
  ) throws {
    (self.name, self.place, self.messages, self.skew) = (name, place, messages, skew)
    store = try file.map { try Store(path: $0, now: now) } ?? Store.inMemory(now: now)
    let feed = ConfiguredSource(name: "news", kind: .feed, address: "https://news.example/feed")
    source = try store.sources.register([feed], at: now)[0].id
    guard let placeID else { return }
    try Self.record([], store, source, at: now)
    try store.sync.setUp(.random(), placeID: placeID, at: now + skew)
  }

  private static func record(_ ids: [Int], _ store: Store, _ source: SourceID, at now: Date) throws {
    let messages = ids.map {
      IncomingMessage(remoteID: RemoteID("\($0)"), kind: .feed, title: "Title \($0)", body: "")
    }
    try store.polls.record(
      .content(PollContent(messages: messages, position: PollPosition()), PollHints()), for: source,
      attempt: .periodic, start: now, end: now, state: PollState())
  }

  func poll(at now: Date) throws { try Self.record(Array(1...messages), store, source, at: now + skew) }

  func synchronise(
    _ key: SyncKey, checksAll: Bool = false, at now: Date
  ) throws -> Synchronisation.Outcome {
    try synchronisation(key, at: now).run(checksAll: checksAll)
  }

  /// Sends like a command that has changed something.
  func send(_ key: SyncKey, at now: Date) throws { try synchronisation(key, at: now).send() }

  private func synchronisation(_ key: SyncKey, at now: Date) -> Synchronisation {
    let clock = now + skew
    return Synchronisation(
      store, place, called: "the place", key, machine: name, program: "test", now: { clock })
  }

  func perform(_ act: (MessageID) -> UserAct, _ number: Int, at now: Date) throws {
    let id = try #require(try store.messages.find(RemoteID("\(number)"), of: source)).id
    try store.acts.perform(act(id), at: now + skew)
  }

  func act(at now: Date, _ random: inout SeededRandom) throws {
    let number = Int.random(in: 1...messages, using: &random)
    guard let id = try store.messages.find(RemoteID("\(number)"), of: source)?.id else { return }
    let clock = now + skew
    switch Int.random(in: 0..<7, using: &random) {
    case 0: try store.acts.perform(.read([id]), at: clock)
    case 1: try store.acts.perform(.unread([id]), at: clock)
    case 2: try store.acts.perform(.star([id]), at: clock)
    case 3: try store.acts.perform(.unstar([id]), at: clock)
    case 4: try store.acts.perform(.dismiss([id]), at: clock)
    case 5: try store.acts.perform(.undismiss([id]), at: clock)
    default: _ = try store.acts.undo(at: clock)
    }
  }

  /// "1 unread starred dismissed" of each message.
  func shown() throws -> [String] {
    try (1...messages).compactMap { number in
      try store.messages.find(RemoteID("\(number)"), of: source).map { message in
        let until = message.snoozedUntil.map { ["snoozed until \($0.timeIntervalSince1970)"] } ?? []
        return
          (["\(number)", message.isUnread ? "unread" : "read"] + (message.isStarred ? ["starred"] : [])
          + (message.isDismissed ? ["dismissed"] : []) + until).joined(separator: " ")
      }
    }
  }
}
