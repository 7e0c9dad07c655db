import Basics
import Foundation
import Messages
import Storage

/// A store in memory with the same messages each time, newest first: 0, 1, 2 …, a minute apart.
struct SampleStore {
  /// 2026-11-20 14:00 UTC, a Friday.
  static let start = Date(timeIntervalSince1970: 1_795_183_200)

  let store: Store
  let sources: [ConfiguredSource]
  let lists: [SavedList]
  let ids: [SourceID]

  /// - Parameter hasGroups: whether some neighbours are of one group, one of three a failure.
  init(_ count: Int, hasGroups: Bool = false) throws {
    store = try Store.inMemory(now: Self.start - 1e7)
    var sources = ["log", "team", "news"].map {
      ConfiguredSource(name: $0, kind: .feed, address: "https://\($0).example/feed")
    }
    sources[1].settings.folder = Folder("Work")
    sources[2].settings.folder = Folder("Work/World")
    self.sources = sources
    store.searchTimes { (Self.start, .gmt) }
    ids = try store.sources.register(sources, at: Self.start - 1e6).map(\.id)
    lists = [SavedList(name: "sevens", query: "title:7"), SavedList(name: "unread", query: "is:unread")]
    try store.savedLists.apply(lists: lists)
    var messages: [SourceID: [IncomingMessage]] = [:]
    for number in (0..<count).reversed() {
      messages[source(of: number), default: []].append(
        Self.message(number, hasGroups: hasGroups))
    }
    for id in ids {
      // Messages of the first poll don't count as new.
      try record([], from: id)
      try record(messages[id] ?? [], from: id)
    }
    // A third of them is unread.
    let keys = try store.lists.keys(InboxQuery(), limit: count)
    try store.acts.perform(
      .read(keys.enumerated().filter { $0.offset % 3 > 0 }.map(\.element.id)), at: Self.start - 10)
    try store.acts.perform(
      .star(keys.enumerated().filter { $0.offset % 11 == 4 }.map(\.element.id)), at: Self.start - 9)
    while try store.savedLists.judge(at: Self.start) {}
  }

  private func source(of number: Int) -> SourceID { ids[number % 7 == 5 ? 1 : number % 31 == 8 ? 2 : 0] }

  private static func message(_ number: Int, hasGroups: Bool) -> IncomingMessage {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    var body = "Text \(number), see https://a.example/\(number) and https://b.example/\(number)"
    // Laid out on another thread.
    if number % 9 == 4 { body += String(repeating: "\nMany words in one line, and so on.", count: 600) }
    if number % 13 == 6 { body += String(repeating: "\nSome lines.", count: 40) }
    let title = number % 10 == 3 ? "Repeated" : number % 17 == 1 ? "界 \(padded)" : "Message \(padded)"
    var message = IncomingMessage(
      remoteID: RemoteID("\(number)"), kind: hasGroups ? .native : .feed, title: title, body: body)
    if hasGroups, (1...4).contains(number % 8) {
      message.extras = MessageExtras()
      message.extras?.group = "group"
      if number % 8 == 3 { message.priority = Priority(4) }
    }
    message.published = start - Double(number) * 60
    if number % 5 != 0 { message.url = "https://m.example/\(number)" }
    if number % 23 == 2 { message.isDismissable = false }
    return message
  }

  /// Records a poll that returns messages.
  func record(_ messages: [IncomingMessage], from source: SourceID, at now: Date = start - 100) throws {
    try store.polls.record(
      .content(PollContent(messages: messages), PollHints()), for: source, attempt: .periodic, start: now,
      end: now, state: PollState())
  }
}

/// All data in a store that keys can change, in the order of its lists.
struct StoreContents: Equatable {
  var lists: [String: [ListKey]] = [:]
  var sources: [SourceStatus]
  var canUndo: Bool
  var preferences: [String: String]
  var states: [InboxQuery.Scope: String]
  var quiet: DateInterval?

  init(_ store: Store) throws {
    let scopes: [InboxQuery.Scope] = [.all, .starred, .snoozed, .dismissed]
    for scope in scopes { lists["\(scope)"] = try store.lists.keys(InboxQuery(scope: scope), limit: 100_000) }
    lists["unread"] = try store.lists.keys(InboxQuery(isUnreadOnly: true), limit: 100_000)
    let snapshot = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 1))
    (sources, canUndo) = (snapshot.sources, snapshot.canUndo)
    preferences = try store.preferences.all()
    states = try store.preferences.lists()
    quiet = try store.notices.quiet()
  }

  /// Returns the contents without later messages, and without data that depends on them.
  func through(_ newest: MessageID) -> StoreContents {
    var contents = self
    contents.lists = lists.mapValues { $0.filter { $0.id <= newest } }
    (contents.sources, contents.canUndo) = ([], false)
    return contents
  }

  /// Returns the differences in words.
  func differences(from other: StoreContents) -> [String] {
    var texts = lists.keys.sorted().compactMap { name -> String? in
      let (mine, others) = (Set(lists[name] ?? []), Set(other.lists[name] ?? []))
      guard lists[name] != other.lists[name] else { return nil }
      let (more, fewer) = (mine.subtracting(others), others.subtracting(mine))
      return "\(name): more \(Self.ids(more)), fewer \(Self.ids(fewer))"
    }
    if sources != other.sources { texts.append("sources \(sources) instead of \(other.sources)") }
    if canUndo != other.canUndo { texts.append("canUndo \(canUndo)") }
    if preferences != other.preferences { texts.append("preferences \(preferences), \(other.preferences)") }
    if states != other.states { texts.append("lists \(states), \(other.states)") }
    if quiet != other.quiet { texts.append("quiet \(quiet as Any), \(other.quiet as Any)") }
    return texts
  }

  private static func ids(_ keys: Set<ListKey>) -> String {
    let ids = keys.map(\.id.rawValue).sorted()
    return ids.prefix(8).map(String.init).joined(separator: " ") + (ids.count > 8 ? " … \(ids.count)" : "")
  }
}
