import Basics
import GRDB
import Messages
import Queries

/// Decides which messages of a list a query matches, reading as little as possible.
final class QueryJudge {
  private let db: Database
  private let query: InboxQuery
  private let range: ListRange
  private let matcher: QueryMatcher
  /// A cheaper query, which matches every message that `matcher` matches and does not need the text of a message, or
  /// `nil` if it would exclude nothing.
  private let first: QueryMatcher?
  private let reader: FactsReader
  private let configured: Set<Int64>
  private let hasCopies: Bool
  /// The states, for example dismissed, that hide messages from other lists, but not from this one.
  private let lifted: Facts.States
  var work: SearchWork

  init(
    _ db: Database, _ query: InboxQuery, _ meant: Query, within range: ListRange, _ reader: FactsReader,
    configured: Set<Int64>, hasCopies: Bool, work: SearchWork, _ matcher: (Query) -> QueryMatcher
  ) {
    (self.db, self.query, self.range, self.reader) = (db, query, range, reader)
    (self.configured, self.hasCopies, self.work) = (configured, hasCopies, work)
    self.matcher = matcher(meant)
    let cheap = meant.relaxed(to: FactsReader.isCheap)
    first = cheap == .everything ? nil : matcher(cheap)
    lifted = meant.liftedStates
  }

  /// Returns the key of the message that represents this one in the list, which may be its original, or `nil` if the
  /// list shows neither.
  func listed(_ id: Int64) throws -> ListKey? {
    guard var head = try MessageHead.find(id, db) else { return nil }
    if let first = head.first, !range.list.isPerSource || !range.isIn(head) {
      guard let shown = try MessageHead.find(first.id, db) else { return nil }
      head = shown
    }
    return try isInList(head) ? head.key : nil
  }

  /// Whether the message or one of its duplicates matches.
  func isMatch(_ key: ListKey) throws -> Bool {
    let id = key.id.rawValue
    if try isMatch(id) { return true }
    guard hasCopies, range.putAway != nil || !range.isAlone else { return false }
    // A message that isn't visible to the user represents none of its duplicates, however it was found.
    if range.putAway == nil {
      guard let head = try MessageHead.find(id, db), try isInList(head) else { return false }
    }
    for copy in try Duplicates(db).heads(of: id) where isOfList(copy.source) {
      if try isMatch(copy.id) { return true }
    }
    return false
  }

  private func isOfList(_ source: Int64) -> Bool {
    range.contains(source: source) && (range.sources != nil || configured.contains(source))
  }

  private func isInList(_ head: MessageHead) throws -> Bool {
    guard isOfList(head.source) else { return false }
    if query.isUnreadOnly, head.isRead { return false }
    if query.scope == .starred, !head.isStarred { return false }
    if head.isListed { return true }
    if lifted.isEmpty { return false }
    return try head.isShown || lifted.contains(.expired) && reader.isShown(expired: head)
  }

  private func isMatch(_ id: Int64) throws -> Bool {
    work.spend(4)
    guard var row = try reader.row(id) else { return false }
    if range.putAway == nil {
      guard try isInList(row.head) else { return false }
      guard row.facts.states.intersection(.outOfInbox).isSubset(of: lifted) else { return false }
    }
    if let first, !first.matches(row.facts) { return false }
    let bytes = try reader.complete(&row)
    let isMeant = matcher.matches(row.facts)
    work.spend(6 + bytes / 40 + matcher.steps / Limits.patternStepsOfUnit)
    return isMeant
  }
}
