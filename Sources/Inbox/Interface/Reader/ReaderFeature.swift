package import Messages
import Screen
import Words

package enum ReaderAction: Hashable, Sendable {
  /// The response to `load`, with `nil` if the message does not exist. `including` is the last act that was written
  /// before the message was read from the store.
  indirect case loaded(MessageID, Message?, including: ActID = .none)
  /// The response to `layOut`, with the number of its request.
  case laidOut(Int, Page)
  /// The layout with this request number has already taken 200 ms and is not complete.
  case layingOut(Int)
}

package enum ReaderEffect: Hashable, Sendable {
  case load(MessageID)
  /// Requests a layout. The response is `laidOut`, after `layingOut` if it takes longer than 200 ms. A later request
  /// replaces an earlier one.
  indirect case layOut(PageRequest)
}

extension AppState {
  mutating func reduce(_ action: ReaderAction) -> [Effect] {
    switch action {
    case .loaded(let id, let message, let including): return apply(message, id, including: including)
    case .laidOut(let number, let page): shown.reader.apply(page, for: number)
    case .layingOut(let number): shown.reader.wait(for: number)
    }
    return []
  }

  // MARK: Opening

  /// Opens the selected message, or the first unread one of the selected row.
  ///
  /// - Parameter fromBelow: whether the user comes from a later row.
  mutating func openSelected(fromBelow: Bool = false) -> [Effect] {
    guard let row = shown.list.selectedRow else { return [] }
    return open(fromBelow ? row.openedFromBelow : row.opened)
  }

  mutating func open(_ row: MessageRow) -> [Effect] {
    setFocus(.reader)
    return read(row.id)
  }

  /// Whether the reader shows a message of the row that keys apply to.
  var isShowingTarget: Bool { shown.reader.subject.map { target?.standsFor($0) == true } ?? false }

  /// The message for a command that takes only one. If the selected row has several, it is the one on the screen: the
  /// reader's, or the one whose title the row shows. The user is not asked which one is meant, since keys that were
  /// typed ahead would answer that question.
  var single: MessageRow? {
    guard focus.pane == .messages, let row = target, !row.members.isEmpty else { return target }
    let inReader = layout.reader == nil ? nil : row.members.first { $0.id == shown.reader.subject }
    return inReader ?? row.named
  }

  /// Opens a message and marks it read: immediately if it is loaded, otherwise when it arrives.
  mutating func read(_ id: MessageID) -> [Effect] {
    if shown.reader.subject == id, shown.reader.isComplete { return markRead(id) }
    shown.reader.expect(id)
    shown.reader.readOnArrival()
    return load(id)
  }

  /// Loads a message. A welcome message is not in the store, and is shown immediately.
  mutating func load(_ id: MessageID) -> [Effect] {
    guard id.isWelcome else { return [.reader(.load(id))] }
    return apply(
      Welcome(options: options, now: now).message(id, read: shown.readWelcome), id, including: .none)
  }

  private mutating func apply(_ message: Message?, _ id: MessageID, including: ActID) -> [Effect] {
    guard shown.reader.subject == id else { return [] }
    // The message doesn't contain later acts, and those are no longer pending.
    guard id.isWelcome || including >= pending.acts.confirmed else { return load(id) }
    guard let message else {
      let wasRead = focus.pane == .reader
      shown.reader.clear()
      pending.link = nil
      if wasRead {
        setFocus(.messages)
        report(words(.messageGone), .warning)
      }
      return []
    }
    let reads = shown.reader.apply(message, including: including, pending.acts)
    return reads ? markRead(id) : []
  }

  mutating func markRead(_ id: MessageID) -> [Effect] {
    let row = shown.list.loaded.first { $0.id == id }
    let isUnread = row?.isUnread ?? (shown.reader.message?.id == id && shown.reader.message?.isUnread == true)
    guard isUnread else { return [] }
    guard !id.isWelcome else {
      shown.readWelcome.insert(id)
      shown.reader.readWelcome()
      showWelcome(selecting: shown.list.selectedRow?.id)
      return []
    }
    shown.list.hold(id, unread: false, leaves: showsUnreadOnly)
    return [act(.read([id]))]
  }

