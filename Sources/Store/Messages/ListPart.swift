/// A part of a list, in the list's order: from one message to another, or to the list's end.
///
/// It names messages that nobody loaded. The store looks for them when the act is written.
package struct ListPart: Hashable, Sendable {
  package var query: InboxQuery
  /// Its first message; nil is the list's start. The message need not be in the list any more.
  package var first: ListKey?
  /// Its last message; nil is the list's end.
  package var last: ListKey?
  /// How many messages from the first one on; nil is all.
  package var limit: Int?
  /// The newest message when the user decided: later ones aren't meant.
  package var newest: MessageID

  package init(
    _ query: InboxQuery, first: ListKey? = nil, last: ListKey? = nil, limit: Int? = nil, newest: MessageID
  ) {
    self.query = query
    self.first = first
    self.last = last
    self.limit = limit
    self.newest = newest
  }

  /// Whether a message of the list is in it, its limit aside.
  package func contains(_ key: ListKey) -> Bool {
    key.id <= newest && first.map { !query.isBefore(key, $0) } != false
      && last.map { !query.isBefore($0, key) } != false
  }
}

/// The messages of one act: some by their ids, some as parts of lists.
package struct MessageSelection: Hashable, Sendable {
  package var ids: [MessageID]
  package var parts: [ListPart]
  /// These are in a part, but aren't meant.
  package var except: [MessageID]

  package init(_ ids: [MessageID], parts: [ListPart] = [], except: [MessageID] = []) {
    self.ids = ids
    self.parts = parts
    self.except = except
  }
}

/// The messages that a program or a file gets, in the order of their list.
package struct GivenMessages: Hashable, Sendable {
  /// Those that are loaded, and those that were marked one by one, in that order.
  package var keys: [ListKey]
  /// Parts of that list which reach beyond what is loaded.
  package var parts: [ListPart]
  /// These are in a part, but aren't meant.
  package var except: Set<MessageID>

  package init(_ keys: [ListKey], parts: [ListPart] = [], except: Set<MessageID> = []) {
    self.keys = keys
    self.parts = parts
    self.except = except
  }
}
