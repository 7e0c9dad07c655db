import Messages
import Screen
import Words

/// Finding a source among many.
extension AppState {
  /// Changes what is remembered of the inbox's look, and shows it.
  mutating func changePreferences(_ change: (inout Preferences) -> Void) -> [Effect] {
    let old = preferences
    change(&preferences)
    showPreferences()
    return preferences.changes(since: old).map { .remember($0.name, $0.value) }
  }

  mutating func showPreferences() {
    let preferences = preferences
    shown.sources.change {
      $0.closed = preferences.closedFolders
      $0.order = preferences.sourceOrder
      $0.isUnreadOnly = preferences.hidesRead
    }
  }

  // MARK: Folders

  /// Closes or opens the selected folder, or that of the selected source.
  mutating func toggleFolder() -> [Effect] {
    guard let folder = shown.sources.folder(of: shown.sources.scope) else {
      statusLine.toast = Toast(words(.noFolder))
      return []
    }
    return setFolder(folder, isClosed: !shown.sources.isClosed(folder))
  }

  private mutating func setFolder(_ folder: Folder, isClosed: Bool) -> [Effect] {
    let effects = changePreferences {
      if isClosed { $0.closedFolders.insert(folder) } else { $0.closedFolders.remove(folder) }
    }
    shown.sources.select(.folder(folder))
    return effects
  }

  /// So that a source that was looked for is in sight.
  mutating func openFolders(around scope: InboxQuery.Scope) -> [Effect] {
    guard case .source(let id) = scope, let folder = shown.sources.status(id)?.source.folder else {
      return []
    }
    return changePreferences { $0.closedFolders.subtract(folder.chain) }
  }

  /// Back, in the sources' pane: a filter goes, an open folder closes, from elsewhere the selection goes to its folder.
  mutating func leaveFolder() -> [Effect] {
    if !shown.sources.view.filter.isEmpty {
      shown.sources.change { $0.filter = "" }
      return []
    }
    switch shown.sources.scope {
    case .folder(let folder) where !shown.sources.isClosed(folder): return setFolder(folder, isClosed: true)
    case .folder(let folder): if let parent = folder.parent { shown.sources.select(.folder(parent)) }
    case .source(let id):
      if let folder = shown.sources.status(id)?.source.folder { shown.sources.select(.folder(folder)) }
    case .all, .starred, .snoozed, .dismissed, .hidden, .list: break
    }
    return []
  }

  // MARK: Order and filters

  mutating func sortSources() -> [Effect] {
    let orders = SourceTree.Order.allCases
    let place = orders.firstIndex(of: preferences.sourceOrder) ?? 0
    let next = orders[(place + 1) % orders.count]
    let phrase: Phrase =
      switch next {
      case .file: .sortedByFile
      case .name: .sortedByName
      case .unread: .sortedByUnread
      }
    statusLine.toast = Toast(words(phrase))
    return changePreferences { $0.sourceOrder = next }
  }

  mutating func hideRead() -> [Effect] {
    let hides = !preferences.hidesRead
    statusLine.toast = Toast(words(hides ? .readHidden : .readShown))
    return changePreferences { $0.hidesRead = hides }
  }

  // MARK: Going to a source

  /// The next saved list or source with unread messages, in the order of the pane.
  mutating func goToSource(forward: Bool) -> [Effect] {
    let from = focus.pane == .sources ? shown.sources.scope : shown.list.query.scope
    let sources = shown.sources
    guard let next = sources.nextScope(from: from, forward: forward, where: { sources.unread(in: $0) > 0 })
    else {
      statusLine.toast = Toast(words(.noUnreadAtAll))
      return []
    }
    return choose(next)
  }

  /// The next source whose last poll failed, or saved list with a mistake, with the reason.
  mutating func goToFailed() -> [Effect] {
    let from: InboxQuery.Scope
    if case .problem(let id, _)? = dialog.overlay {
      from = .source(id)
    } else {
      from = shown.list.query.scope
    }
    dialog.overlay = nil
    let sources = shown.sources
    guard let next = sources.nextScope(from: from, forward: true, where: sources.hasFailed) else {
      statusLine.toast = Toast(words(.noneFailed))
      return []
    }
    let effects = openFolders(around: next) + choose(next)
    // The empty list itself says what is wrong with it.
    if case .source(let id) = next { dialog.overlay = .problem(id) }
    return effects
  }
}
