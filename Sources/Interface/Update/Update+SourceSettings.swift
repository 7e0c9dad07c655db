import Messages
import Screen

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
    if let list = meantList { return [.loadListForm(list)] }
    return sourceToChange().map { [.loadForm($0.source.id)] } ?? []
  }

  mutating func editSettings() -> [Effect] {
    meantList.map { [.editSettingsOfList($0)] } ?? [.editSettings(meantSource)]
  }

  mutating func removeSource() -> [Effect] {
    if let list = meantList { return [.removeList(list)] }
    guard let source = sourceToChange()?.source else { return [] }
    // The page about it goes with it.
    dialog.overlay = nil
    return [.changeSource(source.id, .remove)]
  }

  mutating func pauseSource() -> [Effect] {
    guard let source = sourceToChange()?.source else { return [] }
    guard source.kind != .local else {
      statusLine.toast = Toast(words(.refreshNothingToPoll))
      return []
    }
    return [.changeSource(source.id, source.settings.isPaused ? .resume : .pause)]
  }

  /// Within its folder, in the order of the settings; a saved list among the lists.
  mutating func moveSource(forward: Bool) -> [Effect] {
    let lists = shown.sources.lists.map(\.id)
    if let place = meantList.flatMap(lists.firstIndex) {
      let other = place + (forward ? 1 : -1)
      return lists.indices.contains(other) ? [.swapLists(lists[place], lists[other])] : []
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
    return [.changeSource(source.id, .swap(with: siblings[place + (forward ? 1 : -1)].id))]
  }

  mutating func take(_ change: SourceChange, of title: String, reason: String?) {
    let title = SafeText(untrusted: title)
    if let reason {
      statusLine.toast = Toast(words(.sourceUnchanged, SafeText(untrusted: reason)), .failure)
      return
    }
    switch change {
    case .remove:
      pending.hasRemovedSource = true
      statusLine.toast = Toast(words(.sourceRemoved, title, options.keymap.name(of: .undo)))
    case .pause: statusLine.toast = Toast(words(.sourcePaused, title))
    case .resume: statusLine.toast = Toast(words(.sourceResumed, title))
    case .swap: break
    }
  }

  // MARK: The form

  mutating func takeInForm(_ press: KeyPress) -> [Effect] {
    guard var form = dialog.form else { return [] }
    defer { if dialog.form != nil { dialog.form = form } }
    switch options.keymap.command(for: press, in: .overlay) {
    case .redraw? where press.modifiers.contains(.control): return [.redraw]
    case .suspend? where press.modifiers.contains(.control): return [.suspend]
    default: break
    }
    let count = form.entries.count
    switch press.key {
    case .escape: dialog.form = nil
    case .enter:
      guard form.phase != .asking else { return [] }
      guard !form.changes.isEmpty else {
        dialog.form = nil
        return []
      }
      form.phase = .asking
      return [.saveForm(form)]
    case .tab, .down: form.selected = (form.selected + 1) % max(1, count)
    case .backTab, .up: form.selected = (form.selected + count - 1) % max(1, count)
    case .character, .backspace, .delete, .insert, .left, .right, .home, .end, .pageUp, .pageDown, .function:
      guard form.phase != .asking, form.entries.indices.contains(form.selected),
        form.entries[form.selected].editor.press(press)
      else { return [] }
      form.phase = .editing
    }
    return []
  }

  mutating func pasteIntoForm(_ text: String) {
    guard var form = dialog.form, form.phase != .asking, form.entries.indices.contains(form.selected) else {
      return
    }
    form.entries[form.selected].editor.insert(text)
    form.phase = .editing
    dialog.form = form
  }

  /// - Parameter reason: why it was not saved; nil where it was.
  mutating func takeFormAnswer(reason: String?) {
    guard var form = dialog.form else {
      if let reason {
        statusLine.toast = Toast(words(.sourceUnchanged, SafeText(untrusted: reason)), .failure)
      }
      return
    }
    guard let reason else {
      dialog.form = nil
      statusLine.toast = Toast(words(.sourceSaved))
      return
    }
    form.phase = .failed(SafeText(untrusted: reason))
    dialog.form = form
  }
}
