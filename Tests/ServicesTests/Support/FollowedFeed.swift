import Basics
import Foundation
import Messages
import Services
import Storage
import Testing

/// A feed that is polled into a store.
struct FollowedFeed {
  let store: Store
  let source: Source
  private static let url = "http://feeds.example/a"

  init() throws { try self.init(Store.inMemory(now: now)) }

  /// - Parameter name: the name of a source in the store; `nil` for a new one.
  init(_ store: Store, name: String? = nil, _ change: (inout SourceSettings) -> Void = { _ in }) throws {
    self.store = store
    if let name {
      source = try #require(try store.sources.statuses().first { $0.source.name == name }).source
    } else {
      var settings = SourceSettings(kind: .feed, address: Self.url)
      change(&settings)
      let wish = ConfiguredSource(name: "news", settings: settings)
      source = try #require(try store.sources.register([wish], at: now).first)
    }
  }

  struct Result: Equatable {
    /// The titles of the new messages, oldest first.
    var new: [String] = []
    var updated = 0
  }

  /// - Parameter items: items of RSS.
  @discardableResult
  func poll(_ items: [String], at now: Date = now) async throws -> Result {
    try await poll(document: rss(items), at: now)
  }

  @discardableResult
  func poll(document: String, asStream: Bool = false, at now: Date = now) async throws -> Result {
    var context = PollContext(now: now)
    context.takesStreams = asStream
    let there = ServicesTests.source(Self.url)
    let outcome = try await ServicesTests.poll(there, context: context, [.ok(Self.url, document)])
    #expect(!asStream || outcome.content?.stream != nil)
    let recorded = try store.polls.record(
      outcome, for: source.id, attempt: .periodic, start: now, end: now, state: PollState())
    let new = try recorded.ids.map { try #require(try store.messages.find($0)).content.title }
    return Result(new: new, updated: recorded.updated)
  }

  func rss(_ items: [String]) -> String {
    "<rss version=\"2.0\"><channel><title>News</title><link>http://feeds.example/</link>\(items.joined(separator: "\n"))"
      + "</channel></rss>"
  }

  func markAllRead() throws {
    try store.acts.perform(.read(try messages().map(\.id)), at: now)
  }

  /// Returns all messages, in the order of their arrival.
  func messages() throws -> [Message] {
    let newest = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 1)).newest.rawValue
    return try (0...newest).compactMap { try store.messages.find(MessageID($0)) }.filter {
      $0.source == source.id
    }
  }

  func titles() throws -> [String] { try messages().map(\.content.title) }
  func unread() throws -> [String] { try messages().filter(\.isUnread).map(\.content.title) }

  func problems() throws -> [String] {
    try store.polls.attempts(of: source.id, limit: 1).flatMap(\.problems).map(\.message)
  }
}

/// Returns an item of RSS; day 0 is in November.
func item(
  guid: String? = nil, _ title: String?, link: String? = nil, day: Int? = nil, hour: Int = 8,
  body: String? = nil,
  file: String? = nil
) -> String {
  func element(_ name: String, _ text: String?) -> String {
    text.map { "<\(name)>\($0.replacingOccurrences(of: "&", with: "&amp;"))</\(name)>" } ?? ""
  }
  let date = day.map { "\($0 % 28 + 1) Nov \(2000 + $0 / 28) \(hour < 10 ? "0" : "")\(hour):00:00 GMT" }
  return "<item>" + (guid.map { "<guid isPermaLink=\"false\">\($0)</guid>" } ?? "") + element("title", title)
    + element("link", link) + element("pubDate", date) + element("description", body)
    + (file.map { "<enclosure url=\"\($0)\" type=\"audio/mpeg\" length=\"9\"/>" } ?? "") + "</item>"
}
