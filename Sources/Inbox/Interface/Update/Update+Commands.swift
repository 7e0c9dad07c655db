import Foundation
import Messages
import Screen
import Words

extension AppState {
  /// Whether the conditions of a command are met.
  func canPerform(_ command: Command) -> Bool {
    switch command.row.need {
    case .nothing: true
    case .message: target != nil
    case .storedMessage: target?.id.isWelcome == false
    case .storedList: !isWelcome
    case .welcome: isWelcome
    }
  }

  /// Performs a command in the pane with the focus. Each feature has its own commands.
  mutating func perform(_ command: Command, count: Int?) -> [Effect] {
    if command.asksForText { input.asked = input.time }
    guard canPerform(command) else { return [] }
    if let effects = performBanner(command, steps: count ?? 1) { return effects }
    if let effects = extend(by: command, count: count) { return effects }
    if let effects = performRules(command) { return effects }
    if let effects = performArticles(command) { return effects }
    if let effects = performJournal(command, count: count) { return effects }
    if let effects = performHelp(command) { return effects }
    if let effects = performLinks(command, count: count) { return effects }
    if let effects = performPolling(command) { return effects }
    if let effects = performPrograms(command, count: count) { return effects }
    if let effects = performQuiet(command) { return effects }
    if let effects = performSavedLists(command) { return effects }
    if let effects = performSearch(command) { return effects }
    if let effects = performSources(command) { return effects }
    return performCommon(command, steps: count ?? 1)
  }

  /// Performs the commands that belong to no feature: for moving, panes, reading page by page, the list, and the
  /// terminal.
  private mutating func performCommon(_ command: Command, steps: Int) -> [Effect] {
    switch command {
    case .down: return move(by: steps)
    case .up: return move(by: -steps)
    case .pageDown: return page(by: steps)
    case .pageUp: return page(by: -steps)
    case .halfPageDown: return halfPage(by: steps)
    case .halfPageUp: return halfPage(by: -steps)
    case .first: return moveToStart()
    case .last: return moveToEnd()
    case .open: return open()
    case .back: return goBack()
    case .nextPane:
      guard let area = layout.banner, dialog.overlay == nil else { return cycle(by: 1) }
      shown.banner?.enter(visible: area.size.rows)
    case .previousPane: return cycle(by: -1)
    case .zoomPane: isZoomed.toggle()
    case .growPane: return resizePane(by: steps)
    case .shrinkPane: return resizePane(by: -steps)
    case .resetPanes: return changePreferences { $0.shares = PaneShares() } + changeList { $0.share = nil }

    case .readOn: return readOn()
    case .nextUnread where isFinding, .previousUnread where isFinding:
      return nextFound(isForward: command == .nextUnread)
    case .nextUnread:
      return isSearching
        ? nextHit(isForward: true) : nextUnread(forward: true, opens: focus.pane == .reader)
    case .previousUnread:
      return isSearching
        ? nextHit(isForward: false) : nextUnread(forward: false, opens: focus.pane == .reader)
    case .details:
      if !shown.reader.isComplete || !isShowingTarget { return openSelected() }
      shown.reader.toggleDetails()

    case .unreadOnly:
      var query = shown.list.query
      query.isUnreadOnly.toggle()
      if focus.pane == .reader { setFocus(.messages) }
      let isUnreadOnly = query.isUnreadOnly
      return changeList { $0.isUnreadOnly = isUnreadOnly } + show(query, at: shown.list.selectedRow?.key)
    case .sort:
      return sort(nextOrder)
    case .rows:
      // The value of the settings is restored if that changes the rows.
      let isUsual = layout.lines(options.layout.rowLines) == layout.rowLines
      let own: RowLines? = isUsual ? (layout.rowLines == 1 ? .two : .one) : nil
      return changeList { $0.rowLines = own }

    case .messages: dialog.toggle(.messages)
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .quit:
      guard dialog.overlay == nil else {
        dialog.overlay = nil
        return []
      }
      return [.quit]
    // Each other command is one of a feature; a test performs every command.
    case _: break
    }
    return []
  }

