import Foundation
import Messages
import Screen
import Words

extension AppState {
  /// Whether what a command needs is there.
  func canPerform(_ command: Command) -> Bool {
    switch command.row.need {
    case .nothing: true
    case .message: target != nil
    case .storedMessage: target?.id.isWelcome == false
    case .storedList: !isWelcome
    case .welcome: isWelcome
    }
  }

  /// Performs a command where the keys are.
  mutating func perform(_ command: Command, count: Int?) -> [Effect] {
    if command.asksForText { input.asked = now }
    guard canPerform(command) else { return [] }
    let steps = count ?? 1
    if let effects = performInBanner(command, steps: steps) { return effects }
    if let effects = extend(by: command, count: count) { return effects }
    if let effects = performOnRules(command) { return effects }
    switch command {
    case .down: return move(by: steps)
    case .up: return move(by: -steps)
    case .pageDown: return page(by: steps * max(1, visibleRows - 1))
    case .pageUp: return page(by: -steps * max(1, visibleRows - 1))
    case .halfPageDown: return page(by: steps * max(1, visibleRows / 2))
    case .halfPageUp: return page(by: -steps * max(1, visibleRows / 2))
    case .first: return moveToStart()
    case .last: return moveToEnd()
    case .open: return open()
    case .back: return goBack()
    case .nextPane:
      guard let area = layout.banner, dialog.overlay == nil else { return cycle(by: 1) }
      shown.banner?.enter(visible: area.size.rows)
      return []
    case .previousPane: return cycle(by: -1)
    case .zoomPane:
      isZoomed.toggle()
      return []
    case .growPane: return resizePane(by: steps)
    case .shrinkPane: return resizePane(by: -steps)
    case .resetPanes: return changePreferences { $0.shares = PaneShares() }

    case .readOn: return readOn()
    case .nextUnread:
      return isSearching
        ? nextHit(isForward: true) : nextUnread(forward: true, opens: focus.pane == .reader)
    case .previousUnread:
      return isSearching
        ? nextHit(isForward: false) : nextUnread(forward: false, opens: focus.pane == .reader)
    case .openLink:
      if count == nil, let effects = openMarked() { return effects }
      return withLink(.open, number: count)
    case .copyLink: return withLink(.copy, number: count)
    case .goToPane: return single.map { [.goToPane($0.id)] } ?? []
    case .article: return toggleArticle()
    case .details:
      if !shown.reader.isComplete || !isShowingTarget { return openSelected() }
      shown.reader.toggleDetails()
      return []

    case .pipe: return askForCommand(MessageForm(count: count))
    case .save: return askForFile()
    case .pager: return single.map { [.showInPager($0.id)] } ?? []

    case .toggleUnread: return toggleUnread(several(count), count: steps)
    case .toggleStar: return toggleStar(several(count))
    case .dismiss: return dismiss(several(count))
    case .snooze: return askUntilWhen(several(count))
    case .quiet: return askHowLongQuiet()
    case .readAll: return readAll()
    case .mark: return mark(steps: steps)
    case .markRange: return markRange()
    case .markAll: return markAll()
    case .makeRule: return startRule()
    case .undo: return undo()
    case .redo: return redo()

    case .unreadOnly:
      var query = shown.list.query
      query.isUnreadOnly.toggle()
      if focus.pane == .reader { setFocus(.messages) }
      return show(query, at: shown.list.selectedRow?.key)
    case .sort:
      var query = shown.list.query
      query.order = nextOrder
      let order = query.order == options.layout.order ? nil : query.order
      statusLine.toast = Toast(words(.listSorted, words.name(query.order)))
      return changePreferences { $0.listOrder = order } + show(query)
    case .search:
      if focus.pane == .sources {
        dialog.prompt = .filter(LineEditor(shown.sources.view.filter))
        return []
      }
      let editor = LineEditor(shown.list.query.search?.trimmingCharacters(in: .whitespaces) ?? "")
      dialog.prompt = .search(editor, before: shown.list.query, at: shown.list.selectedRow?.key)
      setFocus(.messages)
      return [loadNames()]
    case .searchAll: return searchAll(from: shown.list.selectedRow?.key)
    case .saveSearch: return askListName()
    case .refresh:
      if case .problem(let source, _)? = dialog.overlay { return refreshNow(.source(source)) }
      return refreshNow(focus.pane == .sources ? shown.sources.scope : shown.list.query.scope)
    case .refreshAll: return refreshNow(.all)
    case .addSource:
      dialog.prompt = .add(LineEditor(), .editing)
      return []
    case .importFeeds:
      dialog.prompt = .add(LineEditor("~/"), .editing)
      return []
    case .demo: return [.showDemo]
    case .timeline: return toggleTimeline()
    case .toggleFolder: return toggleFolder()
    case .nextSource: return goToSource(forward: true)
    case .previousSource: return goToSource(forward: false)
    case .nextFailed: return goToFailed()
    case .sortSources: return sortSources()
    case .hideRead: return hideRead()
    case .editSource: return editSource()
    case .editSettings: return editSettings()
    case .pauseSource: return pauseSource()
    case .removeSource: return removeSource()
    case .moveSourceUp: return moveSource(forward: false)
    case .moveSourceDown: return moveSource(forward: true)

    case .rules: return toggleRules()
    case .messages:
      if case .messages? = dialog.overlay {
        dialog.overlay = nil
      } else {
        dialog.overlay = .messages(scroll: 0)
      }
      return []
    case .help:
      if case .help? = dialog.overlay { dialog.overlay = nil } else { dialog.overlay = .help(scroll: 0) }
      return []
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .quit:
      guard dialog.overlay == nil else {
        dialog.overlay = nil
        return []
      }
      return [.quit]
    }
  }

