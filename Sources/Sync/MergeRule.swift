/// Who wrote a value, and when: this alone decides between two values of a cell.
package struct WrittenBy: Hashable, Comparable, Sendable {
  package var stamp: Stamp
  /// `.marker` where nobody did: a service's word.
  package var device: DeviceID

  package init(stamp: Stamp, device: DeviceID) { (self.stamp, self.device) = (stamp, device) }

  package static func < (left: WrittenBy, right: WrittenBy) -> Bool {
    (left.stamp, left.device) < (right.stamp, right.device)
  }
}

/// What becomes of acts of several machines: the same on each, in whatever order they arrive, however often.
///
/// Moments are milliseconds since 1970.
package enum MergeRule {
  // MARK: Joining

  /// Whether a value takes the place of the one that stands. What stands is nil where nobody wrote.
  package static func stands(_ new: WrittenBy, over old: WrittenBy?) -> Bool {
    guard let old else { return true }
    return new > old
  }

  /// Whether a cell of one occasion says something about a message that reports another; 0: whatever it reports.
  package static func fits(_ cell: UInt64, _ message: UInt64) -> Bool {
    cell == message || cell == 0 || message == 0
  }

  // MARK: Acting

  /// The stamp of an act: behind everything that is known of its messages, whatever the clocks say.
  ///
  /// - Parameters:
  ///   - now: for a service's word the moment at which its poll began.
  ///   - highest: of the stamps behind the marks of its messages, all fields, also of snoozes that are over; nil
  ///     where there are none.
  package static func stamp(now: Int64, above highest: Stamp?) -> Stamp {
    let clock = Stamp(milliseconds: now)
    guard let highest, highest >= clock else { return clock }
    // Other machines would take one at the limit for damaged.
    return min(highest.next, Stamp(rawValue: Stamp.limit - 1))
  }

  /// Whether a message gets an act of its own, behind that of the others of one step: one stamp of a wrong clock would
  /// lift all of theirs.
  package static func isAhead(_ highest: Stamp?, of now: Int64) -> Bool {
    guard let highest else { return false }
    return highest >= Stamp(milliseconds: now)
  }

  // MARK: Snoozes

  /// When a snooze is over, it counts as if it had been written then that the message isn't read. Nobody sends that.
  ///
  /// - Parameters:
  ///   - moment: until when; nil: it isn't snoozed.
  ///   - by: who wrote that.
  /// - Returns: nil while it isn't over. An act that replaces one that is over also writes whether the message is
  ///   read: its end isn't known any more afterwards.
  package static func waking(until moment: Int64?, by: WrittenBy, now: Int64) -> WrittenBy? {
    guard let moment, moment <= now else { return nil }
    return WrittenBy(stamp: max(Stamp(milliseconds: moment), by.stamp), device: by.device)
  }

  /// Whether a message is read.
  ///
  /// - Parameters:
  ///   - written: the winner of its fitting cells, nil where there is none.
  ///   - waking: of its snooze.
  ///   - arrived: this machine's own default: first delivery, rule, service.
  package static func isRead(
    _ written: (value: Bool, by: WrittenBy)?, waking: WrittenBy?, arrived: Bool
  ) -> Bool {
    if let waking, stands(waking, over: written?.by) { return false }
    return written?.value ?? arrived
  }

  // MARK: Undo

  /// Whether undo takes one write of an act back.
  ///
  /// - Parameters:
  ///   - write: of the act.
  ///   - standing: who wrote what stands in its cell.
  ///   - occasion: of the cell.
  ///   - message: the occasion of its message now.
  ///   - snooze: the moment that it wrote, if it is a snooze.
  package static func takesBack(
    _ write: WrittenBy, standing: WrittenBy?, occasion: UInt64, message: UInt64, snooze: Int64?, now: Int64
  ) -> Bool {
    let isOver = snooze.map { $0 <= now } ?? false
    return standing == write && fits(occasion, message) && !isOver
  }
}