  /// The number of visible rows of the pane with the focus, or of the page over it.
  var visibleRows: Int {
    let rows = layout.body.size.rows
    switch dialog.overlay {
    case .rules: return max(1, rows / RulesPage.lines)
    case .links, .choices: return max(1, rows - ChoicesPage.headRows)
    case .offers: return max(1, rows - OffersPage.headRows)
    case .help, .address, .problem, .messages, .request: return max(1, rows)
    case nil: break
    }
    guard focus.pane == .messages else { return layout.rows(of: focus.pane) }
    return shown.list.count(from: shown.list.top, in: messageLines(layout))
  }

  // MARK: Panes

  private mutating func open() -> [Effect] {
    if case .choices(_, let selected)? = dialog.overlay { return choose(number: selected + 1) }
    if case .links? = dialog.overlay { return openChosenLink() }
    if case .offers(let page)? = dialog.overlay { return takeOffer(page) }
    if dialog.overlay != nil {
      dialog.overlay = nil
      return []
    }
    switch focus.pane {
    case .sources: return choose(shown.sources.scope)
    case .messages: return openSelected()
    case .reader:
      let visible = layout.rows(of: .reader)
      if !shown.reader.isAtEnd(visible: visible) { shown.reader.scroll(by: max(1, visible - 1)) }
      return []
    case .timeline: return []
    }
  }

  private mutating func goBack() -> [Effect] {
    if dialog.overlay != nil {
      dialog.overlay = nil
      return []
    }
    switch focus.pane {
    case .timeline: return toggleTimeline()
    case .reader where isFinding: shown.reader.endFind()
    case .reader: setFocus(.messages)
    case .messages:
      if shown.list.query.search != nil {
        return show(query(of: shown.list.query.scope), at: shown.list.selectedRow?.key)
      }
      setFocus(.sources)
    case .sources: return leaveFolder()
    }
    return []
  }

  /// Moves the focus to the next or the previous pane.
  mutating func cycle(by step: Int) -> [Effect] {
    let panes = Pane.allCases.filter {
      switch $0 {
      case .sources, .messages: true
      case .reader: shown.list.selectedRow != nil || shown.reader.subject != nil
      case .timeline: shown.timeline.isOpen
      }
    }
    let place = panes.firstIndex(of: focus.pane) ?? 0
    let pane = panes[(place + step + panes.count) % panes.count]
    // From the list, entering the reader opens the message; from elsewhere it only moves the focus.
    let isReturning = focus.inner == .reader && shown.reader.subject != nil
    if pane == .reader, !isReturning, shown.reader.subject == nil || layout.reader != nil {
      return openSelected()
    }
    setFocus(pane)
    return []
  }

  // MARK: Moving

  mutating func move(by steps: Int) -> [Effect] {
    switch dialog.overlay {
    case .help:
      if let page = helpPage { selectInHelp(page.list.selected + steps) }
      return []
    case .links(var page):
      page.selected = min(max(0, page.selected + steps), page.links.count - 1)
      dialog.overlay = .links(page)
      return []
    case .problem, .messages, .request:
      dialog.scroll += max(-10_000, min(steps, 10_000))
      return []
    case .choices(let choices, let selected):
      dialog.overlay = .choices(choices, selected: min(max(0, selected + steps), choices.count - 1))
      return []
    case .rules(var page):
      page.select(page.selected + steps)
      dialog.overlay = .rules(page)
      return []
    case .offers(var page):
      page.select(page.selected + max(-page.count, min(steps, page.count)))
      dialog.overlay = .offers(page)
      return []
    case .address: return []
    case nil: break
    }
    switch focus.pane {
    case .sources: shown.sources.select(shown.sources.cursor + steps)
    case .messages: if shown.list.move(by: steps) { return [loading] }
    case .reader: shown.reader.scroll(by: steps)
    case .timeline: shown.timeline.scroll += steps
    }
    return []
  }

  private mutating func page(by pages: Int) -> [Effect] {
    guard dialog.overlay == nil, focus.pane == .messages else {
      return move(by: pages * max(1, visibleRows - 1))
    }
    return shown.list.page(by: pages) ? [loading] : []
  }

