import Markup
package import Messages
import Screen
import Words

package enum LinkAction: Hashable, Sendable {
  /// The response to `findAddresses`: the messages with a URL.
  case addressesFound(RequestID, [MessageID: String])
  /// The program for links has exited, and did not fail soon after its start.
  case opened(address: String)
  /// The program for links could not be started, or failed soon; `reason` is a clause.
  case failed(address: String, reason: String)
  /// The response to `copy`: whether the request was sent. The terminal does not report whether it copied.
  case copied(RequestID, String, isSent: Bool)
  /// The response to `goToPane`, with its result.
  case wentToPane(MessageID, PaneAnswer)
  /// An action of a message was performed, or waits to be sent to its service; or it failed.
  case actionEnded(MessageAction, FetchFailure?)
}

package enum LinkEffect: Hashable, Sendable {
  /// Finds the URLs of these messages.
  case findAddresses([MessageID], RequestID)
  /// Opens an http, https or mailto URL, which is passed to the opener as one argument. The response is `opened` or
  /// `failed`.
  case open(String)
  /// Opens a recording, a video or a file of a message. The response is `opened` or `failed`.
  case openEnclosure(String)
  /// Copies to the clipboard (OSC 52). The immediate response is `copied`.
  case copy(String, RequestID)
  /// Shows the terminal's pane, for example of tmux, that a message comes from. The response is `wentToPane`.
  case goToPane(MessageID)
  /// Sends the request of an action, or has the message's service perform it. The response is `actionEnded`.
  case perform(MessageAction, of: MessageID)
}

/// The URLs in a message, the pane that it comes from, and its actions.
extension AppState {
  mutating func reduce(_ action: LinkAction) -> [Effect] {
    switch action {
    case .addressesFound(let request, let addresses): return open(addresses, request)
    case .opened(let address): runningEnded(address)
    case .failed(let address, let reason):
      report(words(.linkFailed, SafeText(untrusted: address), SafeText(untrusted: reason)), .failure)
    case .copied(let request, let address, let isSent): applyCopied(address, isSent: isSent, request)
    case .wentToPane(let message, let answer): return wentToPane(of: message, answer)
    case .actionEnded(let action, let failure):
      let label = SafeText(untrusted: action.label)
      statusLine.toast =
        failure.map { Toast(words(.actionFailed, label, words.sentence($0)), .failure) }
        ?? Toast(words(action.upstream == nil ? .actionSent : .actionQueued, label))
    }
    return []
  }

  /// Performs a command for links, text and panes; returns `nil` for any other command.
  mutating func performLinks(_ command: Command, count: Int?) -> [Effect]? {
    if let effects = performInLinks(command) { return effects }
    switch command {
    case .openLink:
      if count == nil, let effects = openMarked() { return effects }
      return withLink(.open, number: count)
    case .copyLink: return withLink(.copy, number: count)
    case .copyText: return withLink(.copyText, number: nil)
    case .links: return withLink(.list, number: nil)
    case .mute: return withLink(.mute, number: nil)
    case .goToPane: return single.map { [.links(.goToPane($0.id))] } ?? []
    case _: return nil
    }
  }

  private mutating func copy(_ text: String) -> Effect {
    let request = pending.ask()
    pending.copy = request
    return .links(.copy(text, request))
  }

  /// - Parameter isSent: whether the terminal got the request to copy.
  private mutating func applyCopied(_ text: String, isSent: Bool, _ request: RequestID) {
    let isAwaited = pending.copy == request
    if isAwaited { pending.copy = nil }
    if isSent {
      // A URL has no line ends.
      let isText = text.contains(where: \.isNewline)
      report(isText ? words(.copiedText) : words(.copied, SafeText(untrusted: text)))
    } else if isAwaited {
      dialog.show(.address(text))
    } else {
      sayTooLate()
    }
  }

  /// Uses a link of the selected message now, or once the message is loaded.
  mutating func withLink(_ use: PendingLink.Use, number: Int?) -> [Effect] {
    guard let row = single else { return [] }
    if shown.reader.message?.id == row.id, !shown.reader.isWaiting { return self.use(use, number: number) }
    pending.link = PendingLink(message: row.id, use: use, number: number)
    guard shown.reader.message?.id != row.id else { return [] }
    shown.reader.expect(row.id)
    return load(row.id)
  }

  /// Uses a link that was requested before the message was loaded or laid out.
  mutating func usePendingLink() -> [Effect] {
    guard let link = pending.link, shown.reader.message?.id == link.message, !shown.reader.isWaiting else {
      return []
    }
    pending.link = nil
    return use(link.use, number: link.number)
  }

  private mutating func use(_ use: PendingLink.Use, number: Int?) -> [Effect] {
    switch use {
    case .copyText: return shown.reader.text(words).map { [copy($0)] } ?? []
    case .list: return listLinks()
    case .mute: return askToMute()
    case .open, .copy, .run: break
    }
    if let number, shown.reader.address(number) == nil {
      return report(words(.noSuchLink, "\(number)"), .warning)
    }
    guard let address = shown.reader.address(number) else {
      let own = shown.reader.message?.content.url.map { words(.linkRefused, SafeText(untrusted: $0)) }
      return report(own ?? words(.noLink), .warning)
    }
    switch use {
    case .copy: return [copy(address)]
    case .run(let template):
      let id = shown.reader.message?.id
      let row = shown.list.loaded.first { $0.id == id } ?? shown.reader.message.map(MessageRow.init)
      return start(template, address: address, of: row)
    case .open: return openLink(address)
    case .copyText, .list, .mute: return []
    }
  }

