import Basics
import Calendars
import Foundation

/// Calendars: any bytes are read in bounded steps; occurrences and alarms are in order, within the span that was asked
/// for, and found again by their keys.
enum CalendarClaims {
  private static let now = 1_795_000_000
  private static let day = 86_400
  private static let readers = ["Europe/Berlin", "Australia/Lord_Howe"].compactMap {
    ZoneClock(named: $0)
  }

  static func check(_ bytes: Data) throws(Violation) {
    guard let file = CalendarFile.read(bytes) else { return }
    try claim(file.problems.count <= Limits.calendarProblems, "\(file.problems.count) problems")
    try claim(file.items.count <= Limits.calendarItems, "\(file.items.count) items")
    let events = CalendarEvents(file.items)
    try claim(events.items.count <= file.items.count, "\(events.items.count) events")
    try claim(Set(file.items.map(\.uid)) == Set(events.items.map(\.uid)), "a UID without an event")
    let back = CalendarEvents(events.items)
    try claim(back.items == events.items, "events that count do not count again")
    let all = CalendarSeries.all(events.items)
    try claim(all.count <= file.items.count, "\(all.count) series of \(file.items.count) items")
    for reader in readers {
      let steps = ExpansionBudget(Limits.calendarSteps)
      for series in all.prefix(20) {
        let expansion = SeriesExpansion(series, reader: reader, steps: steps)
        try occurrences(of: series, expansion)
        try alarms(of: series, expansion)
      }
      // The last piece of work may be larger than the rest.
      try claim(steps.left > -Limits.seriesSteps, "\(Limits.calendarSteps - steps.left) steps")
    }
  }

  private static func occurrences(of series: CalendarSeries, _ expansion: SeriesExpansion) throws(Violation) {
    let span = now..<now + 40 * day
    let found = expansion.occurrences(in: span)
    for one in found {
      try claim(one.startsAt < span.upperBound, "an occurrence starts at \(one.startsAt)")
      try claim(
        one.endsAt > span.lowerBound || one.startsAt >= span.lowerBound, "an occurrence ends at \(one.endsAt)"
      )
      try claim(one.endsAt >= one.startsAt, "an occurrence of \(one.endsAt - one.startsAt) s")
    }
    for (one, next) in zip(found, found.dropFirst()) {
      try claim(one.startsAt <= next.startsAt, "occurrences are not in order")
    }
    guard series.overrides.isEmpty, !expansion.steps.isSpent, let first = found.first else { return }
    let again = expansion.occurrence(first.key)
    // The second search may take the steps that the first one left.
    guard !expansion.steps.isSpent else { return }
    try claimEqual(again?.key, first.key, "the occurrence with a key")
  }

  private static func alarms(of series: CalendarSeries, _ expansion: SeriesExpansion) throws(Violation) {
    let standard = DefaultAlarm(before: 600, dayStart: 9 * 3600)
    let whole = expansion.alarms(of: series, after: now, through: now + 8 * day, default: standard)
    for one in whole {
      try claim(one.instant > now && one.instant <= now + 8 * day, "an alarm at \(one.instant)")
    }
    for (one, next) in zip(whole, whole.dropFirst()) {
      try claim(one.instant <= next.instant, "alarms are not in order")
    }
    guard !expansion.steps.isSpent, whole.count < 100 else { return }
    // Two polls give the same alarms as one.
    let middle = now + 3 * day + 4321
    let first = expansion.alarms(of: series, after: now, through: middle, default: standard)
    let second = expansion.alarms(of: series, after: middle, through: now + 8 * day, default: standard)
    guard !expansion.steps.isSpent else { return }
    try claimEqual(first.count + second.count, whole.count, "alarms of two spans, and of both together")
  }
}
