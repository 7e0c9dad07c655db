import Messages

/// The matches of a search.
extension MessageList {
  /// Records that the matches were requested.
  mutating func hitsAsked() { wantsHits = false }

  /// Stores the first matches of the search, unless the list has another query by now.
  mutating func apply(hits: [ListKey], of query: InboxQuery) {
    if query == self.query { found = hits }
  }

  /// The matches, or `nil` if nothing is searched for, or nothing was found.
  var searchHits: SearchHits? {
    guard query.search != nil, isLoaded, let key = selectedRow?.key else { return nil }
    if !hasMoreBefore, !hasMoreAfter {
      // Folded messages count individually.
      let place = loaded.firstIndex { $0.key == key }
      return SearchHits(position: place.map { $0 + 1 }, count: loaded.count, isMore: lookedTo != nil)
    }
    if let found {
      return SearchHits(
        position: found.firstIndex(of: key).map { $0 + 1 }, count: min(found.count, InboxQuery.mostHits),
        isMore: found.count > InboxQuery.mostHits)
    }
    let count = min(loaded.count, InboxQuery.mostHits)
    return hasMoreBefore ? nil : SearchHits(position: nil, count: count, isMore: true)
  }
}
