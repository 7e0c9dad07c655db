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

/// The occasion that a message reports now.
package struct CurrentOccasion: Hashable, Sendable {
  /// 0: always the same.
  package var occasion: UInt64
  /// When an article was published again, in milliseconds since 1970: what was done before that was not done to this
  /// publication. `nil` if the occasion is another one.
  package var published: Int64?

  package init(_ occasion: UInt64, published: Int64? = nil) {
    (self.occasion, self.published) = (occasion, published)
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

  /// Whether a cell says something about a message.
  ///
  /// - Parameters:
  ///   - cell: its occasion; 0: whatever the message reports.
  ///   - stamp: of its write.
  ///   - message: the occasion that the message reports now.
  package static func fits(
    _ cell: UInt64, at stamp: @autoclosure () throws -> Stamp, _ message: CurrentOccasion
  ) rethrows -> Bool {
    if cell == message.occasion || message.occasion == 0 { return true }
    guard cell == 0 else { return false }
    guard let published = message.published else { return true }
    return try stamp() >= Stamp(milliseconds: published)
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
}
