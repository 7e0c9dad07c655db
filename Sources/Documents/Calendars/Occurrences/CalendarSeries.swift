import Basics

/// The items of one event: a single item, or a series with its overrides.
package struct CalendarSeries: Sendable {
  package var uid: String
  /// The common `key` of its items.
  package var key: String
  package var kind: CalendarItem.Kind
  /// The event itself, or `nil` if only single occurrences of a series are known.
  package var master: CalendarItem?
  /// The overrides, sorted by the occurrences that they override.
  package var overrides: [CalendarItem] = []

  /// Returns the events of a calendar, in the order of their first items.
  ///
  /// - Parameter items: the items of `CalendarEvents`, without earlier versions.
  package static func all(_ items: [CalendarItem]) -> [CalendarSeries] {
    var places: [String: Int] = [:]
    var all: [CalendarSeries] = []
    for item in items {
      let key = "\(item.kind.rawValue) \(item.key)"
      let place = places[key] ?? all.count
      if place == all.count {
        places[key] = place
        all.append(CalendarSeries(uid: item.uid, key: item.key, kind: item.kind))
      }
      if item.overrides != nil {
        all[place].overrides.append(item)
      } else {
        all[place].master = item
      }
    }
    for place in all.indices where !all[place].overrides.isEmpty { all[place].orderOverrides() }
    return all
  }

  /// Sorts the overrides, and removes the earliest ones if there are too many.
  private mutating func orderOverrides() {
    overrides.sort {
      ($0.overrides?.wall ?? $0.start.wall, $0.line) < ($1.overrides?.wall ?? $1.start.wall, $1.line)
    }
    if overrides.count > Limits.calendarDates {
      overrides.removeFirst(overrides.count - Limits.calendarDates)
    }
  }

  package var isCancelled: Bool { master?.isCancelled ?? overrides.allSatisfy(\.isCancelled) }

  /// The master and the overrides.
  package var items: [CalendarItem] { (master.map { [$0] } ?? []) + overrides }

  /// The SEQUENCE of the master, or 0 if there is no master.
  package var sequence: Int { master?.sequence ?? 0 }

  /// The `CalendarItem.mark` of the event, which distinguishes it from others with the same UID.
  package var mark: String { (master ?? overrides.first)?.mark ?? "" }

  /// The `CalendarItem.ownKey` of the event, which is its id if others have the same UID.
  package var ownKey: String { (master ?? overrides.first)?.ownKey ?? uid }

  /// Whether occurrences may be missing, since some dates of the series could not be read.
  package var hasUnreadDates: Bool { master?.hasUnreadDates ?? false }
}

/// One time at which an event takes place, or at which a to-do is due.
package struct CalendarOccurrence: Hashable, Sendable {
  package var item: CalendarItem
  /// The original start, which does not change if the occurrence is moved. It is empty for items that don't recur.
  package var key: String
  package var start: CalendarTime
  /// The end, which for an event is the first instant after it.
  package var end: CalendarTime
  /// The start in seconds since 1970, in the reader's zone.
  package var startsAt: Int
  /// The end in seconds since 1970.
  package var endsAt: Int
}
