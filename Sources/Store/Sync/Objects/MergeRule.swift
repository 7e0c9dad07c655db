/// The machine and the time of a write. They alone decide which of two values for a field of a message or
/// source applies.
package struct WrittenBy: Hashable, Comparable, Sendable {
  package var stamp: Stamp
  /// The machine, or `.marker` for a service's report.
  package var device: DeviceID

  package init(stamp: Stamp, device: DeviceID) { (self.stamp, self.device) = (stamp, device) }

  package static func < (left: WrittenBy, right: WrittenBy) -> Bool {
    (left.stamp, left.device) < (right.stamp, right.device)
  }
}

/// The present occasion of a message.
package struct CurrentOccasion: Hashable, Sendable {
  /// The occasion, or 0 if it never changes.
  package var occasion: UInt64
  /// The time when an article was published again, in milliseconds since 1970: acts before it do not concern this
  /// publication. `nil` if the occasion is of another kind.
  package var published: Int64?

  package init(_ occasion: UInt64, published: Int64? = nil) {
    (self.occasion, self.published) = (occasion, published)
  }
}

/// Merges acts of several machines, with the same result on each, in whatever order and however often they arrive.
///
/// Moments are milliseconds since 1970.
package enum MergeRule {
  // MARK: Joining

  /// Whether a new value replaces the present one. `old` is `nil` if there is no present value.
  package static func stands(_ new: WrittenBy, over old: WrittenBy?) -> Bool {
    guard let old else { return true }
    return new > old
  }

  /// Whether a write about an occasion of a message concerns the message's present occasion.
  ///
  /// - Parameters:
  ///   - cell: the occasion of the write, or 0 for any.
  ///   - stamp: the stamp of the write.
  ///   - message: the present occasion of the message.
  package static func fits(
    _ cell: UInt64, at stamp: @autoclosure () throws -> Stamp, _ message: CurrentOccasion
  ) rethrows -> Bool {
    if cell == message.occasion || message.occasion == 0 { return true }
    guard cell == 0 else { return false }
    guard let published = message.published else { return true }
    return try stamp() >= Stamp(milliseconds: published)
  }

  // MARK: Acting

  /// Returns the stamp of a new act. It is greater than all known stamps of the act's messages, whatever the
  /// clocks show.
  ///
  /// - Parameters:
  ///   - now: the time; for a service's report the beginning of its poll.
  ///   - highest: the highest stamp of the writes that set the state of its messages, for all fields, including ended
  ///     snoozes, or `nil` if there are none.
  package static func stamp(now: Int64, above highest: Stamp?) -> Stamp {
    let clock = Stamp(milliseconds: now)
    guard let highest, highest >= clock else { return clock }
    // Other machines would reject one at the limit as damaged.
    return min(highest.next, Stamp(rawValue: Stamp.limit - 1))
  }

  // MARK: Snoozes

  /// Returns the machine and time with which the end of a snooze takes part in the merge: it counts as a
  /// write at that time that the message is unread. It is never sent.
  ///
  /// - Parameters:
  ///   - moment: the end of the snooze, or `nil` if there is none.
  ///   - by: the writer of the snooze.
  /// - Returns: `nil` before the end. An act that replaces an ended snooze also writes whether the message is read,
  ///   since the end is no longer known afterwards.
  package static func waking(until moment: Int64?, by: WrittenBy, now: Int64) -> WrittenBy? {
    guard let moment, moment <= now else { return nil }
    return WrittenBy(stamp: max(Stamp(milliseconds: moment), by.stamp), device: by.device)
  }
}
