import Messages
import Screen
import Words

extension AppState {
  /// From so many rows on the sources' pane leaves one free between lists of different kinds.
  private static let rowsForGaps = 16

  /// Restores what must hold after every action: the keys are in a visible pane, selections are in
  /// their lists and visible, the reader is laid out for its width. Returns what follows from that.
  mutating func restore() -> [Effect] {
    if focus.pane == .timeline, !shown.timeline.isOpen { setFocus(.messages) }
    if focus.pane == .reader, shown.reader.subject == nil { setFocus(.messages) }
    if focus.inner == .reader, shown.reader.subject == nil { focus.inner = .messages }
    endRefreshOfRemoved()
    let layout = layout
    shown.sources.fit(
      visible: layout.sources == nil ? nil : layout.rows(of: .sources),
      hasGaps: layout.rows(of: .sources) >= Self.rowsForGaps && !options.signs.areWords)
    shown.list.fit(visible: layout.messages == nil ? nil : layout.items(of: .messages))
    var effects = preview(layout)
    shown.reader.setOpen(
      options.showsPictures && focus.inner == .reader && layout.readerColumns != nil,
      visible: layout.rows(of: .reader))
    // Opening a message fetches its picture; a preview doesn't, so that the publisher learns nothing.
    if options.showsPictures, focus.inner == .reader, let columns = layout.readerColumns,
      let request = shown.reader.wantPoster(columns: columns, rows: layout.rows(of: .reader))
    {
      effects.append(.drawPicture(request))
    }
    effects += askForWantedArticle()
    // A link can be used without the reader.
    if let columns = layout.readerColumns ?? (pending.link == nil ? nil : options.layout.textWidth) {
      let page = shown.reader.layOut(
        columns: columns, visible: layout.rows(of: .reader), options: options,
        source: shown.reader.message.map { title(of: $0.source, and: $0.otherSources) } ?? .empty)
      if let page { effects.append(.layOut(page)) }
      effects += usePendingLink()
    }
    effects += usePendingHit()
    shown.reader.fit(visible: layout.rows(of: .reader))
    let dropped = shown.reader.removeDroppedPictures()
    if !dropped.isEmpty { effects.append(.cancelPictures(dropped)) }
    if layout.readerColumns != nil {
      effects += shown.reader.wantPictures(visible: layout.rows(of: .reader)).map(Effect.drawPicture)
    }
    // While it is typed the search changes with each letter.
    if shown.list.wantsHits, dialog.prompt == nil {
      shown.list.hitsAsked()
      effects.append(.findHits(shown.list.query))
    }
    fitOverlay(layout)
    effects += fitBanner(layout)
    if let area = layout.timeline {
      let rows = TimelinePage(self, in: area).rows
      shown.timeline.scroll = min(max(0, shown.timeline.scroll), max(0, rows - max(1, area.size.rows)))
    }
    if shown.list.askNearEdge(margin: max(20, 2 * layout.items(of: .messages))) { effects.append(loading) }
    effects += seen(layout)
    effects += sayFinalActs()
    polls = pollSummary()
    if let reason = dialog.failure, statusLine.said.first?.toast.text != reason {
      statusLine.add(Toast(reason, .failure))
    }
    statusLine.actionEnded(at: now, isInSight: dialog.prompt == nil && shownQuestion == nil)
    if isBusy, options.animations, !animation.isTicking {
      animation.isTicking = true
      effects.append(.scheduleTick)
    }
    if secondsToFirstPoll != nil, !animation.isCountingDown {
      animation.isCountingDown = true
      effects.append(.scheduleSecond)
    }
    return effects
  }

  /// The state is drawn next: what the list has is seen from then on, unless something covers it.
  mutating func rememberDrawn() {
    let layout = layout
    if layout.messages != nil, !dialog.coversPanes, !layout.isCovered { shown.list.rememberDrawn() }
  }

  /// Beside the list, the reader follows the selection; that does not read the message.
  private mutating func preview(_ layout: Layout) -> [Effect] {
    guard layout.reader != nil, focus.inner != .reader, let row = shown.list.selectedRow else {
      if layout.reader != nil, focus.inner != .reader, shown.list.isLoaded { shown.reader.clear() }
      return []
    }
    guard shown.reader.subject.map(row.standsFor) != true else { return [] }
    let id = row.opened.id
    shown.reader.expect(id)
    pending.link = nil
    return load(id)
  }

  private mutating func fitOverlay(_ layout: Layout) {
    if let scroll = dialog.overlay?.scroll, let rows = overlayRows(columns: layout.body.size.columns) {
      dialog.overlay?.scroll(to: min(max(0, scroll), max(0, rows - max(1, layout.body.size.rows))))
    }
    switch dialog.overlay {
    case .choices(let choices, let selected, let top):
      let visible = max(1, layout.body.size.rows - ChoicesPage.headRows)
      let first = min(max(0, top), max(0, choices.count - visible))
      dialog.overlay = .choices(
        choices, selected: selected, top: min(max(first, selected - visible + 1), selected))
    case .rules(var page):
      page.fit(lines: max(1, layout.body.size.rows))
      dialog.overlay = .rules(page)
    case .help, .address, .problem, .messages, .request, nil: break
    }
  }

  /// A list on screen, in a terminal with the focus, is marked seen. What a search is typed over only passes by.
  private mutating func seen(_ layout: Layout) -> [Effect] {
    guard terminal.hasFocus, !dialog.coversPanes, !dialog.isSearching, !layout.isCovered,
      layout.messages != nil,
      shown.list.isLoaded,
      shown.list.query.search == nil
    else {
      attention.endLook()
      return []
    }
    let scope = shown.list.query.scope
    guard pending.seen != scope else { return [] }
    switch scope {
    case .source(let id): guard shown.sources.status(id)?.isUnseen == true else { return [] }
    case .folder(let folder):
      guard shown.sources.tree.sums[folder]?.isUnseen == true else { return [] }
    case .all:
      guard counts.isUnseen else { return [] }
      guard attention.isAttended else { return attention.startLook().map { [.scheduleLook($0)] } ?? [] }
    case .list(let list): guard shown.sources.list(list)?.isUnseen == true else { return [] }
    case .starred, .snoozed, .dismissed, .hidden: return []
    }
    pending.seen = scope
    return [.markSeen(scope)]
  }
}
