import Markup
import Messages
import Screen

extension AppState {
  // MARK: Opening

  /// Reads the selected message.
  mutating func openSelected() -> [Effect] {
    guard let row = list.selectedRow else { return [] }
    setFocus(.reader)
    return read(row.id)
  }

  /// Opening reads: at once what is here already, else when it arrives.
  mutating func read(_ id: MessageID) -> [Effect] {
    if reader.message?.id == id {
      reader.expect(id)
      return markRead(id)
    }
    reader.expect(id)
    reader.readOnArrival()
    return load(id)
  }

  /// Asks for a message; one of the welcome is here already.
  mutating func load(_ id: MessageID) -> [Effect] {
    guard id.isWelcome else { return [.loadMessage(id)] }
    return take(Welcome(options: options, now: now).message(id, read: readWelcome), id, including: .none)
  }

  mutating func take(_ message: Message?, _ id: MessageID, including: ActID) -> [Effect] {
    guard reader.subject == id else { return [] }
    // What was done since is not in it, and nothing remembers any more what that was.
    guard id.isWelcome || including >= pending.settled else { return load(id) }
    guard let message else {
      let wasRead = focus == .reader
      reader.clear()
      link = nil
      if wasRead {
        setFocus(.messages)
        toast = Toast(words(.messageGone), .warning)
      }
      return []
    }
    let reads = reader.take(message, including: including, pending)
    return reads ? markRead(id) : []
  }

  mutating func markRead(_ id: MessageID) -> [Effect] {
    let row = list.rows.first { $0.id == id }
    let isUnread = row?.isUnread ?? (reader.message?.id == id && reader.message?.isUnread == true)
    guard isUnread else { return [] }
    guard !id.isWelcome else {
      readWelcome.insert(id)
      reader.readWelcome()
      showWelcome(selecting: list.selectedRow?.id)
      return []
    }
    list.hold(id, unread: false)
    return [act(.read([id]))]
  }

  // MARK: Reading on

  /// One key to read everything: open, page by page, on to the next unread message.
  mutating func readOn() -> [Effect] {
    switch focus {
    case .sources: return choose(sources.scope)
    case .messages:
      let isRead = layout.reader != nil && reader.isComplete && reader.subject == list.selectedRow?.id
      guard isRead, list.selectedRow?.isUnread == false else { return openSelected() }
      setFocus(.reader)
      return readOn()
    case .reader:
      let visible = layout.rows(of: .reader)
      guard reader.isAtEnd(visible: visible) else {
        reader.scroll(by: max(1, visible - 1))
        return []
      }
      return nextUnread(forward: true, opens: true)
    case .timeline: return []
    }
  }

  mutating func nextUnread(forward: Bool, opens: Bool) -> [Effect] {
    if focus == .sources { setFocus(.messages) }
    if let index = list.unreadIndex(forward: forward) {
      list.select(index)
      return opens ? openSelected() : []
    }
    let hasMore = forward ? list.hasMoreAfter : list.hasMoreBefore
    if hasMore, let edge = forward ? list.rows.last : list.rows.first {
      seeking = Seek(isForward: forward, opens: opens)
      return [.findUnread(list.query, from: edge.key, forward: forward)]
    }
    sayNoUnread(forward: forward)
    return []
  }

  mutating func takeUnread(_ query: InboxQuery, _ key: ListKey?) -> [Effect] {
    guard query == list.query, let seek = seeking else { return [] }
    seeking = nil
    guard let key else {
      sayNoUnread(forward: seek.isForward)
      return []
    }
    let window = InboxWindow(anchor: .key(key), before: MessageList.chunk, after: MessageList.chunk)
    list.ask(for: window, .message(key, opens: seek.opens))
    return [loading]
  }

  private mutating func sayNoUnread(forward: Bool) {
    let phrase: Phrase = unread == 0 ? .noUnreadAtAll : forward ? .noUnreadBelow : .noUnreadAbove
    toast = Toast(words(phrase))
  }

  // MARK: Links

  enum LinkUse: Hashable, Sendable {
    case open, copy
  }

  /// A link of a message that must be loaded first, to know which it has.
  struct LinkWish: Hashable, Sendable {
    var message: MessageID
    var use: LinkUse
    var number: Int?
  }

  mutating func withLink(_ use: LinkUse, number: Int?) -> [Effect] {
    guard let row = target else { return [] }
    if reader.message?.id == row.id, !reader.isWaiting { return self.use(use, number: number) }
    link = LinkWish(message: row.id, use: use, number: number)
    guard reader.message?.id != row.id else { return [] }
    reader.expect(row.id)
    return load(row.id)
  }

  /// Uses a link that was asked for before the message was here, or laid out.
  mutating func useWish() -> [Effect] {
    guard let link, reader.message?.id == link.message, !reader.isWaiting else { return [] }
    self.link = nil
    return use(link.use, number: link.number)
  }

  private mutating func use(_ use: LinkUse, number: Int?) -> [Effect] {
    if let number, reader.address(number) == nil {
      toast = Toast(words(.noSuchLink, "\(number)"), .warning)
      return []
    }
    guard let address = reader.address(number) else {
      let own = reader.message?.content.url.map { words(.linkRefused, SafeText(untrusted: $0)) }
      toast = Toast(own ?? words(.noLink), .warning)
      return []
    }
    switch use {
    case .copy: return [.copy(address)]
    case .open:
      let others = reader.links.filter { $0.url != address }
      guard number == nil, !others.isEmpty else { return openLink(address) }
      prompt = .link(LineEditor())
      return []
    }
  }

  /// Opens an address after showing it; one inside reddot is gone to.
  mutating func openLink(_ address: String, isOfMessage: Bool = true) -> [Effect] {
    guard let openable = OpenableAddress(address) else {
      toast = Toast(words(.linkRefused, SafeText(untrusted: address)), .warning)
      return []
    }
    switch openable.place {
    case .outside:
      toast = Toast(words(.opening, SafeText(untrusted: openable.text)))
      // Who opens a message's link has read it.
      let read = isOfMessage ? reader.message.map { markRead($0.id) } ?? [] : []
      return read + [.openLink(openable.text)]
    case .source(let name):
      guard let status = sources.statuses.first(where: { $0.source.name == name }) else {
        toast = Toast(words(.sourceUnknown, SafeText(untrusted: name)), .warning)
        return []
      }
      return choose(.source(status.source.id))
    case .message(let id):
      guard id > 0 else { return [] }
      setFocus(.reader)
      return read(MessageID(id))
    }
  }
}
