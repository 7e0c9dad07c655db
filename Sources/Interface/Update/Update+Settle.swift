import Messages
import Screen

extension AppState {
  /// What holds after everything that happens: the keys are in a pane that can be seen, selections stand in
  /// their lists and in sight, the reader shows what it should at its width. And what follows from that.
  mutating func settle() -> [Effect] {
    if focus == .timeline, !timeline.isOpen { setFocus(.messages) }
    if focus == .reader, reader.subject == nil { setFocus(.messages) }
    if inner == .reader, reader.subject == nil { inner = .messages }
    settleRefresh()
    let layout = layout
    sources.settle(visible: layout.rows(of: .sources))
    list.settle(visible: layout.rows(of: .messages))
    var effects = preview(layout)
    // Opening a message fetches its picture; looking at it beside the list tells nobody.
    if options.showsPictures, inner == .reader, let columns = layout.readerColumns,
      let request = reader.wantPoster(columns: columns, rows: layout.rows(of: .reader))
    {
      effects.append(.drawPicture(request))
    }
    // A link can be used without the reader.
    if let columns = layout.readerColumns ?? (link == nil ? nil : Layout.measure) {
      let page = reader.lay(
        columns: columns, visible: layout.rows(of: .reader), options: options,
        source: title(of: reader.message?.source))
      if let page { effects.append(.layOut(page)) }
      effects += useWish()
    }
    reader.settle(visible: layout.rows(of: .reader))
    settleOverlay(layout)
    effects += settleBanner(layout)
    if let area = layout.timeline {
      let rows = TimelinePage(self, in: area).rows
      timeline.scroll = min(max(0, timeline.scroll), max(0, rows - max(1, area.size.rows)))
    }
    if list.askNearEdge(margin: max(20, 2 * layout.rows(of: .messages))) { effects.append(loading) }
    effects += seen(layout)
    if isBusy, options.animations, !isTicking {
      isTicking = true
      effects.append(.scheduleTick)
    }
    if secondsToFirstPoll != nil, !isCountingDown {
      isCountingDown = true
      effects.append(.scheduleSecond)
    }
    return effects
  }

  /// Beside the list, the reader follows the selection; that does not read the message.
  private mutating func preview(_ layout: Layout) -> [Effect] {
    guard layout.reader != nil, inner != .reader, let row = list.selectedRow else {
      if layout.reader != nil, inner != .reader, list.isLoaded { reader.clear() }
      return []
    }
    guard reader.subject != row.id else { return [] }
    reader.expect(row.id)
    link = nil
    return load(row.id)
  }

  func title(of source: SourceID?) -> SafeText {
    source.flatMap { sources.titles[$0] } ?? .empty
  }

  private mutating func settleOverlay(_ layout: Layout) {
    switch overlay {
    case .help(let scroll):
      let rows = HelpPage(options: options).rows(columns: layout.body.size.columns)
      overlay = .help(scroll: min(max(0, scroll), max(0, rows - max(1, layout.body.size.rows))))
    case .choices(let choices, let selected, let top):
      let visible = max(1, layout.body.size.rows - ChoicesPage.headRows)
      let first = min(max(0, top), max(0, choices.count - visible))
      overlay = .choices(
        choices, selected: selected, top: min(max(first, selected - visible + 1), selected))
    case .address, nil: break
    }
  }

  private mutating func startLook() -> [Effect] {
    guard look == nil else { return [] }
    looks += 1
    look = looks
    return [.scheduleLook(looks)]
  }

  /// A list on screen, in a terminal that has the focus, is looked at.
  private mutating func seen(_ layout: Layout) -> [Effect] {
    guard hasTerminalFocus, overlay == nil, !layout.isCovered, layout.messages != nil, list.isLoaded,
      list.query.search == nil
    else {
      look = nil
      return []
    }
    let scope = list.query.scope
    guard seenAsked != scope else { return [] }
    switch scope {
    case .source(let id): guard sources.status(id)?.isUnseen == true else { return [] }
    case .all:
      guard isUnseen else { return [] }
      guard isAttended else { return startLook() }
    case .starred: return []
    }
    seenAsked = scope
    return [.markSeen(scope)]
  }
}
