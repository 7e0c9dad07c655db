import Foundation
import Messages
import Testing

@testable import Storage

/// 2027-01-15 08:00 UTC.
let noon = Date(timeIntervalSince1970: 1_800_000_000)

func message(_ id: String, _ title: String? = nil, body: String = "", at published: Date? = nil)
  -> IncomingMessage
{
  var message = IncomingMessage(
    remoteID: RemoteID(id), kind: .feed, title: title ?? "Title \(id)", body: body)
  message.published = published
  return message
}

/// Returns messages, oldest first, a minute apart, the last one at noon.
func messages(_ ids: ClosedRange<Int>) -> [IncomingMessage] {
  ids.map { message("\($0)", at: noon + Double($0 - ids.upperBound) * 60) }
}

func configured(
  _ name: String, kind: SourceKind = .feed, address: String? = nil,
  _ change: (inout ConfiguredSource) -> Void = { _ in }
) -> ConfiguredSource {
  var source = ConfiguredSource(name: name, kind: kind, address: address ?? "https://example.org/\(name)")
  change(&source)
  return source
}

extension Store {
  /// Returns the followed sources whose dot is on.
  func dots() throws -> Set<SourceID> { Set(try sources.statuses().filter(\.isUnseen).map(\.source.id)) }

  static func fresh() throws -> Store { try Store.inMemory(now: noon) }

  /// Returns a store with a feed that was polled before, so that these messages are not its first ones.
  static func following(_ messages: [IncomingMessage] = []) throws -> (store: Store, source: SourceID) {
    let store = try fresh()
    let source = try store.follow(configured("news"))[0]
    try store.pollNothing(source)
    if !messages.isEmpty { try store.poll(source, messages) }
    return (store, source)
  }

  /// Registers these sources and returns their ids.
  func follow(_ sources: ConfiguredSource...) throws -> [SourceID] {
    try self.sources.register(sources, at: noon).map(\.id)
  }

  /// Stores a poll with new content.
  /// - Returns: the changes, without the state of the source.
  @discardableResult
  func poll(
    _ source: SourceID, _ messages: [IncomingMessage], cursor: String? = nil, at now: Date = noon,
    _ change: (inout PollContent) -> Void = { _ in }
  ) throws -> RecordedPoll {
    var content = PollContent(messages: messages, position: PollPosition(cursor: cursor.map { Cursor($0) }))
    change(&content)
    var recorded = try polls.record(
      .content(content, PollHints()), for: source, attempt: .periodic, start: now, end: now,
      state: PollState())
    recorded.state?.day = nil
    #expect(recorded.state == PollState())
    recorded.state = nil
    return recorded
  }

  /// Stores an empty poll, so that the next one isn't the first.
  func pollNothing(_ sources: SourceID...) throws {
    for source in sources { try poll(source, []) }
  }

  func snapshot(_ query: InboxQuery = InboxQuery()) throws -> InboxSnapshot {
    try lists.snapshot(query, InboxWindow())
  }

  func titles(_ query: InboxQuery = InboxQuery()) throws -> [String] { try snapshot(query).rows.map(\.title) }

  func titles(search: String, _ scope: InboxQuery.Scope = .all) throws -> [String] {
    try titles(InboxQuery(scope: scope, search: search))
  }

  func id(_ remoteID: String, of source: SourceID) throws -> MessageID {
    try #require(try messages.find(RemoteID(remoteID), of: source)).id
  }

  func status(_ source: SourceID) throws -> SourceStatus {
    try #require(try sources.statuses().first { $0.source.id == source })
  }

  /// Checks every stored list and count against the messages.
  func expectConsistent(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    // A store in memory has the schema with which this program has just created it. Creating another one for each
    // comparison would take most of the time of random histories.
    let parts = CheckPart.allCases.filter { $0 != .search && (path != nil || $0 != .schema) }
    let problems = try parts.flatMap { try check.compare($0) }
    #expect(problems == [], comment, sourceLocation: sourceLocation)
  }
}

/// A directory for a test, deleted with the object.
final class Directory {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "reddot-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var database: String { path + "/inbox.sqlite" }
}
