import Basics
import Foundation
import Messages
import StandIns
import Storage
import Testing

/// The operations of a history on the outcomes of an adapter, and the results that it checks afterwards.
protocol HistoryStore {
  var position: PollPosition { get }
  var outgoing: [OutgoingAct] { get }
  /// The ids of its messages in their order of arrival, so that a seed always selects the same.
  var order: [RemoteID] { get }
  var entries: [RemoteID: ModelStore.Entry] { get }
  /// The number of times that each occasion made a message unread, if that is counted.
  var news: [StandInOccasion: Int] { get }
  var refused: [FetchFailure] { get }
  var problems: [FormatProblem] { get }
  /// The number of messages, including dismissed and snoozed ones.
  var count: Int { get }

  mutating func record(_ outcome: PollOutcome, at now: Date)
  mutating func record(_ result: WriteBackResult, at now: Date)
  /// Performs a mark of the user.
  mutating func act(_ mark: OutgoingMark, on id: RemoteID, at now: Date)
}

/// The real store, in memory.
struct StoredHistory: HistoryStore {
  private let store: Store
  private let source: SourceID
  private(set) var order: [RemoteID] = []
  private(set) var refused: [FetchFailure] = []
  private(set) var problems: [FormatProblem] = []
  /// The failures of the store itself.
  private(set) var failures: [String] = []
  var news: [StandInOccasion: Int] { [:] }
  var count: Int {
    read(0) {
      try [InboxQuery.Scope.all, .dismissed].map {
        try store.lists.snapshot(InboxQuery(scope: $0), InboxWindow()).rows.count
      }.reduce(0, +)
    }
  }

  init(_ settings: SourceSettings, at now: Date) throws {
    store = try Store.inMemory(now: now)
    source = try #require(
      try store.sources.register([ConfiguredSource(name: "s", settings: settings)], at: now).first
    ).id
    // Most messages of a first poll arrive as read.
    record(.content(PollContent(messages: []), PollHints()), at: now)
  }

  private func read<Value>(_ other: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      Issue.record("\(error)")
      return other
    }
  }

  var position: PollPosition { read(PollPosition()) { try store.polls.position(of: source) } }
  var outgoing: [OutgoingAct] { read([]) { try store.outgoing.acts(of: source) } }

  var entries: [RemoteID: ModelStore.Entry] {
    var entries: [RemoteID: ModelStore.Entry] = [:]
    for id in order {
      guard let message = read(nil, { try store.messages.find(id, of: source) }) else { continue }
      var entry = ModelStore.Entry(message: message.content)
      entry.isRead = !message.isUnread
      entry.isStarred = message.isStarred
      entry.isDone = message.isDismissed
      entries[id] = entry
    }
    return entries
  }

  mutating func record(_ outcome: PollOutcome, at now: Date) {
    read(()) {
      _ = try store.polls.record(
        outcome, for: source, attempt: .periodic, start: now, end: now, state: store.polls.state(of: source))
    }
    guard case .content(let content, _) = outcome else { return }
    problems += content.problems
    let known = Set(order)
    var fresh: Set<RemoteID> = []
    for message in content.messages where !known.contains(message.remoteID) {
      if fresh.insert(message.remoteID).inserted { order.append(message.remoteID) }
    }
  }

  mutating func record(_ result: WriteBackResult, at now: Date) {
    refused += result.refused.values
    read(()) { try store.outgoing.record(result, sent: outgoing, of: source, start: now, end: now) }
  }

  mutating func act(_ mark: OutgoingMark, on id: RemoteID, at now: Date) {
    read(()) {
      guard let message = try store.messages.find(id, of: source)?.id else { return }
      switch mark {
      case .read(true): try store.acts.perform(.read([message]), at: now)
      case .read(false): try store.acts.perform(.unread([message]), at: now)
      case .starred(true): try store.acts.perform(.star([message]), at: now)
      case .starred(false): try store.acts.perform(.unstar([message]), at: now)
      case .done(true): try store.acts.perform(.dismiss([message]), at: now)
      case .done(false): try store.acts.perform(.undismiss([message]), at: now)
      case .snoozed, .named: break
      }
    }
  }
}
