import Basics

/// The items of one event: itself, or a series with what was changed of it.
package struct CalendarSeries: Sendable {
  package var uid: String
  /// The `key` of its items.
  package var key: String
  package var kind: CalendarItem.Kind
  /// The event, or `nil` if only single occurrences of a series are known.
  package var master: CalendarItem?
  /// In the order of the occurrences that they override.
  package var overrides: [CalendarItem] = []

  /// The events of a calendar, in the order in which they come first.
  ///
  /// - Parameter items: those of `CalendarEvents`, without earlier versions.
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

  private mutating func orderOverrides() {
    overrides.sort {
      ($0.overrides?.wall ?? $0.start.wall, $0.line) < ($1.overrides?.wall ?? $1.start.wall, $1.line)
    }
    if overrides.count > Limits.calendarDates {
      overrides.removeFirst(overrides.count - Limits.calendarDates)
    }
  }

  package var isCancelled: Bool { master?.isCancelled ?? overrides.allSatisfy(\.isCancelled) }

  /// Master and overrides.
  package var items: [CalendarItem] { (master.map { [$0] } ?? []) + overrides }

  package var sequence: Int { master?.sequence ?? 0 }

  /// The `mark` of the event.
  package var mark: String { (master ?? overrides.first)?.mark ?? "" }

  /// The `ownKey` of the event.
  package var ownKey: String { (master ?? overrides.first)?.ownKey ?? uid }

  /// Whether occurrences may be missing, since some of its dates could not be read.
  package var hasUnreadDates: Bool { master?.hasUnreadDates ?? false }
}

/// One time at which an event is, or at which a to-do is due.
package struct CalendarOccurrence: Hashable, Sendable {
  package var item: CalendarItem
  /// Its original start, which stays when it is moved; empty for what doesn't recur.
  package var key: String
  package var start: CalendarTime
  /// Of an event the first time after it.
  package var end: CalendarTime
  /// Seconds since 1970, in the reader's zone.
  package var startsAt: Int
  package var endsAt: Int
}
