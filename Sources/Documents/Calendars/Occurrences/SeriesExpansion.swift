package import Basics

/// Finds the occurrences of one series.
package struct SeriesExpansion {
  private let series: CalendarSeries
  /// The zone of floating times and days: that of the user.
  let reader: ZoneClock
  /// The steps that are left to find the occurrences of this series.
  package let steps: ExpansionBudget
  /// The positions of the overrides in `series.overrides`, keyed by the key of the overridden occurrence.
  private var overridden: [String: Int] = [:]
  /// The keys of the occurrences that EXDATE excludes.
  private var left: Set<String> = []
  /// The overrides that also apply to later occurrences: the original start from which each applies, in
  /// seconds since 1970, and its position in `series.overrides`.
  private var later: [(from: Int, place: Int)] = []

  /// - Parameters:
  ///   - reader: the zone of floating times and days.
  ///   - steps: the budget of the whole calendar.
  package init(_ series: CalendarSeries, reader: ZoneClock, steps: ExpansionBudget) {
    self.series = series
    self.reader = reader
    self.steps = ExpansionBudget(Limits.seriesSteps, of: steps)
    let frame = series.master?.start.frame
    left = Set((series.master?.dates.left ?? []).map { key($0, in: frame ?? $0.frame) })
    for (place, item) in series.overrides.enumerated() {
      guard let original = item.overrides else { continue }
      overridden[key(original, in: frame ?? original.frame)] = place
      if item.overridesLater { later.append((original.instant(reader), place)) }
    }
    later.sort { $0.from < $1.from }
  }

  /// Returns the key of an occurrence, which is derived from its original start.
  private func key(_ time: CalendarTime, in frame: CalendarTime.Frame) -> String {
    switch frame {
    case .zone where !time.isDay:
      let start = CalendarTime(time.wall, time.frame == .floating ? frame : time.frame)
      return CalendarTime(WallTime(seconds: start.instant(reader)), .zone(.utc)).text
    case .floating where !time.isDay: return CalendarTime(time.wall(in: frame, reader), frame).text
    case .zone, .floating, .day: return CalendarTime(time.wall(in: frame, reader), .day).text
    }
  }

  /// Returns the key of an occurrence's day, for EXDATE or RECURRENCE-ID values that contain only the day.
  private func dayKey(_ time: CalendarTime) -> String { CalendarTime(time.wall, .day).text }

  /// Returns the occurrences that overlap a span, in order.
  ///
  /// - Parameter span: seconds since 1970. An event that ends at the beginning of the span doesn't overlap it.
  package func occurrences(in span: Range<Int>) -> [CalendarOccurrence] {
    var found: [CalendarOccurrence] = []
    func add(_ occurrence: CalendarOccurrence) {
      guard occurrence.startsAt < span.upperBound,
        occurrence.endsAt > span.lowerBound || occurrence.startsAt >= span.lowerBound
      else { return }
      found.append(occurrence)
    }
    if let master = series.master, !master.isCancelled {
      for (start, end) in originals(of: master, in: span) {
        if let one = base(master, start, end) { add(one) }
      }
    }
    if series.master?.isCancelled != true {
      for item in series.overrides where !item.isCancelled {
        guard let original = item.overrides else { continue }
        let key = key(original, in: series.master?.start.frame ?? original.frame)
        if !left.contains(key) { add(occurrence(item, item.start, item.end, key: key)) }
      }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert("\($0.key) \($0.startsAt)").inserted }
      .sorted { ($0.startsAt, $0.key) < ($1.startsAt, $1.key) }
  }

  /// Returns the occurrence with a key, or `nil` if it was cancelled or excluded, or no longer exists.
  package func occurrence(_ key: String) -> CalendarOccurrence? {
    guard series.master?.isCancelled != true, !left.contains(key) else { return nil }
    if let place = overridden[key] {
      let item = series.overrides[place]
      return item.isCancelled ? nil : occurrence(item, item.start, item.end, key: key)
    }
    guard let master = series.master else { return nil }
    let original = CalendarValue.time(key, zone: .floating) ?? master.start
    let from = original.instant(reader)
    let reach = longestShift
    // An RDATE of a series of days may be a time. It is anywhere in the day of its key, which has at most 25 hours, and
    // in any zone, which differs by less than two days from the reader's.
    let zones = original.isDay ? 2 * 86_400 : 0
    let length = original.isDay ? 25 * 3600 : 1
    return occurrences(in: from - reach - zones..<from + reach + length + zones).first { $0.key == key }
  }

  /// Returns the occurrence with the item's own start and end, to which its alarms at absolute times belong.
  func itself(_ item: CalendarItem) -> CalendarOccurrence {
    let own = item.overrides.map { key($0, in: series.master?.start.frame ?? $0.frame) }
    return occurrence(item, item.start, item.end, key: own ?? firstKey(item))
  }

  /// Returns the key of an item's first occurrence, which is empty if the item does not recur.
  private func firstKey(_ master: CalendarItem) -> String {
    master.dates.isEmpty ? "" : key(master.start, in: master.start.frame)
  }

  /// Returns the occurrence for an original start of the master, moved if an earlier override also applies to
  /// it. Returns `nil` if the occurrence is excluded, cancelled or overridden.
  private func base(_ master: CalendarItem, _ start: CalendarTime, _ end: CalendarItem.End)
    -> CalendarOccurrence?
  {
    guard !master.dates.isEmpty || !series.overrides.isEmpty else {
      return left.contains(key(start, in: start.frame)) ? nil : occurrence(master, start, end, key: "")
    }
    let key = key(start, in: master.start.frame)
    if left.contains(key) || left.contains(dayKey(start)) || overridden[key] != nil
      || overridden[dayKey(start)] != nil
    {
      return nil
    }
    guard !later.isEmpty, let change = later.last(where: { $0.from <= start.instant(reader) }) else {
      return occurrence(master, start, end, key: master.dates.isEmpty ? "" : key)
    }
    // The override applies to later occurrences too, which move by as much as the overridden one.
    let item = series.overrides[change.place]
    guard !item.isCancelled, let original = item.overrides else { return nil }
    let moved: CalendarTime
    if item.start.isDay != start.isDay {
      moved = CalendarTime(
        WallTime(dayNumber: start.wall.dayNumber, second: item.start.wall.second), item.start.frame)
    } else {
      let own = original.wall(in: start.frame, reader)
      let shift = item.start.wall(in: start.frame, reader).secondsAtUTC - own.secondsAtUTC
      moved = CalendarTime(WallTime(seconds: start.wall.secondsAtUTC + shift), start.frame)
    }
    return occurrence(item, moved, item.end, key: key)
  }

  /// Creates the occurrence of an item that begins at `start`, and computes its end, which is never before
  /// the start.
  private func occurrence(
    _ item: CalendarItem, _ start: CalendarTime, _ end: CalendarItem.End, key: String
  ) -> CalendarOccurrence {
    let end = self.end(of: item, at: start, end)
    let (startsAt, endsAt) = (start.instant(reader), end.instant(reader))
    // If the end has another zone than the start, it may be before the start in this reader's zone.
    return CalendarOccurrence(
      item: item, key: key, start: start, end: endsAt < startsAt ? start : end, startsAt: startsAt,
      endsAt: max(startsAt, endsAt))
  }

  /// Returns the end of an item's occurrence that begins at `start`.
  private func end(of item: CalendarItem, at start: CalendarTime, _ end: CalendarItem.End) -> CalendarTime {
    switch end {
    case .none:
      return start.isDay && item.kind == .event ? start.adding(CalendarDuration(days: 1), reader) : start
    case .after(let duration): return start.adding(duration, reader)
    case .at(let end):
      if start == item.start { return end }
      // In one zone, wall times are kept: an event that ends at six always ends at six.
      if end.frame == item.start.frame {
        let length = end.wall.secondsAtUTC - item.start.wall.secondsAtUTC
        return CalendarTime(WallTime(seconds: start.wall.secondsAtUTC + length), start.frame)
      }
      let length = end.instant(reader) - item.start.instant(reader)
      let zone = end.zone(reader)
      return CalendarTime(zone.wall(at: start.instant(reader) + length), end.frame)
    }
  }

  // MARK: Starts

  /// Returns the original starts near a span, from the rules and dates of the master, each with its end.
  private func originals(of master: CalendarItem, in span: Range<Int>) -> [(CalendarTime, CalendarItem.End)] {
    // The first of equal starts is used, since a period of RDATE has its own end.
    var starts = master.dates.added.map { added in
      // A time without a zone is in the zone of the series, as in EXDATE.
      let frame =
        added.start.frame == .floating && !master.start.isDay ? master.start.frame : added.start.frame
      return (CalendarTime(added.start.wall, frame), added.end == .none ? master.end : added.end)
    }
    // Some programs delete a series by ending it before its start.
    if master.dates.rules.isEmpty || !master.dates.rules.allSatisfy({ $0.isOver(before: master.start) }) {
      starts.append((master.start, master.end))
    }
    guard !master.dates.rules.isEmpty else { return starts }
    // The slack covers clock changes and moved later occurrences.
    let slack = 3 * 3600 + longestShift
    let from = master.start.zone(reader).wall(at: span.lowerBound - slack - longest(master))
    let through = master.start.zone(reader).wall(at: span.upperBound + slack)
    for rule in master.dates.rules {
      var iterator = RuleIterator(
        rule, start: master.start.wall, until: rule.last(from: master.start, reader),
        from: master.start.isDay ? WallTime(dayNumber: from.dayNumber, second: 0) : from, through: through,
        steps: steps)
      var count = 0
      while count < Limits.seriesOccurrences, let wall = iterator.next() {
        count += 1
        starts.append((CalendarTime(wall, master.start.frame), master.end))
      }
      // Too many occurrences are reported like a rule that takes too long.
      if count == Limits.seriesOccurrences { steps.giveUp() }
    }
    return starts
  }

  /// Returns the maximum length of an occurrence, in seconds.
  private func longest(_ master: CalendarItem) -> Int {
    let ends = series.items.map { item in
      let one = occurrence(item, item.start, item.end, key: "")
      return one.endsAt - one.startsAt
    }
    return min(ends.max() ?? 0, Limits.alarmDays * 86_400)
  }

  /// The maximum number of seconds by which an override moves later occurrences.
  private var longestShift: Int {
    let shifts = later.map { change in
      let item = series.overrides[change.place]
      return abs(item.start.instant(reader) - (item.overrides ?? item.start).instant(reader))
    }
    return min(shifts.max() ?? 0, Limits.alarmDays * 86_400)
  }
}
