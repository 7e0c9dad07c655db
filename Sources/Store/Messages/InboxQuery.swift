package import Foundation

/// Which messages a list shows.
package struct InboxQuery: Hashable, Sendable {
  package enum Scope: Hashable, Sendable {
    case all
    case starred
    case source(SourceID)
    /// All sources that are filed there, or in a folder inside of it.
    case folder(Folder)
    /// What waits for its time, the next one first.
    case snoozed
    /// What was dismissed, the last one first.
    case dismissed
    /// What rules hide, the last one first.
    case hidden
    /// What the query of a saved list means, among all messages.
    case list(SavedListID)

    /// Whether its messages are in no other list.
    package var isPutAway: Bool { self == .snoozed || self == .dismissed || self == .hidden }

    package var isSavedList: Bool { if case .list = self { true } else { false } }
  }

  /// How many messages that a search finds are counted.
  package static let mostHits = 1000

  package var scope: Scope
  package var isUnreadOnly: Bool
  /// A query; nil or empty lists everything. What isn't one finds nothing.
  package var search: String?
  /// Whether the search is a finished query. Else somebody types it: its last word may go on, and what isn't finished is
  /// left out.
  package var isStrict = false
  package var order: ListOrder

  package init(
    scope: Scope = .all, isUnreadOnly: Bool = false, search: String? = nil, order: ListOrder = .newest
  ) {
    self.scope = scope
    self.isUnreadOnly = isUnreadOnly
    self.search = search
    self.order = order
  }

  /// Whether a message stands above another one in this list.
  package func isBefore(_ a: ListKey, _ b: ListKey) -> Bool {
    switch order {
    case .newest: b < a
    case .oldest: a.standing == b.standing ? a < b : b < a
    case .source, .priority:
      a.standing == b.standing && a.group != b.group ? a.group < b.group : b < a
    }
  }
}

/// Which part of a list to load: rows around a position, never the whole list.
package struct InboxWindow: Hashable, Sendable {
  package enum Anchor: Hashable, Sendable {
    case start
    case end
    /// The row of this key, or the next one if it does not exist any more.
    case key(ListKey)
  }

  package var anchor: Anchor
  /// The number of rows above the anchor's row.
  package var before: Int
  /// The number of rows from the anchor's row on, including it.
  package var after: Int

  package init(anchor: Anchor = .start, before: Int = 0, after: Int = 200) {
    self.anchor = anchor
    self.before = before
    self.after = after
  }
}

/// A list at one instant of the store: a window of rows, and the stored counts.
package struct InboxSnapshot: Hashable, Sendable {
  package var query: InboxQuery
  package var window: InboxWindow
  /// In the query's order.
  package var rows: [MessageRow]
  /// Those of the rows that came since somebody looked at their lists.
  package var unseen: Set<MessageID> = []
  package var hasMoreBefore: Bool
  package var hasMoreAfter: Bool
  /// In the order of the settings.
  package var sources: [SourceStatus]
  /// Unread messages of all sources.
  package var unread: Int
  package var total: Int
  package var starred: Int
  /// Whether a source has its dot on.
  package var isUnseen: Bool
  /// The last message that was stored.
  package var newest: MessageID
  /// Whether `U` can undo an act.
  package var canUndo: Bool
  /// How many messages are snoozed; counted up to 1000.
  package var snoozed = 0
  package var hasDismissed = false
  /// How many messages each rule hides, most first.
  package var hidden: [HiddenCount] = []
  /// The saved lists, in the order of the settings.
  package var lists: [SavedListStatus] = []
  /// Of a search that isn't finished: everything that is newer was looked at, and the rows are those found so far. To be
  /// asked for again.
  package var lookedTo: Date?

  package init(
    query: InboxQuery, window: InboxWindow, rows: [MessageRow], hasMoreBefore: Bool, hasMoreAfter: Bool,
    sources: [SourceStatus], unread: Int, total: Int, starred: Int, isUnseen: Bool, newest: MessageID,
    canUndo: Bool
  ) {
    self.query = query
    self.window = window
    self.rows = rows
    self.hasMoreBefore = hasMoreBefore
    self.hasMoreAfter = hasMoreAfter
    self.sources = sources
    self.unread = unread
    self.total = total
    self.starred = starred
    self.isUnseen = isUnseen
    self.newest = newest
    self.canUndo = canUndo
  }
}

/// How many messages a rule hides.
package struct HiddenCount: Hashable, Sendable {
  package var rule: String
  package var count: Int

  package init(rule: String, count: Int) {
    self.rule = rule
    self.count = count
  }
}

/// What a search has found, if it may end before it has looked everywhere.
package struct SearchPart<Found: Sendable>: Sendable {
  package var found: Found
  /// nil once it is finished; else to be asked for again.
  package var lookedTo: Date?

  package init(found: Found, lookedTo: Date?) {
    self.found = found
    self.lookedTo = lookedTo
  }
}
