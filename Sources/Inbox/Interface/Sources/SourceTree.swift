import Foundation
import Messages
import Screen

/// The lines of the sources' pane: the lists over all sources, with the saved ones, then the sources in their
/// folders, then the lists of snoozed, dismissed and hidden messages.
///
/// A folder has the position of the first of its sources. Within the folder, its sources keep their order.
struct SourceTree: Hashable, Sendable {
  struct Line: Hashable, Sendable {
    var scope: InboxQuery.Scope
    /// The number of folders that contain the line.
    var depth = 0
    /// Whether the line begins a group, because the line above it is of another kind.
    var startsGroup = false
  }

  /// The values of a folder: the total of unread messages, whether something is unseen, and the sources. They
  /// include those of its subfolders.
  struct Sum: Hashable, Sendable {
    var unread = 0
    var isUnseen = false
    var sources: [SourceID] = []
  }

  /// The order of sources within each folder.
  package enum Order: String, CaseIterable, Hashable, Sendable {
    /// `file` is the order of the settings file, `name` sorts by title, and `unread` by the number of unread messages,
    /// the largest first.
    case file, name, unread
  }

  private(set) var lines: [Line] = []
  private(set) var sums: [Folder: Sum] = [:]
  /// All sources in the order of the pane, including those in closed folders.
  private(set) var sources: [SourceID] = []

  private enum Node {
    /// A source, by its index among the statuses.
    case source(Int)
    case folder(Folder, Branch)
  }

  /// The sources and subfolders of a folder.
  private final class Branch {
    var nodes: [Node] = []
  }

  /// The part of the tree that the pane shows.
  struct View: Hashable, Sendable {
    var closed: Set<Folder> = []
    var order = Order.file
    /// Whether sources and saved lists without unread messages are left out, except the shown one.
    var isUnreadOnly = false
    /// The lists of dismissed, snoozed and hidden messages that are not empty; they come last.
    var putAway: [InboxQuery.Scope] = []
    /// Whether a program waits for the user. The list of waiting messages is the first line then.
    var isWaiting = false
    /// The filter: only lines whose title, name or folder contains this text are shown, in open folders. Empty for all
    /// lines.
    var filter = ""
  }

  /// - Parameters:
  ///   - titles: the title of each source on the screen.
  ///   - shown: the list that is shown; its line is never left out.
  init(
    _ statuses: [SourceStatus], lists: [SavedListStatus] = [], titles: [SourceID: SafeText], view: View,
    shown: InboxQuery.Scope
  ) {
    let top = Branch()
    var branches: [Folder: Branch] = [:]
    func branch(of folder: Folder?) -> Branch {
      guard let folder else { return top }
      if let known = branches[folder] { return known }
      let new = Branch()
      branches[folder] = new
      branch(of: folder.parent).nodes.append(.folder(folder, new))
      return new
    }
    for (index, status) in statuses.enumerated() {
      branch(of: status.source.folder).nodes.append(.source(index))
    }
    _ = sum(top, statuses)
    leaveOutCopies(statuses)
    let filter = SearchText.folded(view.filter)
    let builder = Builder(statuses: statuses, titles: titles, view: view, filter: filter, shown: shown)
    if filter.isEmpty {
      lines = view.isWaiting || shown == .waiting ? [Line(scope: .waiting)] : []
      lines += [Line(scope: .all), Line(scope: .starred)]
    }
    let listsStart = lines.count
    for list in lists where builder.isShown(list) { lines.append(Line(scope: .list(list.id))) }
    let sourcesStart = lines.count
    add(top, depth: 0, isOpen: true, builder)
    let putAwayStart = lines.count
    for scope in [InboxQuery.Scope.snoozed, .dismissed, .hidden]
    where filter.isEmpty && (view.putAway.contains(scope) || scope == shown) {
      lines.append(Line(scope: scope))
    }
    for start in [listsStart, sourcesStart, putAwayStart] where start > 0 && start < lines.count {
      lines[start].startsGroup = true
    }
  }

  /// The values that decide which lines are shown.
  private struct Builder {
    var statuses: [SourceStatus]
    var titles: [SourceID: SafeText]
    var view: View
    var filter: String
    var shown: InboxQuery.Scope

    func isShown(_ status: SourceStatus) -> Bool {
      if !filter.isEmpty {
        return SearchText.folded(titles[status.source.id]?.text ?? "").contains(filter)
          || SearchText.folded(status.source.name).contains(filter)
          || SearchText.folded(status.source.folder?.path ?? "").contains(filter)
      }
      return !view.isUnreadOnly || status.unread > 0 || shown == .source(status.source.id)
    }

    func isShown(_ list: SavedListStatus) -> Bool {
      if !filter.isEmpty { return SearchText.folded(list.list.name).contains(filter) }
      return !view.isUnreadOnly || list.unread != 0 || shown == .list(list.id)
    }
  }

  /// Computes the sums of the folders in a branch, and returns the sum of the branch itself.
  private mutating func sum(_ branch: Branch, _ statuses: [SourceStatus]) -> Sum {
    var sum = Sum()
    for node in branch.nodes {
      switch node {
      case .source(let index):
        let status = statuses[index]
        sum.unread += status.unread
        sum.isUnseen = sum.isUnseen || status.isUnseen
        sum.sources.append(status.source.id)
      case .folder(let folder, let inner):
        let inner = self.sum(inner, statuses)
        sums[folder] = inner
        sum.unread += inner.unread
        sum.isUnseen = sum.isUnseen || inner.isUnseen
        sum.sources += inner.sources
      }
    }
    return sum
  }

  /// Counts a message of several sources of a folder only once in the folder's sum.
  private mutating func leaveOutCopies(_ statuses: [SourceStatus]) {
    guard !sums.isEmpty, statuses.contains(where: { !$0.counts.duplicates.isEmpty }) else { return }
    for (folder, sum) in sums {
      let sources = Set(sum.sources)
      sums[folder]?.unread = UnreadCounts.sum(of: statuses.filter { sources.contains($0.source.id) })
    }
  }

  /// Adds the lines and sources of a branch.
  private mutating func add(_ branch: Branch, depth: Int, isOpen: Bool, _ builder: Builder) {
    for node in sorted(branch.nodes, builder) {
      switch node {
      case .source(let index):
        let status = builder.statuses[index]
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
      // Sources with equal numbers keep the file's order.
      nodes.enumerated().sorted {
        (unread($0.element, builder), $1.offset) > (unread($1.element, builder), $0.offset)
      }
      .map(\.element)
    }
  }

  private func name(_ node: Node, _ builder: Builder) -> String {
    switch node {
    case .source(let index):
      let source = builder.statuses[index].source
      return SearchText.folded(builder.titles[source.id]?.text ?? source.name)
    case .folder(let folder, _): return SearchText.folded(folder.name)
    }
  }

  private func unread(_ node: Node, _ builder: Builder) -> Int {
    switch node {
    case .source(let index): builder.statuses[index].unread
    case .folder(let folder, _): sums[folder]?.unread ?? 0
    }
  }

  func index(of scope: InboxQuery.Scope) -> Int? { lines.firstIndex { $0.scope == scope } }
}