  /// Asks for confirmation of the action that mutes the message's thread at its service.
  private mutating func askToMute() -> [Effect] {
    let actions = shown.reader.message?.content.extras?.actions ?? []
    guard let index = actions.firstIndex(where: { $0.upstream == MessageAction.mute }) else {
      return report(words(.muteNone), .warning)
    }
    return ask(action: index)
  }

  /// Shows a URL and opens it in the program for links. A link inside reddot is shown in the inbox instead.
  ///
  /// - Parameter isOfMessage: whether the link belongs to the message on screen, which is marked read then.
  mutating func openLink(_ address: String, isOfMessage: Bool = true) -> [Effect] {
    guard let openable = OpenableAddress(address) else {
      return report(words(.linkRefused, SafeText(untrusted: address)), .warning)
    }
    switch openable.place {
    case .outside:
      sayRunning(words(.opening, SafeText(untrusted: openable.text)), [openable.text])
      // Opening a message's link marks the message read.
      let read = isOfMessage ? shown.reader.message.map { markRead($0.id) } ?? [] : []
      let enclosures = isOfMessage ? shown.reader.message?.content.extras?.enclosures ?? [] : []
      let isEnclosure = enclosures.contains { $0.webAddress == openable.text }
      return read + [isEnclosure ? .links(.openEnclosure(openable.text)) : .links(.open(openable.text))]
    case .source(let name):
      guard let status = shown.sources.statuses.first(where: { $0.source.name == name }) else {
        return report(words(.sourceUnknown, SafeText(untrusted: name)), .warning)
      }
      return choose(.source(status.source.id))
    case .action(let index): return ask(action: index)
    case .pane: return shown.reader.message.map { [.links(.goToPane($0.id))] } ?? []
    case .message(let id):
      guard id > 0 else { return [] }
      setFocus(.reader)
      return read(MessageID(id))
    }
  }

  // MARK: The page of links

  private mutating func listLinks() -> [Effect] {
    guard let page = shown.reader.linksPage else {
      let own = shown.reader.message?.content.url.map { words(.linkRefused, SafeText(untrusted: $0)) }
      return report(own ?? words(.noLink), .warning)
    }
    dialog.show(.links(page))
    return []
  }

  /// Performs the commands that apply to the selected link while the page is shown.
  private mutating func performInLinks(_ command: Command) -> [Effect]? {
    guard case .links(let page)? = dialog.overlay else { return nil }
    switch command {
    case .links:
      dialog.overlay = nil
      return []
    case .openLink: return openChosenLink()
    case .copyLink: return [copy(page.links[page.selected].address)]
    case _: return nil
    }
  }

  mutating func openChosenLink() -> [Effect] {
    guard case .links(let page)? = dialog.overlay, page.links.indices.contains(page.selected) else {
      return []
    }
    dialog.overlay = nil
    guard shown.reader.message?.id == page.message else { return report(words(.messageGone), .warning) }
    return openLink(page.links[page.selected].address)
  }

  /// Selects the link with a number that is being typed.
  mutating func selectLink(number: Int) {
    guard case .links(var page)? = dialog.overlay,
      let place = page.links.firstIndex(where: { $0.number == number })
    else { return }
    page.selected = place
    dialog.overlay = .links(page)
  }

  // MARK: Several

  /// The maximum number of links that are opened at the same time.
  private static let mostOpened = 20

  /// Opens the links of the marked messages; returns `nil` if no messages are marked.
  private mutating func openMarked() -> [Effect]? {
    guard focus.pane == .messages, !shown.list.marks.isEmpty else { return nil }
    let selection = shown.list.marked().selection
    guard selection.parts.isEmpty, selection.ids.count <= Self.mostOpened else {
      return report(words(.tooManyLinks, "\(Self.mostOpened)"), .warning)
    }
    shown.list.marks.clear()
    let request = pending.ask()
    pending.addresses = request
    return [.links(.findAddresses(selection.ids, request))]
  }

  private mutating func open(_ addresses: [MessageID: String], _ request: RequestID) -> [Effect] {
    guard pending.addresses == request else { return sayTooLate() }
    pending.addresses = nil
    let links = addresses.sorted { $0.key < $1.key }.compactMap { id, address in
      OpenableAddress(address).flatMap { link in link.place == .outside ? (id, link.text) : nil }
    }
    guard !links.isEmpty else { return report(words(.noLink), .warning) }
    let unread = shown.list.loaded.filter { row in row.isUnread && links.contains { $0.0 == row.id } }.map(
      \.id)
    let leaves = showsUnreadOnly
    for id in unread { shown.list.hold(id, unread: false, leaves: leaves) }
    sayRunning(words.count(.openingSeveral, links.count), links.map(\.1))
    return (unread.isEmpty ? [] : [act(.read(unread))]) + links.map { .links(.open($0.1)) }
  }

  // MARK: Panes

  /// Handles the result of going to the pane (for example of tmux) that a message comes from: marks the
  /// message read, since the user sees it there, or reports a failure.
  private mutating func wentToPane(of message: MessageID, _ answer: PaneAnswer) -> [Effect] {
    switch answer {
    case .isThere: return markRead(message)
    case .none: report(words(.paneNone), .warning)
    case .gone: report(words(.paneGone), .warning)
    case .cannotAsk(let reason):
      report(words(.paneCannotAsk, SafeText(untrusted: reason)), .failure)
    case .notAttached(let session):
      report(words(.paneNotAttached, SafeText(untrusted: session)), .warning)
    }
    return []
  }
}
