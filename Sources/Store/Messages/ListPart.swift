/// A part of a list, in the list's order: from one message to another, or to the list's end.
///
/// It can contain messages that are not loaded. The store finds them when it stores the action.
package struct ListPart: Hashable, Sendable {
  package var query: InboxQuery
  /// The first message, or `nil` for the list's start. The message may no longer be in the list.
  package var first: ListKey?
  /// The last message, or `nil` for the list's end.
  package var last: ListKey?
  /// The maximum number of messages of the part, from its first one on, or `nil` for no limit.
  package var limit: Int?
  /// The newest message at the time of the user's decision: later ones aren't included.
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

  /// Whether a message of the list is in this part, regardless of its limit.
  package func contains(_ key: ListKey) -> Bool {
    key.id <= newest && first.map { !query.isBefore(key, $0) } != false
      && last.map { !query.isBefore($0, key) } != false
  }
}

/// The messages of one action: some by their ids, some as parts of lists.
package struct MessageSelection: Hashable, Sendable {
  package var ids: [MessageID]
  package var parts: [ListPart]
  /// The messages of the parts that the action leaves out.
  package var except: [MessageID]

  package init(_ ids: [MessageID], parts: [ListPart] = [], except: [MessageID] = []) {
    self.ids = ids
    self.parts = parts
    self.except = except
  }
}

/// The messages of a list that are passed to a program or written to a file, in the list's order.
package struct GivenMessages: Hashable, Sendable {
  /// The loaded messages and those that were marked one by one, in list order.
  package var keys: [ListKey]
  /// The parts of the list that extend beyond the loaded rows.
  package var parts: [ListPart]
  /// The messages of the parts that are left out.
  package var except: Set<MessageID>

  package init(_ keys: [ListKey], parts: [ListPart] = [], except: Set<MessageID> = []) {
    self.keys = keys
    self.parts = parts
    self.except = except
  }
}