  // MARK: Reading on

  /// Handles the single key for reading everything: opens a message, scrolls by pages, and continues with the next
  /// unread message.
  mutating func readOn() -> [Effect] {
    switch focus.pane {
    case .sources: return choose(shown.sources.scope)
    case .messages:
      let isRead =
        layout.reader != nil && shown.reader.isComplete && isShowingTarget
      guard isRead, shown.list.selectedRow?.isUnread == false else { return openSelected() }
      setFocus(.reader)
      return readOn()
    case .reader:
      let visible = layout.rows(of: .reader)
      guard shown.reader.isAtEnd(visible: visible) else {
        shown.reader.scroll(by: max(1, visible - 1))
        return []
      }
      return nextUnread(forward: true, opens: true)
    case .timeline: return []
    }
  }

  /// Selects the next unread message in one direction, and opens it if `opens` is `true`. If the list has none, reading
  /// continues in the next source.
  mutating func nextUnread(forward: Bool, opens: Bool) -> [Effect] {
    if focus.pane == .sources { setFocus(.messages) }
    if opens, let row = unreadInRow(forward: forward) { return open(row) }
    if let index = shown.list.unreadIndex(forward: forward) {
      shown.list.select(index)
      return opens ? openSelected(fromBelow: !forward) : []
    }
    let hasMore = forward ? shown.list.hasMoreAfter : shown.list.hasMoreBefore
    if hasMore, let edge = forward ? shown.list.loaded.last : shown.list.loaded.first {
      return [findUnread(from: edge.key, forward: forward, opens: opens)]
    }
    return leaveReadList(forward: forward, opens: opens)
  }

  /// Returns the next unread message of the selected row, which represents several messages, one of them being read.
  func unreadInRow(forward: Bool) -> MessageRow? {
    guard let subject = shown.reader.subject, let row = shown.list.selectedRow else { return nil }
    return forward
      ? row.members(after: subject).first(where: \.isUnread)
      : row.members(before: subject).last(where: \.isUnread)
  }

  /// Leaves a list without unread messages in this direction: from the list of a source or a folder, reading continues
  /// in the next source.
  private mutating func leaveReadList(forward: Bool, opens: Bool) -> [Effect] {
    let own = shown.sources.sources(in: shown.list.query.scope)
    let last = shown.sources.tree.sources.last { own?.contains($0) ?? false }
    guard forward, let last, shown.list.query.search == nil,
      let next = shown.sources.next(
        from: .source(last), forward: true, where: { $0.unread > 0 && !isShown($0.source.id) })
    else {
      sayNoUnread(forward: forward)
      return []
    }
    let effects = show(query(of: .source(next)))
    return effects + [findUnread(from: .beforeAll, forward: true, opens: opens), .polling(.refresh([next]))]
  }

  private mutating func findUnread(from key: ListKey, forward: Bool, opens: Bool) -> Effect {
    let request = pending.ask()
    pending.unreadSearch = UnreadSearch(request: request, isForward: forward, opens: opens)
    return .search(.findUnread(shown.list.query, from: key, forward: forward, request))
  }

  /// Shows the unread message that the store found; `key` is its position, or `nil` if there is none.
  mutating func applyUnread(_ request: RequestID, _ key: ListKey?) -> [Effect] {
    guard let search = pending.unreadSearch, search.request == request else { return [] }
    pending.unreadSearch = nil
    guard let key else { return leaveReadList(forward: search.isForward, opens: search.opens) }
    let window = InboxWindow(anchor: .key(key), before: MessageList.chunk, after: MessageList.chunk)
    shown.list.ask(for: window, .message(key, opens: search.opens))
    return [loading]
  }

  private mutating func sayNoUnread(forward: Bool) {
    let phrase: Phrase = counts.unread == 0 ? .noUnreadAtAll : forward ? .noUnreadBelow : .noUnreadAbove
    report(words(phrase))
  }
}
