package import Foundation

/// The messages that a list shows.
package struct InboxQuery: Hashable, Sendable {
  package enum Scope: Hashable, Sendable {
    case all
    case starred
    /// The questions of programs, including read and dismissed ones, the newest first.
    case waiting
    case source(SourceID)
    /// All sources in this folder or in a folder inside it.
    case folder(Folder)
    /// The snoozed messages, the next to return first.
    case snoozed
    /// The dismissed messages, the last dismissed first.
    case dismissed
    /// The messages that rules hide, the last hidden first.
    case hidden
    /// The messages that the query of a saved list matches, among all messages.
    case list(SavedListID)

    /// Whether the messages of this list are in no other list.
    package var isOutOfInbox: Bool { self == .snoozed || self == .dismissed || self == .hidden }

    package var isSavedList: Bool { if case .list = self { true } else { false } }
  }

  /// The maximum number of a search's matches that are counted.
  package static let mostHits = 1000

  package var scope: Scope
  package var isUnreadOnly: Bool
  /// A query; `nil` or an empty string lists everything. An invalid query matches nothing.
  package var search: String?
  /// Whether the search is a finished query. Otherwise the user is still typing: its last word may continue, and
  /// unfinished parts are left out.
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

  /// Whether a message is above another one in this list.
  package func isBefore(_ a: ListKey, _ b: ListKey) -> Bool {
    switch order {
    case .newest: b < a
    case .oldest: a.rank == b.rank ? a < b : b < a
    case .source, .priority:
      a.rank == b.rank && a.group != b.group ? a.group < b.group : b < a
    }
  }
}

/// The part of a list to load: rows around a position, never the whole list.
package struct InboxWindow: Hashable, Sendable {
  package enum Anchor: Hashable, Sendable {
    case start
    case end
    /// The row of this key, or the next one if it no longer exists.
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
  /// The rows in the query's order.
  package var rows: [MessageRow]
  /// The rows that arrived since the user last viewed their lists.
  package var unseen: Set<MessageID> = []
  package var hasMoreBefore: Bool
  package var hasMoreAfter: Bool
  /// The stored number of the list's messages, or `nil` if none is stored.
  package var count: Int?
  /// The times of the oldest and the newest message of normal rank; set only in a list by time that has messages above
  /// the window.
  package var times: ClosedRange<Int64>?
  /// The sources in the order of the settings.
  package var sources: [SourceStatus]
  /// The number of unread messages of all sources.
  package var unread: Int
  package var total: Int
  package var starred: Int
  /// Whether a source has unseen messages, for which a dot is shown.
  package var isUnseen: Bool
  /// The id of the last stored message.
  package var newest: MessageID
  /// Whether `U` can undo an action.
  package var canUndo: Bool
  /// The number of snoozed messages, counted up to 1000.
  package var snoozed = 0
  /// The number of programs that wait for the user.
  package var waiting = 0
  package var hasDismissed = false
  /// The number of messages that each rule hides, sorted by number, highest first.
  package var hidden: [HiddenCount] = []
  /// The saved lists, in the order of the settings.
  package var lists: [SavedListStatus] = []
  /// The time down to which an unfinished search has examined messages: the rows are the matches so far, and the search
  /// must continue. `nil` if the search is finished.
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

/// The number of messages that a rule hides.
package struct HiddenCount: Hashable, Sendable {
  package var rule: String
  package var count: Int

  package init(rule: String, count: Int) {
    self.rule = rule
    self.count = count
  }
}

/// The result of a search that may stop before it has examined everything.
package struct SearchPart<Found: Sendable>: Sendable {
  package var found: Found
  /// The time down to which messages were examined, or `nil` if the search is finished. Otherwise the search must
  /// continue.
  package var lookedTo: Date?

  package init(found: Found, lookedTo: Date?) {
    self.found = found
    self.lookedTo = lookedTo
  }
}
