package import Foundation

/// The time of an entry in its compared form: a moment, in seconds, or a day if no time of day is known.
package struct EntryTime: Hashable, Sendable {
  /// The stored number: seconds or days since 1970 times four, plus 1 for a day and 2 for the date of an update.
  package let stored: Int64

  package init(stored: Int64) { self.stored = stored }

  /// Creates the time of an entry, or returns `nil` if it has no date.
  ///
  /// - Parameter traits: show which of the dates are days.
  package init?(published: Date?, updated: Date?, _ traits: EntryTraits) {
    guard let date = published ?? updated else { return nil }
    let isUpdate = published == nil || traits.contains(.lacksPublished)
    let isDay = traits.contains(published == nil ? .isUpdatedDay : .isPublishedDay)
    self.init(date, isDay: isDay, isUpdate: isUpdate)
  }

  private init(_ date: Date, isDay: Bool, isUpdate: Bool) {
    let exact = date.timeIntervalSince1970
    let seconds = exact.isFinite ? Int64(min(max(exact.rounded(.down), -1e14), 1e14)) : 0
    // Midnight of a zone is at most half a day before or after that of UTC.
    let value = isDay ? Self.day(ofSecond: seconds + 43_200) : seconds
    stored = value << 2 | (isDay ? 1 : 0) | (isUpdate ? 2 : 0)
  }

  /// Creates the time of a message that an earlier version stored: midnight in UTC means a day.
  package init?(storedPublished published: Date?, updated: Date?) {
    guard let date = published ?? updated else { return nil }
    let isDay = date.timeIntervalSince1970.remainder(dividingBy: 86_400) == 0
    self.init(date, isDay: isDay, isUpdate: published == nil)
  }

  /// The moment or the day as a number to compare, the same for a publication and an update.
  package var point: Int64 { stored & ~2 }
  package var isDay: Bool { stored & 1 == 1 }
  /// Whether it is a date of publication. A date of update can only show that two entries are the same, not that they
  /// differ.
  package var isPublished: Bool { stored & 2 == 0 }
  /// The moment as `point`, or `nil` if only the day is known.
  package var moment: Int64? { isDay ? nil : point }
  /// The number of the day since 1970, in UTC.
  package var day: Int64 { isDay ? stored >> 2 : Self.day(ofSecond: stored >> 2) }
  /// The second since 1970, or the first second of the day.
  package var second: Int64 { isDay ? (stored >> 2) * 86_400 : stored >> 2 }

  /// Returns the number of days since 1970 of a second, rounded down.
  static func day(ofSecond second: Int64) -> Int64 {
    second >= 0 ? second / 86_400 : -((86_399 - second) / 86_400)
  }
}
