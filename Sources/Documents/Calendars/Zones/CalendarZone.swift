package import Basics
import Foundation

/// The zone of a calendar's times: one that the system knows, or the rules in the calendar's file.
package enum CalendarZone: Hashable, Sendable {
  case clock(ZoneClock)
  case rules(ZoneRules)

  package static let utc = CalendarZone.clock(.gmt)

  /// Returns the seconds since 1970 at a wall time, like `ZoneClock.seconds(of:)`.
  package func seconds(of wall: WallTime) -> Int {
    switch self {
    case .clock(let clock): clock.seconds(of: wall)
    case .rules(let rules): ZoneClock.seconds(of: wall, offset: rules.offset)
    }
  }

  /// Returns the wall time at an instant in seconds since 1970.
  package func wall(at seconds: Int) -> WallTime {
    switch self {
    case .clock(let clock): clock.wall(at: Date(timeIntervalSince1970: Double(seconds)))
    case .rules(let rules): WallTime(seconds: seconds + rules.offset(at: seconds))
    }
  }

  /// Returns the zone that the system knows by this name, or `nil` if there is none.
  package static func known(_ name: String) -> CalendarZone? {
    guard let clock = ZoneClock(named: name) else { return nil }
    return clock == .gmt ? .utc : .clock(clock)
  }
}

/// The offsets of a VTIMEZONE component, for names of zones that the system does not know.
package struct ZoneRules: Hashable, Sendable {
  /// A change of the offset.
  struct Change: Hashable, Sendable {
    /// The time from which the offset is valid, in seconds since 1970.
    var at: Int
    /// The offset, in seconds east of UTC.
    var offset: Int
  }

  /// The offset before the first change, in seconds east of UTC.
  var first: Int
  /// The changes, in order.
  var changes: [Change]

  /// Returns the seconds east of UTC at an instant in seconds since 1970.
  func offset(at seconds: Int) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : changes[low - 1].offset
  }

  /// The years whose changes are computed. Rules without an end are read up to the last of them.
  private static let years = 1970...2100

  /// Computes the changes of a zone.
  ///
  /// - Parameters:
  ///   - parts: the STANDARD and DAYLIGHT components of the VTIMEZONE.
  ///   - steps: the budget for the rules of all these components.
  /// - Returns: `nil` if no part has an offset.
  init?(_ parts: [CalendarComponent], steps: ExpansionBudget, problems: inout CalendarProblems) {
    let from = WallTime(year: Self.years.lowerBound, month: 1, day: 1, hour: 0, minute: 0)
    let through = WallTime(year: Self.years.upperBound, month: 12, day: 31, hour: 0, minute: 0)
    var found: [(change: Change, before: Int)] = []
    for part in parts {
      guard let start = part["DTSTART"], let begin = CalendarValue.time(start.value, zone: .floating),
        let before = part["TZOFFSETFROM"].flatMap({ CalendarValue.offset($0.value) }),
        let after = part["TZOFFSETTO"].flatMap({ CalendarValue.offset($0.value) })
      else {
        problems.add(part.line, "\(part.name) of a VTIMEZONE needs DTSTART, TZOFFSETFROM and TZOFFSETTO")
        continue
      }
      var walls = [begin.wall]
      for dates in part.all("RDATE") {
        walls += dates.value.split(onBytes: ",").prefix(Limits.calendarDates).compactMap {
          CalendarValue.time($0, zone: .floating)?.wall
        }
      }
      for line in part.all("RRULE") {
        guard let rule = RecurrenceRule.read(line, problems: &problems) else { continue }
        // UNTIL of an observance is in UTC.
        let until = rule.until.map { until in
          until.frame == .zone(.utc) ? WallTime(seconds: until.wall.secondsAtUTC + before) : until.wall
        }
        var iterator = RuleIterator(
          rule, start: begin.wall, until: until, from: from, through: through, steps: steps)
        while let wall = iterator.next() { walls.append(wall) }
        if steps.isSpent {
          problems.add(line.line, ExpansionBudget.sentence)
          break
        }
      }
      found += Set(walls).map { (Change(at: $0.secondsAtUTC - before, offset: after), before) }
    }
    found.sort { $0.change.at < $1.change.at }
    guard let first = found.first else { return nil }
    self.first = first.before
    changes = found.map(\.change)
  }
}
