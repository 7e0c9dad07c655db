import Basics

/// One firing of an alarm: the occurrence that it announces, and its instant.
package struct AlarmFiring: Hashable, Sendable {
  package var occurrence: CalendarOccurrence
  /// The key of the alarm in its event.
  package var key: String
  /// The instant, in seconds since 1970.
  package var instant: Int

  package init(occurrence: CalendarOccurrence, key: String, instant: Int) {
    (self.occurrence, self.key, self.instant) = (occurrence, key, instant)
  }
}

/// The time of the notification about an event that has no alarm itself.
package struct DefaultAlarm: Hashable, Sendable {
  /// The number of seconds from the notification to the start of the event, or to the due time of a to-do. It
  /// is `nil` if events without an alarm get no notification.
  package var before: Int?
  /// The time of day of the notification about an all-day event, in seconds from midnight.
  package var dayStart: Int

  package init(before: Int?, dayStart: Int) { (self.before, self.dayStart) = (before, dayStart) }

  /// The `AlarmFiring.key` of a default alarm.
  static let key = "default"
}

extension SeriesExpansion {
  /// Returns the firings of a series' alarms after `from` and up to `through`, in order.
  ///
  /// - Parameters:
  ///   - from: seconds since 1970; not included.
  ///   - through: seconds since 1970; included.
  ///   - standard: the alarm for events that have none.
  package func alarms(
    of series: CalendarSeries, after from: Int, through: Int, default standard: DefaultAlarm
  ) -> [AlarmFiring] {
    guard from < through else { return [] }
    var found: [AlarmFiring] = []
    func add(_ occurrence: CalendarOccurrence, _ key: String, _ instant: Int) {
      let isSeen = occurrence.item.acknowledged.map { instant <= $0 } ?? false
      if instant > from, instant <= through, !isSeen {
        found.append(AlarmFiring(occurrence: occurrence, key: key, instant: instant))
      }
    }
    // The maximum time that alarms are before a start, and after an end.
    var (before, behind) = (standard.before ?? 0, 0)
    var hasRelative = false
    for item in series.items {
      if !item.hasAlarm, standard.before != nil {
        hasRelative = true
        if item.isDay { behind = max(behind, standard.dayStart) }
      }
      for alarm in item.alarms {
        switch alarm.trigger {
        case .at(let instant):
          guard !item.isCancelled, !item.isCompleted, !item.isDeclined, instant <= through else { continue }
          let occurrence = itself(item)
          for instant in alarm.instants(instant) { add(occurrence, alarm.key, instant) }
        case .beforeStart(let duration), .beforeEnd(let duration):
          hasRelative = true
          before = max(before, -duration.roughSeconds)
          behind = max(behind, duration.roughSeconds + alarm.repeatedFor)
        }
      }
    }
    if hasRelative {
      let slack = 3 * 3600
      for occurrence in occurrences(in: from - behind - slack..<through + before + slack) {
        guard !occurrence.item.isCompleted, !occurrence.item.isDeclined else { continue }
        if occurrence.item.hasAlarm {
          for alarm in occurrence.item.alarms {
            guard let first = first(alarm, of: occurrence) else { continue }
            for instant in alarm.instants(first) { add(occurrence, alarm.key, instant) }
          }
        } else if let instant = self.standard(standard, of: occurrence) {
          add(occurrence, DefaultAlarm.key, instant)
        }
      }
    }
    return found.sorted { ($0.instant, $0.occurrence.startsAt) < ($1.instant, $1.occurrence.startsAt) }
  }

  /// Returns the time to which the default alarm refers: the start of an event, or the due time of a to-do.
  private func anchor(_ occurrence: CalendarOccurrence) -> CalendarTime {
    occurrence.item.kind == .todo ? occurrence.end : occurrence.start
  }

  /// Returns the instant at which an alarm fires first for an occurrence, or `nil` if the alarm has an absolute time.
  private func first(_ alarm: CalendarAlarm, of occurrence: CalendarOccurrence) -> Int? {
    switch alarm.trigger {
    case .beforeStart(let duration): instant(occurrence.start.adding(duration, reader))
    case .beforeEnd(let duration): instant(occurrence.end.adding(duration, reader))
    case .at: nil
    }
  }

  private func instant(_ time: CalendarTime) -> Int { time.instant(reader) }

  /// Returns the instant of an occurrence's default alarm, or `nil` if there is none.
  private func standard(_ standard: DefaultAlarm, of occurrence: CalendarOccurrence) -> Int? {
    guard let before = standard.before else { return nil }
    var anchor = anchor(occurrence)
    guard anchor.isDay else { return anchor.instant(reader) - before }
    anchor.frame = .floating
    anchor.wall.second = standard.dayStart
    return anchor.instant(reader)
  }
}

extension CalendarAlarm {
  /// Returns the times at which the alarm fires, with its repetitions, except those acknowledged in another program.
  ///
  /// - Parameter first: the first time, in seconds since 1970.
  func instants(_ first: Int) -> [Int] {
    (0...repeats).map { first + $0 * pause }.filter { instant in acknowledged.map { instant > $0 } ?? true }
  }
}
