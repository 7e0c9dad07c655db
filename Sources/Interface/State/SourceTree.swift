import Foundation
import Messages

/// The lines of the sources' pane: the lists over all sources, the saved ones among them, then the sources in their folders.
///
/// A folder is where the first of its sources is; in it, the others follow in their order.
struct SourceTree: Hashable, Sendable {
  struct Line: Hashable, Sendable {
    var scope: InboxQuery.Scope
    /// Folders around it.
    var depth = 0
  }

  /// Of all sources of a folder, and of the folders inside of it.
  struct Sum: Hashable, Sendable {
    var unread = 0
    var isUnseen = false
    var sources: [SourceID] = []
  }

  /// In what order sources are, in each folder by itself.
  package enum Order: String, CaseIterable, Hashable, Sendable {
    case file, name, unread
  }

  private(set) var lines: [Line] = []
  private(set) var sums: [Folder: Sum] = [:]
  /// All sources in the order of the pane, those of closed folders too.
  private(set) var sources: [SourceID] = []

  private indirect enum Node {
    case source(SourceStatus)
    case folder(Folder, Branch)
  }

  private final class Branch {
    var nodes: [Node] = []
    var folders: [Folder: Branch] = [:]
  }

  /// What the pane shows of all that there is.
  struct View: Hashable, Sendable {
    var closed: Set<Folder> = []
    var order = Order.file
    /// Sources and saved lists without unread messages are left out, but for the one that is shown.
    var isUnreadOnly = false
    /// The lists of what is put away that have something; they come last.
    var putAway: [InboxQuery.Scope] = []
    /// Only sources whose title or name has these words; folders are open then. Empty: all.
    var filter = ""
  }

  /// - Parameters:
  ///   - titles: what each source is called on the screen.
  ///   - shown: the list that is shown; its line is never left out.
  init(
    _ statuses: [SourceStatus], lists: [SavedListStatus] = [], titles: [SourceID: String], view: View,
    shown: InboxQuery.Scope
  ) {
    let top = Branch()
    for status in statuses {
      var branch = top
      for folder in status.source.folder?.chain ?? [] {
        if let known = branch.folders[folder] {
          branch = known
        } else {
          let new = Branch()
          branch.folders[folder] = new
          branch.nodes.append(.folder(folder, new))
          branch = new
        }
        sums[folder, default: Sum()].unread += status.unread
        sums[folder]?.sources.append(status.source.id)
        if status.isUnseen { sums[folder]?.isUnseen = true }
      }
      branch.nodes.append(.source(status))
    }
    leaveOutCopies(statuses)
    let filter = SearchText.folded(view.filter)
    let builder = Builder(titles: titles, view: view, filter: filter, shown: shown)
    if filter.isEmpty { lines = [Line(scope: .all), Line(scope: .starred)] }
    for list in lists where builder.isShown(list) { lines.append(Line(scope: .list(list.id))) }
    add(top, depth: 0, isOpen: true, builder)
    guard filter.isEmpty else { return }
    for scope in [InboxQuery.Scope.snoozed, .dismissed, .hidden]
    where view.putAway.contains(scope) || scope == shown {
      lines.append(Line(scope: scope))
    }
  }

  private struct Builder {
    var titles: [SourceID: String]
    var view: View
    var filter: String
    var shown: InboxQuery.Scope

    func isShown(_ status: SourceStatus) -> Bool {
      if !filter.isEmpty {
        return SearchText.folded(titles[status.source.id] ?? "").contains(filter)
          || SearchText.folded(status.source.name).contains(filter)
      }
      return !view.isUnreadOnly || status.unread > 0 || shown == .source(status.source.id)
    }

    func isShown(_ list: SavedListStatus) -> Bool {
      if !filter.isEmpty { return SearchText.folded(list.list.name).contains(filter) }
      return !view.isUnreadOnly || list.unread != 0 || shown == .list(list.id)
    }
  }

  /// A message that several sources of a folder brought counts once in its sum.
  private mutating func leaveOutCopies(_ statuses: [SourceStatus]) {
    guard !sums.isEmpty, statuses.contains(where: { !$0.unreadCopies.isEmpty }) else { return }
    for (folder, sum) in sums {
      let sources = Set(sum.sources)
      sums[folder]?.unread = SourceStatus.unread(of: statuses.filter { sources.contains($0.source.id) })
    }
  }

  private mutating func add(_ branch: Branch, depth: Int, isOpen: Bool, _ builder: Builder) {
    for node in sorted(branch.nodes, builder) {
      switch node {
      case .source(let status):
        sources.append(status.source.id)
        guard isOpen, builder.isShown(status) else { continue }
        lines.append(Line(scope: .source(status.source.id), depth: depth))
      case .folder(let folder, let inner):
        let isSearching = !builder.filter.isEmpty
        let count = lines.count
        if isOpen { lines.append(Line(scope: .folder(folder), depth: depth)) }
        let isInnerOpen = isOpen && (isSearching || !builder.view.closed.contains(folder))
        add(inner, depth: depth + 1, isOpen: isInnerOpen, builder)
        let isEmpty = lines.count == count + 1
        let isLeftOut =
          isSearching
          ? isEmpty
          : builder.view.isUnreadOnly && sums[folder]?.unread == 0 && isEmpty
            && builder.shown != .folder(folder)
        if isOpen, isLeftOut { lines.removeLast() }
      }
    }
  }

  private func sorted(_ nodes: [Node], _ builder: Builder) -> [Node] {
    switch builder.view.order {
    case .file: nodes
    case .name:
      nodes.map { ($0, name($0, builder)) }.sorted { $0.1 < $1.1 }.map(\.0)
    case .unread:
      // The file's order for equal numbers.
      nodes.enumerated().sorted { (unread($0.element), $1.offset) > (unread($1.element), $0.offset) }
        .map(\.element)
    }
  }

  private func name(_ node: Node, _ builder: Builder) -> String {
    switch node {
    case .source(let status): SearchText.folded(builder.titles[status.source.id] ?? status.source.name)
    case .folder(let folder, _): SearchText.folded(folder.name)
    }
  }

  private func unread(_ node: Node) -> Int {
    switch node {
    case .source(let status): status.unread
    case .folder(let folder, _): sums[folder]?.unread ?? 0
    }
  }

  func index(of scope: InboxQuery.Scope) -> Int? { lines.firstIndex { $0.scope == scope } }
}
