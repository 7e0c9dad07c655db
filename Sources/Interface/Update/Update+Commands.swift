import Messages
import Screen

extension AppState {
  /// Whether what a command needs is there.
  func canPerform(_ command: Command) -> Bool {
    switch command.row.need {
    case .nothing: true
    case .message: target != nil
    case .storedMessage: target?.id.isWelcome == false
    case .storedList: !isWelcome
    }
  }

  /// Does what a key stands for, where the keys are now.
  mutating func perform(_ command: Command, count: Int?) -> [Effect] {
    guard canPerform(command) else { return [] }
    let steps = count ?? 1
    if let effects = performInBanner(command, steps: steps) { return effects }
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
      guard let area = layout.banner, overlay == nil else { return cycle(by: 1) }
      banner?.enter(visible: area.size.rows)
      return []
    case .previousPane: return cycle(by: -1)

    case .readOn: return readOn()
    case .nextUnread: return nextUnread(forward: true, opens: focus == .reader)
    case .previousUnread: return nextUnread(forward: false, opens: focus == .reader)
    case .openLink: return withLink(.open, number: count)
    case .copyLink: return withLink(.copy, number: count)
    case .details:
      if !reader.isComplete || reader.subject != target?.id { return openSelected() }
      reader.toggleDetails()
      return []

    case .toggleUnread: return toggleUnread()
    case .toggleStar: return toggleStar()
    case .dismiss: return dismiss()
    case .snooze:
      guard let row = target else { return [] }
      if row.isDismissable {
        prompt = .snooze(LineEditor(), row.id)
      } else {
        toast = Toast(words(.cannotSnooze), .warning)
      }
      return []
    case .readAll: return readAll()
    case .undo: return undo()

    case .unreadOnly:
      var query = list.query
      query.isUnreadOnly.toggle()
      if focus == .reader { setFocus(.messages) }
      return show(query, at: list.selectedRow?.key)
    case .search:
      let editor = LineEditor(list.query.search ?? "")
      prompt = .search(editor, before: list.query, at: list.selectedRow?.key)
      setFocus(.messages)
      return []
    case .refresh: return refreshNow(focus == .sources ? sources.scope : list.query.scope)
    case .refreshAll: return refreshNow(.all)
    case .addSource:
      prompt = .add(LineEditor(), .editing)
      return []
    case .timeline: return toggleTimeline()

    case .help:
      if case .help? = overlay { overlay = nil } else { overlay = .help(scroll: 0) }
      return []
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .quit:
      guard overlay == nil else {
        overlay = nil
        return []
      }
      return [.quit]
    }
  }

  /// Rows in sight where the keys are.
  var visibleRows: Int {
    overlay == nil ? layout.rows(of: focus) : max(1, layout.body.size.rows)
  }

  // MARK: Panes

  private mutating func open() -> [Effect] {
    if case .choices(_, let selected, _)? = overlay { return choose(number: selected + 1) }
    if overlay != nil {
      overlay = nil
      return []
    }
    switch focus {
    case .sources: return choose(sources.scope)
    case .messages: return openSelected()
    case .reader, .timeline: return []
    }
  }

  private mutating func goBack() -> [Effect] {
    if overlay != nil {
      overlay = nil
      return []
    }
    switch focus {
    case .timeline: return toggleTimeline()
    case .reader: setFocus(.messages)
    case .messages:
      if list.query.search != nil {
        var query = list.query
        query.search = nil
        return show(query, at: list.selectedRow?.key)
      }
      setFocus(.sources)
    case .sources: break
    }
    return []
  }

  mutating func cycle(by step: Int) -> [Effect] {
    let panes = Pane.allCases.filter {
      switch $0 {
      case .sources, .messages: true
      case .reader: list.selectedRow != nil || reader.subject != nil
      case .timeline: timeline.isOpen
      }
    }
    let place = panes.firstIndex(of: focus) ?? 0
    let pane = panes[(place + step + panes.count) % panes.count]
    // From the list, the reader is entered by reading; from elsewhere it is returned to.
    let isReturning = inner == .reader && reader.subject != nil
    if pane == .reader, !isReturning, reader.subject == nil || layout.reader != nil { return openSelected() }
    setFocus(pane)
    return []
  }

  private mutating func toggleTimeline() -> [Effect] {
    timeline.isOpen.toggle()
    timeline.scroll = 0
    setFocus(timeline.isOpen ? .timeline : inner)
    return timeline.isOpen ? [loadTimeline()] : []
  }

  // MARK: Moving

  mutating func move(by steps: Int) -> [Effect] {
    switch overlay {
    case .help(let scroll):
      overlay = .help(scroll: scroll + min(steps, 10_000))
      return []
    case .choices(let choices, let selected, let top):
      overlay = .choices(choices, selected: min(max(0, selected + steps), choices.count - 1), top: top)
      return []
    case .address: return []
    case nil: break
    }
    switch focus {
    case .sources: sources.select(sources.cursor + steps)
    case .messages: if list.move(by: steps) { return [loading] }
    case .reader: reader.scroll(by: steps)
    case .timeline: timeline.scroll += steps
    }
    return []
  }

  private mutating func page(by steps: Int) -> [Effect] {
    guard overlay == nil, focus == .messages else { return move(by: steps) }
    return list.page(by: steps) ? [loading] : []
  }

  private mutating func moveToStart() -> [Effect] {
    if overlay != nil { return move(by: -10_000) }
    switch focus {
    case .sources: sources.select(0)
    case .messages: if list.moveToStart() { return [loading] }
    case .reader: reader.scrollToStart()
    case .timeline: timeline.scroll = 0
    }
    return []
  }

  private mutating func moveToEnd() -> [Effect] {
    if overlay != nil { return move(by: 10_000) }
    switch focus {
    case .sources: sources.select(sources.count - 1)
    case .messages: if list.moveToEnd() { return [loading] }
    case .reader: reader.scrollToEnd()
    case .timeline: timeline.scroll = Timeline.mostShown * 2
    }
    return []
  }

  // MARK: Lists

  /// The effect that asks for what the list waits for.
  var loading: Effect { .load(list.query, list.window) }

  /// Another list, or this one seen otherwise, from its start or around a message.
  mutating func show(_ query: InboxQuery, at key: ListKey? = nil) -> [Effect] {
    let key = key?.id.isWelcome == true ? nil : key
    let isOther = query.scope != list.query.scope
    list.show(query, at: key)
    seeking = nil
    seenAsked = nil
    isAttended = true
    sources.select(query.scope)
    var effects = [loading]
    if isOther, timeline.isOpen { effects.append(loadTimeline()) }
    return effects
  }

  /// Opens the list of a source, or one of the lists of all: a soft refresh goes with it.
  mutating func choose(_ scope: InboxQuery.Scope) -> [Effect] {
    setFocus(.messages)
    var effects: [Effect] = []
    if scope != list.query.scope || list.query.search != nil {
      effects = show(InboxQuery(scope: scope, isUnreadOnly: list.query.isUnreadOnly))
    }
    switch scope {
    case .source(let id): effects.append(.refresh(id))
    case .all, .starred: effects.append(.refresh(nil))
    }
    return effects
  }
}
