import Basics
import Formats
import Foundation
import IdentitySamples
import Messages
import Services
import Synchronization
import Testing

@testable import Storage

/// The one place that reads the verdicts of the store's intake.
extension RecordedPoll {
  /// Returns the verdict on an entry.
  ///
  /// - Parameters:
  ///   - position: the position among the messages of the poll.
  ///   - names: the names of the sources.
  fileprivate func verdict(at position: Int, _ names: [SourceID: String]) -> IdentityVerdict {
    switch verdicts[position] {
    case .new?: .new
    case .again?: .again
    case .changed?, .joined(isEdited: true)?: .changed
    case .copy(let source)?: .copy(of: names[source] ?? "\(source)")
    case .joined(isEdited: false)?, nil: .same
    }
  }
}

/// Runs the steps of a vector in a real store: polls of feeds whose documents the program's own reader reads.
final class IdentityStoreRunner {
  /// The form in which the store gets the documents, and the place of the store.
  struct Way: CustomStringConvertible {
    /// The number of entries in each part of a stream, or `nil` if a document comes as a whole.
    var partSize: Int?
    /// Whether the store is a file, which is closed and opened again after each document.
    var isFile = false

    var description: String {
      (partSize.map { "in parts of \($0)" } ?? "as a whole") + (isFile ? ", on a file" : "")
    }
  }

  private let way: Way
  private let directory: Directory?
  private var store: Store
  private var ids: [String: SourceID] = [:]
  private var names: [SourceID: String] = [:]

  private init(_ sources: [String], _ way: Way, at now: Date) throws {
    self.way = way
    directory = way.isFile ? try Directory() : nil
    store = try directory.map { try Store(path: $0.database, now: now) } ?? Store.inMemory(now: now)
    for (name, source) in zip(sources, try store.sources.register(sources.map { configured($0) }, at: now)) {
      ids[name] = source.id
      names[source.id] = name
    }
  }

  /// Runs a vector. After each step all messages are marked as read.
  static func run(_ vector: IdentityVector, _ way: Way = Way()) throws -> IdentityModel.Outcome {
    let start = try vector.steps.first?.date ?? noon
    let runner = try IdentityStoreRunner(vector.sources, way, at: start)
    var outcome = IdentityModel.Outcome()
    for step in vector.steps {
      let now = try step.date
      if step.prunes { try runner.prune(step.source, at: now) }
      outcome.verdicts.append(try runner.poll(step, at: now))
      outcome.lists.append(try runner.listed())
      try runner.store.acts.perform(.readAll(InboxQuery()), at: now)
      try runner.reopen(at: now)
    }
    outcome.shown = try runner.listed()
    try runner.store.expectConsistent("\(vector), \(way)")
    return outcome
  }

  private func reopen(at now: Date) throws {
    guard let directory else { return }
    try store.close()
    store = try Store(path: directory.database, now: now)
  }

  private func source(_ name: String) throws -> SourceID { try #require(ids[name]) }

  private func poll(_ step: IdentityVector.Step, at now: Date) throws -> [IdentityVerdict] {
    let messages = try Self.messages(step)
    let recorded = try store.poll(source(step.source), way.partSize == nil ? messages : [], at: now) {
      if let size = way.partSize { $0.stream = MessageParts(messages, size: size) }
    }
    // Documents list the newest first, polls the oldest.
    return messages.indices.reversed().map { recorded.verdict(at: $0, names) }
  }

  /// Returns the entries of a document as messages, oldest first.
  private static func messages(_ step: IdentityVector.Step) throws -> [IncomingMessage] {
    let document = FeedDocument(
      try step.jsonFeed(), charset: nil, mediaType: "application/feed+json",
      address: "https://feeds.example/\(step.source).json")
    guard case .feed(let feed) = document.read() else { throw NoFeed() }
    let messages = WebFeedMessages.messages(of: feed)
    try #require(messages.count == step.doc.count)
    return messages
  }

  private struct NoFeed: Error {}

  /// Returns the list over all sources, in any order.
  private func listed() throws -> [IdentityRow] {
    try store.lists.snapshot(InboxQuery(), InboxWindow(after: 1000)).rows.map { row in
      let message = try #require(try store.messages.find(row.id))
      return IdentityRow(
        listed: names[row.source] ?? "\(row.source)", title: row.title, text: message.content.body,
        isUnread: row.isUnread)
    }.sorted()
  }

  /// Removes the read messages of a source.
  private func prune(_ name: String, at now: Date) throws {
    var source = try store.status(source(name)).source
    source.retention = Retention(age: .seconds(1))
    let limits = try store.retention.limits(of: [source], at: now)
    try #require(limits.clockLead == nil)
    _ = try store.retention.pruneAll(limits)
  }
}

/// A stream of a few messages in small parts.
private final class MessageParts: MessageStream {
  private let messages: [IncomingMessage]
  private let size: Int
  private let taken = Mutex(0)

  init(_ messages: [IncomingMessage], size: Int) {
    self.messages = messages
    self.size = size
  }

  func next() throws(MessageStreamFailure) -> [IncomingMessage]? {
    let start = taken.withLock { taken in
      defer { taken += size }
      return taken
    }
    return start < messages.count ? Array(messages[start..<min(start + size, messages.count)]) : nil
  }

  func restart() { taken.withLock { $0 = 0 } }

  var problems: [FormatProblem] { [] }

  func end() {}

  func whole() throws(MessageStreamFailure) -> PollOutcome {
    .content(PollContent(messages: messages), PollHints())
  }
}
