import Basics
import Messages
import Words

/// The changes that the user made to one list with keys. `nil` means the value in the settings.
struct ListState: Hashable, Sendable {
  var order: ListOrder?
  var isUnreadOnly = false
  var rowLines: RowLines?
  /// The share of the list next to the reader, in percent of the screen's columns.
  var share: Int?

  init() {}

  // MARK: As text, the stored form

  /// The state in the form `order=oldest unread rows=2 list=40`, or `nil` if nothing was changed.
  var text: String? {
    let parts = [
      order.map { "order=\($0.rawValue)" }, isUnreadOnly ? "unread" : nil,
      rowLines.map { "rows=\($0 == .one ? 1 : 2)" },
      share.map { "list=\($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Reads `text`. Unknown parts and values out of range are ignored.
  init(text: String) {
    for part in text.split(onBytes: " ") {
      let pair = part.split(onBytes: "=", omittingEmptySubsequences: false).map(String.init)
      switch (pair[0], pair.count) {
      case ("unread", 1): isUnreadOnly = true
      case ("order", 2): order = ListOrder(rawValue: pair[1])
      case ("rows", 2):
        rowLines = pair[1] == "1" ? .one : pair[1] == "2" ? .two : nil
      case ("list", 2): share = Int(pair[1]).flatMap { PaneShares.range.contains($0) ? $0 : nil }
      default: continue
      }
    }
  }
}

/// Stores and restores the state of each list.
extension AppState {
  /// The state of the list on screen.
  var listState: ListState { preferences.lists[shown.list.query.scope] ?? ListState() }

  var rowLines: RowLines { listState.rowLines ?? options.layout.rowLines }

  /// The shares of the panes for the list on screen. The shares of the sources and of the polls are the same for all
  /// lists.
  var shares: PaneShares {
    var shares = preferences.shares.over(options.layout.shares)
    if let own = listState.share { shares.list = own }
    return shares
  }

  /// Returns the query of a list with its stored state.
  func query(of scope: InboxQuery.Scope) -> InboxQuery {
    InboxQuery(scope, preferences.lists[scope] ?? ListState(), options.layout)
  }
}

extension InboxQuery {
  init(_ scope: Scope, _ state: ListState, _ layout: LayoutOptions) {
    self.init(scope: scope, isUnreadOnly: state.isUnreadOnly, order: state.order ?? layout.order)
  }
}
