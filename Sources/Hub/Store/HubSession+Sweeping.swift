import Basics
import Foundation

extension HubSession {
  /// Ends items whose time is up and deletes rows that are no longer needed, at most `Limits.hubSweepRows` of each
  /// kind, in a transaction.
  func sweep(now: Date) throws -> SweepCounts {
    var counts = SweepCounts()
    guard try maySweep() else { return counts }
    func sweep(_ change: String, _ time: Int64 = now.stored) throws -> Int {
      let count = try rows(
        "\(change) LIMIT ?2 \(Self.skippingLocked)) RETURNING 1", .time(time), .integer(Limits.hubSweepRows)
      ).count
      if count == Limits.hubSweepRows { counts.hasMore = true }
      return count
    }
    let (expiry, keeping) = (Self.days("f.expires_days"), Self.days("f.keep_days"))
    counts.ended = try sweep(
      "UPDATE item SET live = false WHERE id IN (SELECT i.id FROM item i WHERE i.live AND i.expires <= ?1")
    // SQLite begins with the feeds if the join is a cross join.
    counts.ended += try sweep(
      """
      UPDATE item SET live = false WHERE id IN (
        SELECT i.id FROM feed f CROSS JOIN item i
          WHERE i.feed = f.id AND i.live AND i.expires IS NULL AND i.changed <= ?1 - \(expiry)
            AND (SELECT expires_from FROM hub) <= ?1 - \(expiry)
      """)
    // An item that never changed is deleted at its end, since no reader needs to learn of the end. A feed keeps its
    // greatest id: a smaller one would show readers that it was reset.
    counts.deleted = try sweep(
      """
      DELETE FROM item WHERE id IN (
        SELECT i.id FROM item i JOIN feed f ON f.id = i.feed
          WHERE NOT i.live AND (i.expires <= ?1 OR i.expires IS NULL)
            AND (i.id = i.first_id OR i.changed + \(keeping) <= ?1
              AND coalesce(i.expires, i.changed + \(expiry), i.changed) + \(keeping) <= ?1)
            AND i.id < (SELECT max(id) FROM item WHERE feed = i.feed)
      """)
    _ = try sweep(
      "DELETE FROM receipt WHERE (token, idem) IN (SELECT i.token, i.idem FROM receipt i WHERE i.at <= ?1",
      now.stored - Limits.hubReceiptSeconds * 1000)
    _ = try sweep(
      "DELETE FROM audit WHERE id IN (SELECT i.id FROM audit i WHERE i.at <= ?1",
      now.stored - Limits.hubAuditDays * 86_400_000)
    return counts
  }
}