  /// Visible rows where the keys are.
  var visibleRows: Int {
    dialog.overlay == nil ? layout.items(of: focus.pane) : max(1, layout.body.size.rows)
  }

  // MARK: Panes

  private mutating func open() -> [Effect] {
    if case .choices(_, let selected, _)? = dialog.overlay { return choose(number: selected + 1) }
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
    case .reader: setFocus(.messages)
    case .messages:
      if shown.list.query.search != nil {
        var query = shown.list.query
        query.search = nil
        return show(query, at: shown.list.selectedRow?.key)
      }
      setFocus(.sources)
    case .sources: return leaveFolder()
    }
    return []
  }

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

  private mutating func toggleTimeline() -> [Effect] {
    shown.timeline.isOpen.toggle()
    shown.timeline.scroll = 0
    setFocus(shown.timeline.isOpen ? .timeline : focus.inner)
    return shown.timeline.isOpen ? [loadTimeline()] : []
  }

  // MARK: Moving

  mutating func move(by steps: Int) -> [Effect] {
    switch dialog.overlay {
    case .help, .problem, .messages, .request:
      if let scroll = dialog.overlay?.scroll {
        dialog.overlay?.scroll(to: scroll + max(-10_000, min(steps, 10_000)))
      }
      return []
    case .choices(let choices, let selected, let top):
      dialog.overlay = .choices(choices, selected: min(max(0, selected + steps), choices.count - 1), top: top)
      return []
    case .rules(var page):
      page.select(page.selected + steps)
      dialog.overlay = .rules(page)
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

  private mutating func page(by steps: Int) -> [Effect] {
    guard dialog.overlay == nil, focus.pane == .messages else { return move(by: steps) }
    return shown.list.page(by: steps, visible: layout.items(of: .messages)) ? [loading] : []
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

  /// The order that follows the list's own: those that change nothing here are left out.
  private var nextOrder: ListOrder {
    let query = shown.list.query
    let isBySource = query.scope == .all && query.search == nil && shown.sources.statuses.count > 1
    let orders = ListOrder.allCases.filter { order in
      switch order {
      case .newest, .oldest: true
      case .source: isBySource
      case .priority: hasPriorityOrder
      }
    }
    guard let place = orders.firstIndex(of: query.order) else { return .oldest }
    return orders[(place + 1) % orders.count]
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

  /// Opens a list, with a soft refresh.
  mutating func choose(_ scope: InboxQuery.Scope) -> [Effect] {
    setFocus(.messages)
    var effects: [Effect] = []
    if scope != shown.list.query.scope || shown.list.query.search != nil {
      effects = show(
        InboxQuery(
          scope: scope, isUnreadOnly: shown.list.query.isUnreadOnly, order: shown.list.query.order))
    }
    effects.append(.refresh(shown.sources.sources(in: scope)))
    return effects
  }
}
