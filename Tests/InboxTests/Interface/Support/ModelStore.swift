import Foundation
import Messages

/// A simple model of the store, for tests of whole sessions.
struct ModelStore {
  var messages: [Message] = []
  var sources: [SourceStatus] = []
  /// Saved lists; the query of one is a part of titles.
  var lists: [SavedListStatus] = []
  var seenAt: Set<SourceID> = []
  /// Messages of sources whose lists were not viewed since.
  var unseen: Set<MessageID> = []
  private var undos: [(messages: [Message], sources: [SourceStatus], lists: [SavedListStatus])] = []
  private var undone: [UserAct] = []
  /// Edits of the settings that the next undos find, before all acts here.
  var edits: [SettingsAct] = []

  static let start = Date(timeIntervalSince1970: 1_795_183_200)  // 2026-11-20 14:00 UTC, a Friday

  mutating func addSource(
    _ name: String, title: String? = nil, kind: SourceKind = .feed, in folder: String? = nil
  ) {
    let id = SourceID(Int64(sources.count + 1))
    let address = kind == .local ? "" : "https://\(name).example/feed"
    var source = Source(id: id, name: name, kind: kind, address: address)
    source.folder = folder.flatMap(Folder.init)
    sources.append(
      SourceStatus(
        source: source, title: title ?? name,
        isUnseen: false,
        unread: 0, total: 0))
  }

  /// Adds a message, `age` seconds before the start of all tests.
  @discardableResult
  mutating func add(
    _ title: String, source: Int64 = 1, age: TimeInterval, unread: Bool = true, body: String = "",
    change: (inout Message) -> Void = { _ in }
  ) -> MessageID {
    let id = MessageID(Int64(messages.count + 1))
    var content = IncomingMessage(remoteID: RemoteID("\(id.rawValue)"), kind: .feed, title: title, body: body)
    content.published = Self.start - age
    var message = Message(
      id: id, source: SourceID(source), sourceName: "source\(source)", content: content,
      received: Self.start - age, isUnread: unread, isStarred: false, isDismissed: false)
    change(&message)
    messages.append(message)
    if let index = sources.firstIndex(where: { $0.source.id == message.source }) {
      sources[index].isUnseen = true
    }
    return id
  }

  /// Adds messages above and below all others, with separate addresses.
  mutating func addNeighbours() {
    addSource("neighbours", title: "Neighbours")
    let ages = messages.map { Self.start.timeIntervalSince($0.time) }
    let source = Int64(sources.count)
    for (number, age) in [
      (ages.min() ?? 0) - 2, (ages.min() ?? 0) - 1, (ages.max() ?? 0) + 1, (ages.max() ?? 0) + 2,
    ]
    .enumerated() {
      add("Neighbour \(number)", source: source, age: age, body: "Nothing of interest") {
        $0.content.url = "https://neighbour.example/\(number)"
      }
    }
  }

  func row(_ message: Message) -> MessageRow {
    let time = message.time
    var row = MessageRow(
      key: ListKey(
        rank: message.content.rank, sortTime: Int64(time.timeIntervalSince1970 * 1000), id: message.id
      ),
      source: message.source, kind: message.content.kind, title: message.content.title,
      isUnread: message.isUnread, isStarred: message.isStarred,
      isDismissable: message.content.isDismissable, priority: message.content.priority,
      group: message.content.extras?.group,
      channel: message.content.kind == .service ? message.content.channel : nil,
      otherSources: message.otherSources)
    row.question = message.question
    return row
  }

  func rows(_ query: InboxQuery) -> [MessageRow] {
    messages.filter { message in
      if message.isDismissed != (query.scope == .dismissed) || query.isUnreadOnly && !message.isUnread {
        return false
      }
      let search = query.search?.trimmingCharacters(in: .whitespaces).lowercased()
      if let search, !message.content.title.lowercased().contains(search) { return false }
      switch query.scope {
      case .all: return true
      case .starred: return message.isStarred
      case .dismissed: return true
      case .snoozed, .hidden: return false
      case .waiting: return message.question?.isOpen == true
      case .list(let id):
        guard let words = lists.first(where: { $0.id == id })?.list.query else { return false }
        let title = message.content.title.lowercased()
        let isUnread = words.hasPrefix("is:unread ")
        return (!isUnread || message.isUnread)
          && title.contains(words.lowercased().replacing("is:unread ", with: ""))
      case .source(let id): return message.source == id
      case .folder(let folder):
        return sources.contains {
          $0.source.id == message.source && folder.contains($0.source.folder)
        }
      }
    }.map { message in
      var row = self.row(message)
      let isBySource = query.order == .source && query.scope == .all && query.search == nil
      if isBySource { row.key.group = row.source.rawValue }
      let isByPriority = query.order == .priority && !query.scope.isOutOfInbox && query.search == nil
      if isByPriority { row.key.group = -Int64(row.priority.rawValue) }
      return row
    }.sorted { query.isBefore($0.key, $1.key) }
  }

