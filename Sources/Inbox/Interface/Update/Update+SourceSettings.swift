import Messages
import Screen
import Words

/// Changing the settings of a source in the inbox.
extension AppState {
  /// The source that keys mean: the selected one in the sources' pane, else that of the list or of the message.
  private var meantSource: SourceID? {
    if case .problem(let id, _)? = dialog.overlay { return id }
    if focus.pane == .sources {
      if case .source(let id) = shown.sources.scope { return id }
      return nil
    }
    return shownSource ?? target?.source
  }

  /// Nil, with a word about it, where keys mean none.
  private mutating func sourceToChange() -> SourceStatus? {
    if let status = meantSource.flatMap(shown.sources.status) { return status }
    statusLine.toast = Toast(words(.chooseSource))
    return nil
  }

  /// The saved list that keys mean: the selected one in the sources' pane, else the one that is shown.
  private var meantList: SavedListID? {
    guard dialog.overlay == nil else { return nil }
    let scope = focus.pane == .sources ? shown.sources.scope : shown.list.query.scope
    if case .list(let id) = scope { return id }
    return nil
  }

  mutating func editSource() -> [Effect] {
    let subject: SourceFields.Subject
    if let list = meantList {
      subject = .list(list)
    } else {
      guard let source = sourceToChange() else { return [] }
      subject = .source(source.source.id)
    }
    let request = pending.ask()
    pending.form = request
    return [.loadForm(subject, request)]
  }

  mutating func editSettings() -> [Effect] {
    meantList.map { [.editSettingsOfList($0)] } ?? [.editSettings(meantSource)]
  }

  /// Removes the line of the sources' pane that the cursor is on. Nothing is asked: the undo brings it back.
  mutating func removeSource() -> [Effect] {
    var scope = shown.sources.scope
    if case .problem(let id, _)? = dialog.overlay {
      scope = .source(id)
      // The page about it goes with it.
      dialog.overlay = nil
    }
    let (title, effect): (String, (ActID) -> Effect)
    switch scope {
    // With their names: their lines are gone when the effect is carried out.
    case .source(let id):
      let name = self.title(ofSource: id)
      (title, effect) = (name, { .removeSource(id, title: name, $0) })
    case .list(let id):
      let name = listName(id)
      (title, effect) = (name, { .removeList(named: name, $0) })
    case .all, .starred, .folder, .snoozed, .dismissed, .hidden:
      sayWhereSourcesAreRemoved()
      return []
    }
    let id = pending.acts.add(.removal(scope, title: title))
    let text = words(.sourceRemoved, SafeText(untrusted: title), options.keymap.name(of: .undo))
    pending.confirmation = Pending.Confirmation(act: id, text: .text(text))
    shown.sources.apply(
      shown.sources.statuses.filter { .source($0.source.id) != scope },
      lists: shown.sources.lists.filter { .list($0.id) != scope }, words: words, shown: shown.list.query.scope
    )
    return [effect(id)] + leaveListThatIsGone()
  }

  mutating func showRemovedHere(_ title: String, keptOn machines: [String]) {
    let names = SafeText(untrusted: machines.joined(separator: ", "))
    statusLine.toast = Toast(
      words(.sourceRemovedHere, SafeText(untrusted: title), names, options.keymap.name(of: .undo)), .warning)
  }

  mutating func sayWhereSourcesAreRemoved() {
    statusLine.toast = Toast(words(.removedWhere, options.keymap.name(of: .removeSource)))
  }

  mutating func pauseSource() -> [Effect] {
    guard let source = sourceToChange()?.source else { return [] }
    guard source.kind.row.isPolled else {
      statusLine.toast = Toast(words(.refreshNothingToPoll))
      return []
    }
    return [.changeSource(source.id, source.settings.isPaused ? .resume : .pause, askForChange())]
  }

  /// Within its folder, in the order of the settings; a saved list among the lists.
  mutating func moveSource(forward: Bool) -> [Effect] {
    let lists = shown.sources.lists.map(\.id)
    if let place = meantList.flatMap(lists.firstIndex) {
      let other = place + (forward ? 1 : -1)
      return lists.indices.contains(other) ? [.swapLists(lists[place], lists[other], askForChange())] : []
    }
    guard preferences.sourceOrder == .file else {
      statusLine.toast = Toast(words(.sortedOtherwise, options.keymap.name(of: .sortSources)))
      return []
    }
    guard let source = sourceToChange()?.source else { return [] }
    let siblings = shown.sources.statuses.map(\.source).filter { $0.folder == source.folder }
    guard let place = siblings.firstIndex(where: { $0.id == source.id }),
      siblings.indices.contains(place + (forward ? 1 : -1))
    else { return [] }
    return [
      .changeSource(source.id, .swap(with: siblings[place + (forward ? 1 : -1)].id), askForChange())
    ]
  }

