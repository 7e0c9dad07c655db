package import Foundation

/// Which messages a list shows.
package struct InboxQuery: Hashable, Sendable {
  package enum Scope: Hashable, Sendable {
    case all
    case starred
    case source(SourceID)
  }

  package var scope: Scope
  package var isUnreadOnly: Bool
  /// Words to search for in title, body and author; nil or empty lists everything.
  package var search: String?

  package init(scope: Scope = .all, isUnreadOnly: Bool = false, search: String? = nil) {
    self.scope = scope
    self.isUnreadOnly = isUnreadOnly
    self.search = search
  }
}

/// Which part of a list to load: rows around a place in it, never the whole.
package struct InboxWindow: Hashable, Sendable {
  package enum Anchor: Hashable, Sendable {
    case start
    case end
    /// The row of this key, or the one that would follow it where it is gone.
    case key(ListKey)
  }

  package var anchor: Anchor
  /// Rows wanted above the anchor's row.
  package var before: Int
  /// Rows wanted from the anchor's row on, that row included.
  package var after: Int

  package init(anchor: Anchor = .start, before: Int = 0, after: Int = 200) {
    self.anchor = anchor
    self.before = before
    self.after = after
  }
}

/// A list as it stood at one instant of the store: a window of rows, and the counts that the store keeps.
package struct InboxSnapshot: Hashable, Sendable {
  package var query: InboxQuery
  package var window: InboxWindow
  /// In list order, newest first.
  package var rows: [MessageRow]
  package var hasMoreBefore: Bool
  package var hasMoreAfter: Bool
  /// By name order of the settings.
  package var sources: [SourceStatus]
  /// Unread messages of all sources.
  package var unread: Int
  package var total: Int
  package var starred: Int
  /// Something arrived that nobody has looked at.
  package var isUnseen: Bool
  /// How many acts `U` can still take back; only whether there is one matters to the screen.
  package var canUndo: Bool

  package init(
    query: InboxQuery, window: InboxWindow, rows: [MessageRow], hasMoreBefore: Bool, hasMoreAfter: Bool,
    sources: [SourceStatus], unread: Int, total: Int, starred: Int, isUnseen: Bool, canUndo: Bool
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
    self.canUndo = canUndo
  }
}

/// What a person did to messages; each is one row of the journal and can be undone.
package enum UserAct: Hashable, Sendable {
  case read([MessageID])
  case unread([MessageID])
  case star([MessageID])
  case unstar([MessageID])
  case dismiss([MessageID])
  /// Off the lists until then; back unread and on top.
  case snooze([MessageID], until: Date)
  /// Every message of the list as it stands, whatever part of it is on screen.
  case readAll(InboxQuery)
}