  private mutating func halfPage(by halves: Int) -> [Effect] {
    guard dialog.overlay == nil, focus.pane == .messages else {
      return move(by: halves * max(1, visibleRows / 2))
    }
    return shown.list.halfPage(by: halves) ? [loading] : []
  }

  private mutating func moveToStart() -> [Effect] {
    if dialog.overlay != nil { return move(by: -10_000) }
    switch focus.pane {
    case .sources: shown.sources.select(0)
    case .messages: if shown.list.moveToStart() { return [loading] }
    case .reader: shown.reader.scrollToStart()
    case .timeline: shown.timeline.scroll = 0
    }
    return []
  }

  private mutating func moveToEnd() -> [Effect] {
    if dialog.overlay != nil { return move(by: 10_000) }
    switch focus.pane {
    case .sources: shown.sources.select(shown.sources.count - 1)
    case .messages: if shown.list.moveToEnd() { return [loading] }
    case .reader: shown.reader.scrollToEnd()
    case .timeline: shown.timeline.scroll = Timeline.mostShown * 2
    }
    return []
  }

  // MARK: Lists

  /// Sorts the list, or reports the possible orders.
  ///
  /// - Parameter order: the order, or `nil` if the list does not have it.
  mutating func sort(_ order: ListOrder?) -> [Effect] {
    guard let order, orders.contains(order) else {
      let names = SafeText(untrusted: orders.map(\.rawValue).joined(separator: ", "))
      return report(
        words(.commandTakes, "sort", names, SafeText(untrusted: order?.rawValue ?? "")), .warning)
    }
    var query = shown.list.query
    query.order = order
    report(words(.listSorted, words.name(order)))
    let own = order == options.layout.order ? nil : order
    return changeList { $0.order = own } + show(query)
  }

  /// The orders that change the present list.
  private var orders: [ListOrder] {
    let query = shown.list.query
    let isBySource = query.scope == .all && query.search == nil && shown.sources.statuses.count > 1
    return ListOrder.allCases.filter { order in
      switch order {
      case .newest, .oldest: true
      case .source: isBySource
      case .priority: hasPriorityOrder
      }
    }
  }

  /// The order that follows the list's own.
  private var nextOrder: ListOrder {
    guard let place = orders.firstIndex(of: shown.list.query.order) else { return .oldest }
    return orders[(place + 1) % orders.count]
  }

  /// Changes the state of the list on screen, which the next start restores.
  mutating func changeList(_ change: (inout ListState) -> Void) -> [Effect] {
    let scope = shown.list.query.scope
    return changePreferences {
      var state = $0.lists[scope] ?? ListState()
      change(&state)
      $0.lists[scope] = state == ListState() ? nil : state
    }
  }

  /// The effect that loads the list's window.
  var loading: Effect { .load(shown.list.query, shown.list.window) }

  /// Shows another list or another filter of this one, from its start or around a message.
  mutating func show(_ query: InboxQuery, at key: ListKey? = nil) -> [Effect] {
    let key = key?.id.isWelcome == true ? nil : key
    let isOther = query.scope != shown.list.query.scope
    shown.list.show(query, at: key)
    if focus.inner != .reader { shown.reader.leave() }
    pending.unreadSearch = nil
    pending.seen = nil
    attention.attend()
    shown.sources.apply(shown.sources.statuses, words: words, shown: query.scope)
    shown.sources.select(query.scope)
    var effects = [loading]
    if isOther, shown.timeline.isOpen { effects.append(loadTimeline()) }
    return effects
  }

  /// Opens a list, and requests a soft refresh of its sources.
  mutating func choose(_ scope: InboxQuery.Scope) -> [Effect] {
    setFocus(.messages)
    var effects: [Effect] = []
    if scope != shown.list.query.scope || shown.list.query.search != nil {
      effects = show(query(of: scope))
    }
    effects.append(.polling(.refresh(shown.sources.sources(in: scope))))
    return effects
  }
}
