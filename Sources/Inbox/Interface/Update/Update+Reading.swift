import Markup
import Messages
import Screen
import Words

extension AppState {
  // MARK: Opening

  /// Opens the selected message, or the first unread one that the selected row stands for.
  mutating func openSelected(fromBelow: Bool = false) -> [Effect] {
    guard let row = shown.list.selectedRow else { return [] }
    return open(fromBelow ? row.openedFromBelow : row.opened)
  }

  mutating func open(_ row: MessageRow) -> [Effect] {
    setFocus(.reader)
    return read(row.id)
  }

  /// Whether the reader has a message of the row that keys act on.
  var isShowingTarget: Bool { shown.reader.subject.map { target?.standsFor($0) == true } ?? false }

  /// The message for a command that takes only one. If the selected row stands for several, the one on the screen: the
  /// reader's, or the one whose title the row has. A question would turn letters that were typed ahead into commands.
  var single: MessageRow? {
    guard focus.pane == .messages, let row = target, !row.members.isEmpty else { return target }
    let inReader = layout.reader == nil ? nil : row.members.first { $0.id == shown.reader.subject }
    return inReader ?? row.named
  }

  /// Opening marks read: at once if the message is loaded, else when it arrives.
  mutating func read(_ id: MessageID) -> [Effect] {
    if shown.reader.subject == id, shown.reader.isComplete { return markRead(id) }
    shown.reader.expect(id)
    shown.reader.readOnArrival()
    return load(id)
  }

  /// Loads a message; one of the welcome is not in the store.
  mutating func load(_ id: MessageID) -> [Effect] {
    guard id.isWelcome else { return [.loadMessage(id)] }
    return apply(
      Welcome(options: options, now: now).message(id, read: shown.readWelcome), id, including: .none)
  }

  mutating func apply(_ message: Message?, _ id: MessageID, including: ActID) -> [Effect] {
    guard shown.reader.subject == id else { return [] }
    // It doesn't contain later acts, and those are not pending any more.
    guard id.isWelcome || including >= pending.acts.confirmed else { return load(id) }
    guard let message else {
      let wasRead = focus.pane == .reader
      shown.reader.clear()
      pending.link = nil
      if wasRead {
        setFocus(.messages)
        statusLine.toast = Toast(words(.messageGone), .warning)
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

  /// One key to read everything: open, page by page, on to the next unread message.
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

  /// The next unread message of the row whose message is being read.
  func unreadInRow(forward: Bool) -> MessageRow? {
    guard let subject = shown.reader.subject, let row = shown.list.selectedRow else { return nil }
    return forward
      ? row.members(after: subject).first(where: \.isUnread)
      : row.members(before: subject).last(where: \.isUnread)
  }

  /// No unread message is left in this direction: from the list of a source or a folder it goes on in the next source.
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
    let query = InboxQuery(
      scope: .source(next), isUnreadOnly: shown.list.query.isUnreadOnly, order: shown.list.query.order)
    let effects = show(query)
    return effects + [findUnread(from: .beforeAll, forward: true, opens: opens), .refresh([next])]
  }

  private mutating func findUnread(from key: ListKey, forward: Bool, opens: Bool) -> Effect {
    let request = pending.ask()
    pending.unreadSearch = UnreadSearch(request: request, isForward: forward, opens: opens)
    return .findUnread(shown.list.query, from: key, forward: forward, request)
  }

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
    statusLine.toast = Toast(words(phrase))
  }

  // MARK: Links

  private mutating func copy(_ text: String) -> Effect {
    let request = pending.ask()
    pending.copy = request
    return .copy(text, request)
  }

  /// - Parameter isSent: whether the terminal was asked to copy.
  mutating func applyCopied(_ text: String, isSent: Bool, _ request: RequestID) {
    let isAwaited = pending.copy == request
    if isAwaited { pending.copy = nil }
    if isSent {
      statusLine.toast = Toast(words(.copied, SafeText(untrusted: text)))
    } else if isAwaited {
      dialog.overlay = .address(text)
    } else {
      sayTooLate()
    }
  }

  mutating func withLink(_ use: PendingLink.Use, number: Int?) -> [Effect] {
    guard let row = single else { return [] }
    if shown.reader.message?.id == row.id, !shown.reader.isWaiting { return self.use(use, number: number) }
    pending.link = PendingLink(message: row.id, use: use, number: number)
    guard shown.reader.message?.id != row.id else { return [] }
    shown.reader.expect(row.id)
    return load(row.id)
  }

  /// Uses a link that was asked for before the message was loaded or laid out.
  mutating func usePendingLink() -> [Effect] {
    guard let link = pending.link, shown.reader.message?.id == link.message, !shown.reader.isWaiting else {
      return []
    }
    pending.link = nil
    return use(link.use, number: link.number)
  }

  private mutating func use(_ use: PendingLink.Use, number: Int?) -> [Effect] {
    if let number, shown.reader.address(number) == nil {
      statusLine.toast = Toast(words(.noSuchLink, "\(number)"), .warning)
      return []
    }
    guard let address = shown.reader.address(number) else {
      let own = shown.reader.message?.content.url.map { words(.linkRefused, SafeText(untrusted: $0)) }
      statusLine.toast = Toast(own ?? words(.noLink), .warning)
      return []
    }
    switch use {
    case .copy: return [copy(address)]
    case .run(let template):
      let id = shown.reader.message?.id
      let row = shown.list.loaded.first { $0.id == id } ?? shown.reader.message.map(MessageRow.init)
      return start(template, address: address, of: row)
    case .open: return openLink(address)
    }
  }

  /// Shows an address and opens it; one inside reddot is shown here.
  mutating func openLink(_ address: String, isOfMessage: Bool = true) -> [Effect] {
    guard let openable = OpenableAddress(address) else {
      statusLine.toast = Toast(words(.linkRefused, SafeText(untrusted: address)), .warning)
      return []
    }
    switch openable.place {
    case .outside:
      sayRunning(words(.opening, SafeText(untrusted: openable.text)), [openable.text])
      // Opening a message's link marks it read.
      let read = isOfMessage ? shown.reader.message.map { markRead($0.id) } ?? [] : []
      let enclosures = isOfMessage ? shown.reader.message?.content.extras?.enclosures ?? [] : []
      let isEnclosure = enclosures.contains { $0.webAddress == openable.text }
      return read + [isEnclosure ? .openEnclosure(openable.text) : .openLink(openable.text)]
    case .source(let name):
      guard let status = shown.sources.statuses.first(where: { $0.source.name == name }) else {
        statusLine.toast = Toast(words(.sourceUnknown, SafeText(untrusted: name)), .warning)
        return []
      }
      return choose(.source(status.source.id))
    case .action(let index): return ask(action: index)
    case .pane: return shown.reader.message.map { [.goToPane($0.id)] } ?? []
    case .message(let id):
      guard id > 0 else { return [] }
      setFocus(.reader)
      return read(MessageID(id))
    }
  }
}