  func snapshot(_ query: InboxQuery, _ window: InboxWindow) -> InboxSnapshot {
    let all = rows(query)
    let place: Int
    switch window.anchor {
    case .start: place = 0
    case .end: place = max(0, all.count - 1)
    case .key(let key): place = all.firstIndex { !query.isBefore($0.key, key) } ?? all.count
    }
    let first = max(0, place - window.before)
    let last = max(first, min(all.count, place + window.after))
    let statuses = sources.map { status in
      var status = status
      let own = messages.filter { $0.source == status.source.id && !$0.isDismissed }
      status.unread = own.count { $0.isUnread }
      status.total = own.count
      return status
    }
    var snapshot = InboxSnapshot(
      query: query, window: window, rows: Array(all[first..<last]), hasMoreBefore: first > 0,
      hasMoreAfter: last < all.count, sources: statuses, unread: statuses.reduce(0) { $0 + $1.unread },
      total: statuses.reduce(0) { $0 + $1.total },
      starred: messages.count { $0.isStarred && !$0.isDismissed },
      isUnseen: sources.contains(where: \.isUnseen), newest: messages.map(\.id).max() ?? MessageID(0),
      canUndo: !undos.isEmpty)
    snapshot.lists = lists.map { status in
      var status = status
      let isCounted = status.unread != nil
      status.unread = isCounted ? rows(InboxQuery(scope: .list(status.id), isUnreadOnly: true)).count : nil
      return status
    }
    switch query.scope {
    case _ where query.search != nil: break
    case .dismissed: break
    case .waiting: snapshot.count = query.isUnreadOnly ? nil : all.count
    case .list: snapshot.count = query.isUnreadOnly ? all.count : nil
    case .all, .starred, .source, .folder, .snoozed, .hidden: snapshot.count = all.count
    }
    let times = all.filter { $0.key.rank == .normal }.map(\.key.sortTime)
    if first > 0, [.newest, .oldest].contains(query.order), query.search == nil, let oldest = times.min(),
      let newest = times.max()
    {
      snapshot.times = oldest...newest
    }
    snapshot.unseen = unseen
    snapshot.waiting = messages.count { $0.question?.isOpen == true }
    snapshot.hasDismissed = messages.contains(where: \.isDismissed)
    return snapshot
  }

  func message(_ id: MessageID) -> Message? { messages.first { $0.id == id } }

  func nextUnread(_ query: InboxQuery, from key: ListKey, forward: Bool) -> ListKey? {
    let unread = rows(query).filter(\.isUnread)
    return forward
      ? unread.first { query.isBefore(key, $0.key) }?.key : unread.last { query.isBefore($0.key, key) }?.key
  }

  /// - Returns: the number of changed messages.
  @discardableResult
  mutating func perform(_ act: UserAct) -> Int {
    let before = messages
    let ids =
      act.list.map { rows($0).map(\.id).filter { $0 <= act.newest ?? $0 } } ?? ids(act.messages)
    // One step with the act before.
    if let joined = act.joined, let last = undone.last, last.kind == act.kind, last.messages.ids == [joined] {
      undone[undone.count - 1].messages.ids += ids
    } else {
      undos.append((before, sources, lists))
      undone.append(act)
      undone[undone.count - 1].messages = MessageSelection(ids)
    }
    let meant = Set(ids)
    for index in messages.indices where meant.contains(messages[index].id) {
      switch act.kind {
      case .read, .readAll: messages[index].isUnread = false
      case .unread: messages[index].isUnread = true
      case .star: messages[index].isStarred = true
      case .unstar: messages[index].isStarred = false
      case .undismiss: messages[index].isDismissed = false
      case .dismiss, .snooze: messages[index].isDismissed = messages[index].content.isDismissable
      case .rule, .settings: break
      }
    }
    return zip(before, messages).count { $0 != $1 }
  }

  private func ids(_ selection: MessageSelection) -> [MessageID] {
    let parts = selection.parts.flatMap { part in
      rows(part.query).filter { part.contains($0.key) }.prefix(part.limit ?? .max).map(\.id)
    }
    return Array(Set(selection.ids).union(Set(parts).subtracting(selection.except))).sorted()
  }

  mutating func undo() -> UserAct? {
    if !edits.isEmpty { return .settings(edits.removeFirst()) }
    guard let before = undos.popLast(), let act = undone.popLast() else { return nil }
    if act.kind == .settings {
      (sources, lists) = (before.sources, before.lists)
    } else {
      messages = before.messages
    }
    return act
  }

  /// - Returns: `false` if it is not there.
  mutating func remove(_ scope: InboxQuery.Scope) -> Bool {
    let before = (messages, sources, lists)
    let title: String
    if let place = sources.firstIndex(where: { .source($0.source.id) == scope }) {
      title = sources.remove(at: place).title ?? ""
    } else if let place = lists.firstIndex(where: { .list($0.id) == scope }) {
      title = lists.remove(at: place).list.name
    } else {
      return false
    }
    undos.append(before)
    undone.append(.settings(SettingsAct(.removed, title)))
    return true
  }

  mutating func markSeen(_ scope: InboxQuery.Scope) {
    for index in sources.indices {
      switch scope {
      case .all: sources[index].isUnseen = false
      case .starred, .snoozed, .dismissed, .hidden, .waiting: break
      case .list(let id):
        for index in lists.indices where lists[index].id == id { lists[index].isUnseen = false }
      case .folder(let folder):
        if folder.contains(sources[index].source.folder) { sources[index].isUnseen = false }
      case .source(let id): if sources[index].source.id == id { sources[index].isUnseen = false }
      }
    }
  }
}