  /// The next key may mean the order, or the state, that this makes.
  private mutating func askForChange() -> RequestID {
    let request = pending.ask()
    pending.change = .asked(request)
    return request
  }

  mutating func applyUnchanged(reason: String, _ request: RequestID) {
    if pending.change == .asked(request) { pending.change = nil }
    endChangeOfRules()
    statusLine.toast = Toast(words(.sourceUnchanged, SafeText(untrusted: reason)), .failure)
  }

  mutating func applyChanged(_ change: SourceChange?, of title: String, _ request: RequestID) -> [Effect] {
    let title = SafeText(untrusted: title)
    defer { if pending.change == .asked(request) { pending.change = .written } }
    switch change {
    case .pause: statusLine.toast = Toast(words(.sourcePaused, title))
    case .resume: statusLine.toast = Toast(words(.sourceResumed, title))
    case .swap, nil: break
    }
    return [loading]
  }

  // MARK: The form

  mutating func handleInForm(_ press: KeyPress) -> [Effect] {
    guard var form = dialog.form else { return [] }
    defer { if dialog.form != nil { dialog.form = form } }
    switch options.keymap.command(for: press, in: .overlay) {
    case .redraw? where press.modifiers.contains(.control): return [.redraw]
    case .suspend? where press.modifiers.contains(.control): return [.suspend]
    default: break
    }
    let count = form.entries.count
    switch press.key {
    case .escape:
      dialog.form = nil
      if case .asking(let request) = form.phase { return [.giveUp(request)] }
    case .enter:
      guard !form.phase.isAsking else { return [] }
      guard !form.changes.isEmpty || form.isOfService else {
        dialog.form = nil
        return []
      }
      let request = pending.ask()
      form.phase = .asking(request)
      return [.saveForm(form, request)]
    case .tab, .down: form.selected = (form.selected + 1) % max(1, count)
    case .backTab, .up: form.selected = (form.selected + count - 1) % max(1, count)
    case .character, .backspace, .delete, .insert, .left, .right, .home, .end, .pageUp, .pageDown, .function:
      guard !form.phase.isAsking, form.entries.indices.contains(form.selected),
        form.entries[form.selected].editor.press(press)
      else { return [] }
      form.phase = .editing
    }
    return []
  }

  mutating func pasteIntoForm(_ text: String) {
    guard var form = dialog.form, !form.phase.isAsking, form.entries.indices.contains(form.selected) else {
      return
    }
    form.entries[form.selected].editor.insert(text)
    form.phase = .editing
    dialog.form = form
  }

  mutating func openForm(_ fields: SourceFields, _ request: RequestID) {
    if mayOpenForm(request) { dialog.form = SourceForm(fields) }
  }

  /// Whether a form that was asked for is still wanted: keys wait for it, so nothing else was opened.
  mutating func mayOpenForm(_ request: RequestID) -> Bool {
    guard pending.form == request else {
      sayTooLate()
      return false
    }
    pending.form = nil
    // The page that it was asked for on makes room.
    dialog.overlay = nil
    return true
  }

  mutating func sayTooLate() { statusLine.toast = Toast(words(.answerTooLate), .warning) }

  /// - Parameters:
  ///   - reason: why it was not loaded or saved; nil where it was saved.
  ///   - field: which one has to be another; what was typed stays.
  mutating func applyFormAnswer(
    reason: String?, at field: SourceFields.Field? = nil, _ request: RequestID
  ) {
    if pending.form == request { pending.form = nil }
    guard var form = dialog.form, form.phase == .asking(request) else {
      statusLine.toast =
        reason.map { Toast(words(.sourceUnchanged, SafeText(untrusted: $0)), .failure) }
        ?? Toast(words(.sourceSaved))
      return
    }
    guard let reason else {
      dialog.form = nil
      statusLine.toast = Toast(words(.sourceSaved))
      return
    }
    dropWaiting()
    form.phase = .failed(SafeText(untrusted: reason))
    form.select(field)
    dialog.form = form
  }
}
