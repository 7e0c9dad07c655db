import Messages
import Screen
import Words

/// Finding a source among many.
extension AppState {
  /// Changes the preferences and shows the result. Returns the effects that store the changes.
  mutating func changePreferences(_ change: (inout Preferences) -> Void) -> [Effect] {
    let old = preferences
    change(&preferences)
    showPreferences()
    return preferences.changes(since: old).map { .remember($0.name, $0.value) }
      + preferences.listChanges(since: old).map { .rememberList($0.list, $0.state) }
  }

  /// Applies the preferences to the sources' pane.
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
    guard let folder = shown.sources.folder(of: shown.sources.scope) else { return report(words(.noFolder)) }
    return setFolder(folder, isClosed: !shown.sources.isClosed(folder))
  }

  private mutating func setFolder(_ folder: Folder, isClosed: Bool) -> [Effect] {
    let effects = changePreferences {
      if isClosed { $0.closedFolders.insert(folder) } else { $0.closedFolders.remove(folder) }
    }
    shown.sources.select(.folder(folder))
    return effects
  }

  /// Opens the folders around a source, so that a source that was searched for is visible.
  mutating func openFolders(around scope: InboxQuery.Scope) -> [Effect] {
    guard case .source(let id) = scope, let folder = shown.sources.status(id)?.source.folder else {
      return []
    }
    return changePreferences { $0.closedFolders.subtract(folder.chain) }
  }

  /// Handles Back in the sources' pane: removes a filter, closes an open folder, or selects the folder of the
  /// selection.
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
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .list: break
    }
    return []
  }

  // MARK: Order and filters

  /// Sorts the sources within each folder.
  ///
  /// - Parameter name: the name of an order, or `nil` for the next one.
  mutating func sortSources(_ name: String?) -> [Effect] {
    let orders = SourceTree.Order.allCases
    let place = orders.firstIndex(of: preferences.sourceOrder) ?? 0
    let next = name.flatMap(SourceTree.Order.init) ?? orders[(place + 1) % orders.count]
    let phrase: Phrase =
      switch next {
      case .file: .sortedByFile
      case .name: .sortedByName
      case .unread: .sortedByUnread
      }
    report(words(phrase))
    return changePreferences { $0.sourceOrder = next }
  }

  /// Hides the sources and saved lists without unread messages, or shows them again.
  mutating func hideRead() -> [Effect] {
    let hides = !preferences.hidesRead
    report(words(hides ? .readHidden : .readShown))
    return changePreferences { $0.hidesRead = hides }
  }

  // MARK: Going to a source

  /// Moves to the next saved list or source with unread messages, in the order of the pane.
  mutating func goToSource(forward: Bool) -> [Effect] {
    let from = focus.pane == .sources ? shown.sources.scope : shown.list.query.scope
    let sources = shown.sources
    guard let next = sources.nextScope(from: from, forward: forward, where: { sources.unread(in: $0) > 0 })
    else { return report(words(.noUnreadAtAll)) }
    return choose(next)
  }

  /// Moves to the next source whose last poll failed, or saved list with an error, and shows the reason.
  mutating func goToFailed() -> [Effect] {
    let from: InboxQuery.Scope
    if case .problem(let id)? = dialog.overlay {
      from = .source(id)
    } else {
      from = shown.list.query.scope
    }
    dialog.overlay = nil
    let sources = shown.sources
    guard let next = sources.nextScope(from: from, forward: true, where: sources.hasFailed) else {
      return report(words(.noneFailed))
    }
    let effects = openFolders(around: next) + choose(next)
    // The empty list itself explains its error.
    if case .source(let id) = next { dialog.show(.problem(id)) }
    return effects
  }
}
