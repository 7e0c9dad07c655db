import Messages
import Screen
import Words

extension AppState {
  /// The number of rows from which the sources' pane leaves one free between lists of different kinds.
  private static let rowsForGaps = 16

  /// Restores the conditions that must hold after every action: the focus is in a visible pane, selections are in their
  /// lists and visible, the reader is laid out for its width. Returns the resulting effects.
  mutating func restore() -> [Effect] {
    if focus.pane == .timeline, !shown.timeline.isOpen { setFocus(.messages) }
    if focus.pane == .reader, shown.reader.subject == nil { setFocus(.messages) }
    if focus.inner == .reader, shown.reader.subject == nil { focus.inner = .messages }
    endRefreshOfRemoved()
    let layout = layout
    shown.sources.fit(
      visible: layout.sources == nil ? nil : layout.rows(of: .sources),
      hasGaps: layout.rows(of: .sources) >= Self.rowsForGaps && !options.signs.areWords)
    shown.list.fit(layout.messages == nil ? nil : messageLines(layout))
    var effects = preview(layout)
    shown.reader.setOpen(
      options.showsPictures && focus.inner == .reader && layout.readerColumns != nil,
      visible: layout.rows(of: .reader))
    // Opening a message fetches its picture; a preview doesn't, so that the publisher learns nothing.
    if options.showsPictures, focus.inner == .reader, let columns = layout.readerColumns,
      let request = shown.reader.wantPoster(columns: columns, rows: layout.rows(of: .reader))
    {
      effects.append(.pictures(.draw(request)))
    }
    effects += askForWantedArticle()
    // A link can be used without the reader.
    if let columns = layout.readerColumns ?? (pending.link == nil ? nil : options.layout.textWidth) {
      let page = shown.reader.layOut(
        columns: columns, visible: layout.rows(of: .reader), options: options,
        source: shown.reader.message.map { title(of: $0.source, and: $0.otherSources) } ?? .empty)
      if let page { effects.append(.reader(.layOut(page))) }
      effects += usePendingLink()
    }
    effects += usePendingHit()
    usePendingFind()
    shown.reader.fit(visible: layout.rows(of: .reader))
    let dropped = shown.reader.removeDroppedPictures()
    if !dropped.isEmpty { effects.append(.pictures(.cancel(dropped))) }
    if layout.readerColumns != nil {
      effects += shown.reader.wantPictures(visible: layout.rows(of: .reader)).map {
        Effect.pictures(.draw($0))
      }
    }
    // The search changes with each letter while it is typed.
    if shown.list.wantsHits, dialog.prompt == nil {
      shown.list.hitsAsked()
      effects.append(.search(.findHits(shown.list.query)))
    }
    keepHelpWhole()
    fitOverlay(layout)
    effects += fitBanner(layout)
    if let area = layout.timeline {
      let rows = TimelinePage(self, in: area).rows
      shown.timeline.scroll = min(max(0, shown.timeline.scroll), max(0, rows - max(1, area.size.rows)))
    }
    if shown.list.askNearEdge(margin: max(20, 2 * shown.list.lines.capacity)) { effects.append(loading) }
    effects += seen(layout)
    effects += sayFinalActs()
    sumUpPolls()
    if let reason = dialog.failure, statusLine.said.first?.toast.text != reason {
      statusLine.add(Toast(reason, .failure))
    }
    statusLine.actionEnded(at: now, isInSight: dialog.prompt == nil && shownQuestion == nil)
    if isBusy, options.animations, !animation.isTicking {
      animation.isTicking = true
      effects.append(.polling(.scheduleTick))
    }
    if secondsToFirstPoll != nil, !animation.isCountingDown {
      animation.isCountingDown = true
      effects.append(.polling(.scheduleSecond))
    }
    return effects
  }

  /// Records that the state is drawn next: the list's content is seen from then on, unless something covers it.
  mutating func rememberDrawn() {
    let layout = layout
    if layout.messages != nil, !dialog.coversPanes, !layout.isCovered { shown.list.rememberDrawn() }
  }

  /// Shows the selected message in the reader next to the list, without marking it read.
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

  /// Scrolls the page over the panes so that its selection is visible.
  private mutating func fitOverlay(_ layout: Layout) {
    if let rows = overlayRows(columns: layout.body.size.columns) {
      dialog.scroll = min(max(0, dialog.scroll), max(0, rows - max(1, layout.body.size.rows)))
    }
    switch dialog.overlay {
    case .help: fitHelp(layout)
    case .links(let page):
      let visible = max(1, layout.body.size.rows - ChoicesPage.headRows)
      let first = min(max(0, dialog.scroll), max(0, page.links.count - visible))
      dialog.scroll = min(max(first, page.selected - visible + 1), page.selected)
    case .choices(let choices, let selected):
      let visible = max(1, layout.body.size.rows - ChoicesPage.headRows)
      let first = min(max(0, dialog.scroll), max(0, choices.count - visible))
      dialog.scroll = min(max(first, selected - visible + 1), selected)
    case .offers(let page):
      let visible = max(1, layout.body.size.rows - OffersPage.headRows)
      let first = min(max(0, dialog.scroll), max(0, page.count - visible))
      dialog.scroll = min(max(first, page.selected - visible + 1), page.selected)
    case .rules(var page):
      page.fit(lines: max(1, layout.body.size.rows))
      dialog.overlay = .rules(page)
    case .address, .problem, .messages, .request, nil: break
    }
  }

  /// Closes the help if its prompt was closed, and the prompt if the help was closed.
  private mutating func keepHelpWhole() {
    let hasPrompt = isHelpOpen
    if dialog.overlay == .help, !hasPrompt { dialog.uncover() }
    if dialog.overlay != .help, hasPrompt { dialog.prompt = nil }
    if dialog.overlay != .help { dialog.beneath = nil }
  }

  /// Scrolls the help so that a line of the selected item is visible. The notes below the last item may need
  /// all lines.
  private mutating func fitHelp(_ layout: Layout) {
    guard let page = helpPage else { return }
    let lines = page.lines(columns: layout.body.size.columns)
    let selected = page.selected(in: lines)
    let end = max(0, lines.count - helpRows)
    let isLast = page.list.selected == page.items.count - 1
    dialog.scroll = max(0, dialog.scroll, selected.lowerBound - helpRows + 1)
    dialog.scroll = min(dialog.scroll, isLast ? end : max(0, selected.upperBound - 1), end)
  }

  /// Marks the list on screen as seen if the terminal has the focus. A list that is only shown while a search is typed
  /// is not marked.
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
    case .starred, .snoozed, .dismissed, .hidden, .waiting: return []
    }
    pending.seen = scope
    return [.markSeen(scope)]
  }
}
