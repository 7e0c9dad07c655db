import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

/// Random polls, acts, settings and clocks, compared with a model that has only messages and counts them each time.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct RandomOperationsTests {
  @Test(arguments: Histories.seeds(8, from: 1))
  func theStoreDoesWhatASimpleModelDoes(seed: Int) throws {
    var generator = SeededRandom(seed: seed)
    let store = try Store.fresh()
    var model = Model()
    for step in 0..<220 {
      let operation = try model.randomOperation(on: store, &generator)
      let comment: Comment = "seed \(seed), step \(step), \(operation)"
      let expected = model.listed
      let snapshot = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 10_000))
      #expect(snapshot.rows.map(\.title) == expected.map(\.title), comment)
      #expect(snapshot.rows.map(\.isUnread) == expected.map { !$0.isRead }, comment)
      #expect(snapshot.rows.map(\.isStarred) == expected.map(\.isStarred), comment)
      #expect(snapshot.total == expected.count, comment)
      #expect(snapshot.unread == expected.count { !$0.isRead }, comment)
      #expect(snapshot.starred == expected.count { $0.isStarred }, comment)
      #expect(snapshot.isUnseen == expected.contains { $0.isUnseen }, comment)
      #expect(snapshot.canUndo == !model.journal.isEmpty, comment)
      for status in snapshot.sources {
        let own = expected.filter { $0.source == status.source.name }
        #expect(status.total == own.count && status.unread == own.count { !$0.isRead }, comment)
        #expect(status.isUnseen == own.contains { $0.isUnseen }, comment)
        let titles = try store.titles(InboxQuery(scope: .source(status.source.id), isUnreadOnly: true))
        #expect(titles == own.filter { !$0.isRead }.map(\.title).prefix(200).map { $0 }, comment)
      }
      let starred = try store.titles(InboxQuery(scope: .starred, isUnreadOnly: true))
      #expect(starred == expected.filter { $0.isStarred && !$0.isRead }.map(\.title), comment)
      let found = try store.titles(search: "w3 ")
      let matching = expected.filter { $0.title.contains("w3 ") }.map(\.title)
      #expect(found == Array(matching.prefix(200)), comment)
      if step % 10 == 9 { try store.expectConsistent(comment) }
    }
    try store.expectConsistent("seed \(seed)")
    #expect(try store.check.compareSearchIndex() == [])
    while try store.acts.undo(at: noon) != nil { try store.expectConsistent("seed \(seed)") }
  }
}

private struct Model {
  struct Item {
    var id: Int
    var source: String
    var remoteID: String
    var title: String
    var rank: Rank
    var published: Date?
    var received: Date
    var visibleFrom: Date?
    var expires: Date?
    var channel: String?
    var isDismissable: Bool
    var isRead = false
    var isStarred = false
    var isDismissed = false
    var isUnseen = false
  }

  struct Setting {
    var channels: [String]
    var isUnreadOnChange: Bool
  }

  struct Entry {
    var change: WritableKeyPath<Item, Bool>
    var ids: [Int]
    var was: Bool
  }

  var items: [Item] = []
  var settings: [(name: String, setting: Setting)] = []
  var polled: Set<String> = []
  var journal: [Entry] = []
  var now = noon
  private let names = ["a", "b", "c"]

  // MARK: - The lists

  func isShown(_ item: Item) -> Bool {
    guard let setting = allSettings[item.source] else { return false }
    if let channel = item.channel, !setting.channels.isEmpty, !setting.channels.contains(channel) {
      return false
    }
    if let visibleFrom = item.visibleFrom, visibleFrom > now { return false }
    if let expires = item.expires, expires <= now { return false }
    return true
  }

  /// The settings, including the last ones of sources that are no longer configured.
  var allSettings: [String: Setting] = [:]

  var listed: [Item] {
    items.filter { item in
      settings.contains { $0.name == item.source } && isShown(item) && !item.isDismissed
    }.sorted { sortKey($0) > sortKey($1) }
  }

  private func sortKey(_ item: Item) -> ListKey {
    let arrival = max(item.received, item.visibleFrom ?? item.received)
    let time = min(item.published ?? arrival, arrival)
    return ListKey(
      rank: item.rank, sortTime: time.milliseconds, id: MessageID(Int64(item.id)))
  }

  // MARK: - Operations

