import Foundation
package import Messages
import Screen
import Words

/// The left pane: all messages, the starred ones, the saved lists, then the sources in their folders.
package struct SourceList: Hashable, Sendable {
  package private(set) var statuses: [SourceStatus] = []
  /// The saved lists of the settings.
  package private(set) var lists: [SavedListStatus] = []
  /// The title of each source, safe for the screen.
  private(set) var titles: [SourceID: SafeText] = [:]
  private(set) var widestTitle = 0
  private(set) var tree = SourceTree([], titles: [:], view: SourceTree.View(), shown: .all)
  private(set) var view = SourceTree.View()
  /// The index of the selected line; the list may show another source until it is opened.
  package private(set) var cursor = 0
  /// The index of the first visible line.
  private(set) var top = 0
  /// Whether a row is left free between groups of lines.
  private var hasGaps = false
  /// The number of rows left free between groups if all lines are on the screen.
  private var gaps = 0
  private var byID: [SourceID: Int] = [:]
  /// The data of polled sources from which the summary of their polls is made: a small part of each source.
  private(set) var polled: [Polled] = []

  struct Polled: Hashable {
    var id: SourceID
    /// The time at which the last attempt to poll the source ended.
    var last: Date?
    var hasFailed: Bool
  }

  /// The scope of the list on screen, whose line is never left out.
  private var shown = InboxQuery.Scope.all

  var count: Int { tree.lines.count }
  /// The list of the selected line.
  var scope: InboxQuery.Scope { scope(at: cursor) ?? .all }

  func scope(at index: Int) -> InboxQuery.Scope? {
    tree.lines.indices.contains(index) ? tree.lines[index].scope : nil
  }

  /// Returns the index of the line for a scope, or of the closed folder that hides the line.
  func index(of scope: InboxQuery.Scope) -> Int? {
    if let index = tree.index(of: scope) { return index }
    let folder: Folder? =
      switch scope {
      case .source(let id): status(id)?.source.folder
      case .folder(let folder): folder.parent
      case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .list: nil
      }
    return folder?.chain.reversed().lazy.compactMap { tree.index(of: .folder($0)) }.first
  }

  func status(_ id: SourceID) -> SourceStatus? { byID[id].map { statuses[$0] } }

  func list(_ id: SavedListID) -> SavedListStatus? { lists.first { $0.id == id } }

  func title(of list: SavedListID) -> SafeText {
    self.list(list).map { SafeText(untrusted: $0.list.name) } ?? .empty
  }

  /// Returns the name of a folder, safe for the screen.
  func title(of folder: Folder) -> SafeText { SafeText(untrusted: folder.name) }

  /// Whether the scope still exists: a configured source, a folder with a source, or a saved list.
  func hasScope(_ scope: InboxQuery.Scope) -> Bool {
    switch scope {
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting: true
    case .source(let id): byID[id] != nil
    case .folder(let folder): tree.sums[folder] != nil
    case .list(let id): list(id) != nil
    }
  }

  /// The scopes of all saved lists and sources.
  var scopes: [InboxQuery.Scope] { lists.map { .list($0.id) } + statuses.map { .source($0.source.id) } }

  /// Returns the sources of a scope, or `nil` for all of them.
  func sources(in scope: InboxQuery.Scope) -> Set<SourceID>? {
    switch scope {
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .list: nil
    case .source(let id): [id]
    case .folder(let folder): Set(tree.sums[folder]?.sources ?? [])
    }
  }

  /// Returns the folder itself, or the folder of a source.
  func folder(of scope: InboxQuery.Scope) -> Folder? {
    switch scope {
    case .folder(let folder): folder
    case .source(let id): status(id)?.source.folder
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .list: nil
    }
  }

  /// Replaces the sources and saved lists. The selection is kept.
  ///
  /// - Parameter lists: the saved lists, or `nil` if they have not changed.
  mutating func apply(
    _ statuses: [SourceStatus], lists: [SavedListStatus]? = nil, words: Words, shown: InboxQuery.Scope
  ) {
    let lists = lists ?? self.lists
    guard statuses != self.statuses || lists != self.lists || shown != self.shown else { return }
    self.shown = shown
    self.lists = lists
    if statuses != self.statuses {
      self.statuses = statuses
      polled = statuses.filter { $0.source.kind.row.isPolled }.map {
        Polled(
          id: $0.source.id, last: $0.state.lastAttemptEnd, hasFailed: $0.state.isFailing || $0.state.isGone)
      }
      byID = Dictionary(
        statuses.enumerated().map { ($1.source.id, $0) }, uniquingKeysWith: { first, _ in first })
      name(words)
    }
    arrange()
  }

  /// Updates the titles of the sources for a language.
  mutating func name(_ words: Words) {
    titles = words.titles(of: statuses)
    widestTitle = titles.values.map(\.columns).max() ?? 0
  }

  // MARK: What the pane shows

  mutating func change(_ change: (inout SourceTree.View) -> Void) {
    change(&view)
    arrange()
  }

  func isClosed(_ folder: Folder) -> Bool { view.filter.isEmpty && view.closed.contains(folder) }

  /// Rebuilds the lines. The selection stays on its line, or on the folder that now hides the line. If the line is
  /// gone, the next one is selected.
  private mutating func arrange() {
    let scope = scope
    let (before, after) = (tree.lines.prefix(cursor), tree.lines.dropFirst(cursor + 1))
    tree = SourceTree(statuses, lists: lists, titles: titles, view: view, shown: shown)
    gaps = tree.lines.dropFirst().count { $0.startsGroup }
    let neighbours = after.map(\.scope) + before.reversed().map(\.scope)
    cursor = index(of: scope) ?? neighbours.lazy.compactMap(tree.index(of:)).first ?? 0
  }

  // MARK: Moving

  mutating func select(_ index: Int) { cursor = min(max(0, index), max(0, count - 1)) }

  mutating func select(_ scope: InboxQuery.Scope) { cursor = index(of: scope) ?? cursor }

  /// Selects the first line that matches the typed filter.
  mutating func selectFirstFound() {
    select(
      tree.lines.firstIndex {
        switch $0.scope {
        case .source, .list: true
        case .all, .starred, .folder, .snoozed, .dismissed, .hidden, .waiting: false
        }
      } ?? 0)
  }

  mutating func scroll(by steps: Int, visible: Int) {
    top = min(max(0, top + steps), lastTop(visible: visible))
    select(min(max(cursor, top), index(atRow: visible - 1, nearest: true) ?? cursor))
  }

  /// Scrolls so that the selected line is visible.
  ///
  /// - Parameters:
  ///   - visible: the rows of the pane, or `nil` while it is not on screen; its position is kept then.
  ///   - hasGaps: whether a row is left free between lists of different kinds, unless these rows would push the last
  ///     lists out of the pane.
  mutating func fit(visible: Int?, hasGaps: Bool) {
    select(cursor)
    guard let visible else { return }
    self.hasGaps = hasGaps && (count > visible || count + gaps <= visible)
    top = min(max(0, top), lastTop(visible: visible), cursor)
    while row(of: cursor, from: top) >= visible { top += 1 }
  }

  // MARK: Rows of the pane

  /// Returns the row of a line on screen, with the top line as the first one.
  private func row(of index: Int, from top: Int) -> Int {
    guard hasGaps, index > top else { return index - top }
    return index - top + tree.lines[top + 1...index].count { $0.startsGroup }
  }

  /// Returns the last line with which the pane can begin without free rows below the last line.
  private func lastTop(visible: Int) -> Int {
    guard count > 0 else { return 0 }
    var top = max(0, count - visible)
    while row(of: count - 1, from: top) >= visible, top < count - 1 { top += 1 }
    return top
  }

  /// Returns the lines on screen, each with its row.
  func linesOnScreen(visible: Int) -> [(index: Int, row: Int)] {
    var lines: [(index: Int, row: Int)] = []
    var row = 0
    for index in tree.lines.indices.dropFirst(top) {
      if hasGaps, tree.lines[index].startsGroup, index > top { row += 1 }
      guard row < visible else { break }
      lines.append((index, row))
      row += 1
    }
    return lines
  }

  /// Returns the line in a row of the pane.
  ///
  /// - Parameter nearest: whether a row without a line gives the line above it.
  func index(atRow row: Int, nearest: Bool = false) -> Int? {
    let lines = linesOnScreen(visible: row + 1)
    return nearest ? lines.last?.index : lines.last { $0.row == row }?.index
  }

  /// Returns the next source in the order of the pane that fulfils a condition, from a scope on and then from the other
  /// end.
  func next(
    from scope: InboxQuery.Scope, forward: Bool, where isWanted: (SourceStatus) -> Bool
  ) -> SourceID? {
    let found = nextScope(from: scope, forward: forward) { scope in
      if case .source(let id) = scope { status(id).map(isWanted) ?? false } else { false }
    }
    if case .source(let id)? = found { return id }
    return nil
  }

  /// Returns the next saved list or source in the order of the pane that fulfils a condition.
  func nextScope(
    from scope: InboxQuery.Scope, forward: Bool, where isWanted: (InboxQuery.Scope) -> Bool
  ) -> InboxQuery.Scope? {
    let all = lists.map { InboxQuery.Scope.list($0.id) } + tree.sources.map { .source($0) }
    let scopes = forward ? all : all.reversed()
    let start: Int
    if let index = scopes.firstIndex(of: scope) {
      start = index + 1
    } else if case .folder(let folder) = scope {
      // From its line, the motion goes into the folder, or past it.
      start = scopes.firstIndex { self.folder(of: $0).map { folder.contains($0) } ?? false } ?? 0
    } else {
      start = 0
    }
    return (scopes[start...] + scopes[..<start]).first(where: isWanted)
  }

  func unread(in scope: InboxQuery.Scope) -> Int {
    switch scope {
    case .source(let id): status(id)?.unread ?? 0
    case .list(let id): list(id)?.unread ?? 0
    case .folder(let folder): tree.sums[folder]?.unread ?? 0
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting: 0
    }
  }

  /// Whether the source could not be polled, or the list has an error.
  func hasFailed(_ scope: InboxQuery.Scope) -> Bool {
    switch scope {
    case .source(let id): status(id).map { $0.state.isFailing || $0.state.isGone } ?? false
    case .list(let id): list(id)?.list.mistaken != nil
    case .all, .starred, .folder, .snoozed, .dismissed, .hidden, .waiting: false
    }
  }
}
