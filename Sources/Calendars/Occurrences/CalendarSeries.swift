import Dates
import Limits

/// All items with one UID: an event, or a series with what was changed of it.
package struct CalendarSeries: Sendable {
  package var uid: String
  package var kind: CalendarItem.Kind
  /// nil: only single occurrences of the series are known.
  package var master: CalendarItem?
  /// In the order of the occurrences that they override.
  package var overrides: [CalendarItem] = []

  /// In the order in which they come first.
  package static func all(_ items: [CalendarItem]) -> [CalendarSeries] {
    var places: [String: Int] = [:]
    var all: [CalendarSeries] = []
    for item in items {
      let key = "\(item.kind.rawValue) \(item.uid)"
      let place = places[key] ?? all.count
      if place == all.count {
        places[key] = place
        all.append(CalendarSeries(uid: item.uid, kind: item.kind))
      }
      if item.overrides != nil {
        all[place].overrides.append(item)
      } else if all[place].master.map({ $0.sequence <= item.sequence }) ?? true {
        all[place].master = item
      }
    }
    for place in all.indices where !all[place].overrides.isEmpty { all[place].orderOverrides() }
    return all
  }

  /// Of several overrides of one occurrence the one with the highest SEQUENCE counts, of equal ones the last.
  private mutating func orderOverrides() {
    var newest: [CalendarTime: CalendarItem] = [:]
    for item in overrides {
      guard let original = item.overrides, newest[original].map({ $0.sequence <= item.sequence }) ?? true
      else {
        continue
      }
      newest[original] = item
    }
    overrides = newest.values
      .sorted {
        ($0.overrides?.wall ?? $0.start.wall, $0.line) < ($1.overrides?.wall ?? $1.start.wall, $1.line)
      }
    if overrides.count > Limits.calendarDates {
      overrides.removeFirst(overrides.count - Limits.calendarDates)
    }
  }

  package var isCancelled: Bool { master?.isCancelled ?? overrides.allSatisfy(\.isCancelled) }

  /// Master and overrides.
  var items: [CalendarItem] { (master.map { [$0] } ?? []) + overrides }
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