  mutating func randomOperation(on store: Store, _ generator: inout SeededRandom) throws -> String {
    if settings.isEmpty { return try register(on: store, &generator) }
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...7: return try poll(on: store, &generator)
    case 8...13: return try act(on: store, &generator)
    case 14: return try undo(on: store)
    case 15, 16: return try advance(on: store, &generator)
    case 17: return try register(on: store, &generator)
    case 18: return try markSeen(on: store, &generator)
    default: return try readAll(on: store, &generator)
    }
  }

  private mutating func register(on store: Store, _ generator: inout SeededRandom) throws -> String {
    let before = items.map { isShown($0) }
    settings = names.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)).map {
      name in
      let channels = ["general", "x", "y"].filter { _ in Bool.random(using: &generator) }
      return (name, Setting(channels: channels, isUnreadOnChange: name == "c"))
    }
    for (name, setting) in settings { allSettings[name] = setting }
    try store.sources.register(
      settings.map { name, setting in
        configured(name) {
          $0.channels = setting.channels
          $0.isUnreadOnChange = setting.isUnreadOnChange
        }
      }, at: now)
    settle(before)
    return "register \(settings)"
  }

  private mutating func poll(on store: Store, _ generator: inout SeededRandom) throws -> String {
    let (name, setting) = settings[Int.random(in: 0..<settings.count, using: &generator)]
    let source = try #require(try store.sources.statuses().first { $0.source.name == name }).source.id
    let count = Bool.random(using: &generator) ? Int.random(in: 0...4, using: &generator) : 30
    let sent = (0..<count).map { _ in randomMessage(&generator) }
    let before = items.map { isShown($0) }
    try store.poll(source, sent, at: now)
    settle(before)
    var last: [String: Int] = [:]
    for (position, message) in sent.enumerated() { last[message.remoteID.text] = position }
    let isFirst = polled.insert(name).inserted
    var fresh: [Int] = []
    for (position, message) in sent.enumerated() where last[message.remoteID.text] == position {
      if let index = items.firstIndex(where: { $0.source == name && $0.remoteID == message.remoteID.text }) {
        update(index, message, setting)
      } else {
        var item = Item(
          id: items.count + 1, source: name, remoteID: message.remoteID.text, title: message.title,
          rank: message.rank, published: message.published, received: now,
          visibleFrom: message.visibleFrom, expires: message.expires, channel: message.channel,
          isDismissable: message.isDismissable)
        item.isUnseen = isShown(item)
        items.append(item)
        fresh.append(items.count - 1)
      }
    }
    if isFirst {
      let shown = fresh.filter { isShown(items[$0]) }.sorted { sortKey(items[$0]) > sortKey(items[$1]) }
      for index in shown.dropFirst(20) {
        items[index].isRead = true
        items[index].isUnseen = false
      }
    }
    return "poll \(name) \(sent.count)"
  }

  private mutating func update(_ index: Int, _ message: IncomingMessage, _ setting: Setting) {
    let old = items[index]
    items[index].title = message.title
    items[index].rank = message.rank
    items[index].published = message.published
    items[index].visibleFrom = message.visibleFrom
    items[index].expires = message.expires
    items[index].channel = message.channel
    items[index].isDismissable = message.isDismissable
    let isChanged =
      old.title != message.title || old.rank != message.rank || old.published != message.published
      || old.visibleFrom != message.visibleFrom || old.expires != message.expires
      || old.channel != message.channel || old.isDismissable != message.isDismissable
    if isChanged, setting.isUnreadOnChange { items[index].isRead = false }
    if !isShown(items[index]) { items[index].isUnseen = false }
    if !isShown(old), isShown(items[index]), !items[index].isRead, !old.isDismissed {
      items[index].isUnseen = true
    }
  }

  private func randomMessage(_ generator: inout SeededRandom) -> IncomingMessage {
    func maybe<Value>(_ value: Value, _ generator: inout SeededRandom) -> Value? {
      Int.random(in: 0..<4, using: &generator) == 0 ? value : nil
    }
    func moment(_ generator: inout SeededRandom) -> Date {
      now + Double(Int.random(in: -20...20, using: &generator))
    }
    let id = Int.random(in: 1...60, using: &generator)
    var message = message("\(id)", "m\(id) w\(Int.random(in: 0...5, using: &generator)) 消息")
    // This is not a feed, whose ids are not always unique.
    message.kind = .native
    message.published = Bool.random(using: &generator) ? moment(&generator) : nil
    message.visibleFrom = maybe(moment(&generator), &generator)
    message.expires = maybe(moment(&generator), &generator)
    message.channel = maybe(["general", "x", "y"][Int.random(in: 0...2, using: &generator)], &generator)
    message.isDismissable = Int.random(in: 0..<5, using: &generator) > 0
    message.rank = maybe(.pinned, &generator) ?? .normal
    return message
  }

  private mutating func act(on store: Store, _ generator: inout SeededRandom) throws -> String {
    let ids = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
      Int.random(in: 1...max(1, items.count + 1), using: &generator)
    }
    let messages = ids.map { MessageID(Int64($0)) }
    let act: UserAct
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: (act, _) = (.read(messages), change(ids, \.isRead, to: true))
    case 1: (act, _) = (.unread(messages), change(ids, \.isRead, to: false))
    case 2: (act, _) = (.star(messages), change(ids, \.isStarred, to: true))
    case 3: (act, _) = (.unstar(messages), change(ids, \.isStarred, to: false))
    default:
      let dismissable = ids.filter { id in items.contains { $0.id == id && $0.isDismissable } }
      (act, _) = (.dismiss(messages), change(dismissable, \.isDismissed, to: true))
    }
    try store.acts.perform(act, at: now)
    return "\(act)"
  }

  private mutating func change(_ ids: [Int], _ path: WritableKeyPath<Item, Bool>, to value: Bool) {
    var changed: [Int] = []
    for id in ids where id <= items.count && items[id - 1][keyPath: path] != value {
      items[id - 1][keyPath: path] = value
      if items[id - 1].isRead || items[id - 1].isDismissed { items[id - 1].isUnseen = false }
      changed.append(id)
    }
    if !changed.isEmpty { journal.append(Entry(change: path, ids: changed, was: !value)) }
  }

  private mutating func undo(on store: Store) throws -> String {
    let undone = try store.acts.undo(at: now)
    #expect((undone == nil) == journal.isEmpty)
    guard let entry = journal.popLast() else { return "undo nothing" }
    for id in entry.ids {
      items[id - 1][keyPath: entry.change] = entry.was
      if items[id - 1].isRead { items[id - 1].isUnseen = false }
    }
    return "undo"
  }

  private mutating func readAll(on store: Store, _ generator: inout SeededRandom) throws -> String {
    let name = settings[Int.random(in: 0..<settings.count, using: &generator)].name
    let source = try #require(try store.sources.statuses().first { $0.source.name == name }).source.id
    let (query, matches): (InboxQuery, (Item) -> Bool) =
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: (InboxQuery(), { _ in true })
      case 1: (InboxQuery(scope: .starred), { $0.isStarred })
      case 2: (InboxQuery(scope: .source(source)), { $0.source == name })
      default: (InboxQuery(search: "w2 "), { $0.title.contains("w2 ") })
      }
    try store.acts.perform(.readAll(query), at: now)
    change(listed.filter { matches($0) && !$0.isRead }.map(\.id), \.isRead, to: true)
    return "readAll \(query)"
  }

  private mutating func advance(on store: Store, _ generator: inout SeededRandom) throws -> String {
    let before = items.map { isShown($0) }
    now += Double(Int.random(in: -10...25, using: &generator))
    let next = try store.time.advance(to: now)
    settle(before)
    let moments = items.flatMap { [$0.visibleFrom, $0.expires] }.compactMap { $0 }.filter { $0 > now }
    #expect(next == moments.min())
    return "advance \(now)"
  }

  private mutating func markSeen(on store: Store, _ generator: inout SeededRandom) throws -> String {
    let name = settings[Int.random(in: 0..<settings.count, using: &generator)].name
    let source = try #require(try store.sources.statuses().first { $0.source.name == name }).source.id
    let isAll = Bool.random(using: &generator)
    try store.acts.markSeen(isAll ? .all : .source(source))
    let configured = Set(settings.map(\.name))
    for index in items.indices
    where isAll ? configured.contains(items[index].source) : items[index].source == name {
      items[index].isUnseen = false
    }
    return "markSeen \(isAll ? "all" : name)"
  }

  /// Messages that appear are unseen; those that disappear are not.
  private mutating func settle(_ before: [Bool]) {
    for index in before.indices {
      let isShown = isShown(items[index])
      if before[index], !isShown { items[index].isUnseen = false }
      if !before[index], isShown, !items[index].isRead, !items[index].isDismissed {
        items[index].isUnseen = true
      }
    }
  }
}
