import Basics

/// An event or a to-do of a calendar; for a series its master, or an override of some occurrences.
package struct CalendarItem: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case event, todo
  }

  /// The end of an item.
  package enum End: Hashable, Sendable {
    /// The item has no end: it is a day or an instant.
    case none
    case at(CalendarTime)
    case after(CalendarDuration)
  }

  /// The dates at which an item recurs: RRULE, RDATE and EXDATE.
  package struct DateSet: Hashable, Sendable {
    var rules: [RecurrenceRule] = []
    /// Additional occurrences, which may have their own ends.
    var added: [Added] = []
    /// The occurrences that EXDATE excludes.
    var left: [CalendarTime] = []

    /// An additional occurrence (RDATE).
    struct Added: Hashable, Sendable {
      var start: CalendarTime
      var end: End
    }

    var isEmpty: Bool { rules.isEmpty && added.isEmpty }
  }

  package var kind: Kind
  package var uid: String
  /// The id of the event in the calendar: the UID, unless other events have the same one.
  package var key: String
  /// The name of its file in a folder; empty if the calendar is one document.
  package var file: String
  /// The number of the line at which it begins in its file.
  package var line: Int
  /// SEQUENCE: the number of the event's version.
  package var sequence = 0
  /// LAST-MODIFIED, in seconds since 1970.
  package var modified: Int?
  /// DTSTAMP, in seconds since 1970.
  package var stamp: Int?
  /// The original start of the occurrence that this item overrides, or `nil` if it is no override.
  package var overrides: CalendarTime?
  /// Whether an override also applies to later occurrences.
  package var overridesLater = false
  /// The start; for a to-do without a start, the due time.
  package var start: CalendarTime
  package var end = End.none
  package var dates = DateSet()
  /// Whether some dates of the item could not be read, so that occurrences may be missing.
  package var hasUnreadDates = false
  package var isCancelled = false
  /// Whether a to-do is completed.
  package var isCompleted = false
  /// Whether the calendar's owner declined the invitation.
  package var isDeclined = false
  /// The time of the last alarm that was acknowledged in another program, in seconds since 1970.
  package var acknowledged: Int?
  package var summary = ""
  package var location = ""
  package var description = ""
  package var url: String?
  /// The addresses of CONFERENCE (RFC 7986), and of the corresponding properties of Google and Microsoft.
  package var conferences: [String] = []
  /// The addresses in other non-standard properties.
  package var addresses: [String] = []
  package var alarms: [CalendarAlarm] = []
  /// Whether the calendar sets an alarm for the item, even an alarm that does not notify.
  package var hasAlarm = false
}

extension CalendarItem {
  /// The position of the item's first line, for problems.
  package var place: String { FormatProblem(file: file, line: line, message: "").at }

  /// Whether notifications about the item depend on a day instead of a time.
  var isDay: Bool {
    if kind == .todo, case .at(let due) = end { due.isDay } else { start.isDay }
  }
}

/// A VALARM (RFC 5545 section 3.6.6, RFC 9074).
package struct CalendarAlarm: Hashable, Sendable {
  /// The time at which an alarm fires.
  package enum Trigger: Hashable, Sendable {
    /// The duration from the start to the alarm, which is negative if the alarm is before the start.
    case beforeStart(CalendarDuration)
    /// The duration from the end to the alarm, which is negative if the alarm is before the end.
    case beforeEnd(CalendarDuration)
    /// An instant in seconds since 1970.
    case at(Int)
  }

  /// The UID, or the alarm's number in its event if it has none.
  package var key: String
  package var trigger: Trigger
  /// The number of repetitions after the first firing.
  package var repeats = 0
  /// The seconds between two repetitions.
  package var pause = 0
  /// The time of the last firing that was acknowledged in another program, in seconds since 1970.
  package var acknowledged: Int?
}

// MARK: - Reading

extension CalendarItem {
  /// Creates an item, or returns `nil` and adds a problem if it must be left out. A to-do without a date is left out
  /// without a problem.
  ///
  /// - Parameter frame: returns the frame of a time with the line's TZID.
  init?(
    _ component: CalendarComponent, _ kind: Kind, problems: inout CalendarProblems,
    frame: (ContentLine, inout CalendarProblems) -> CalendarTime.Frame
  ) {
    func time(_ name: String, _ problems: inout CalendarProblems) -> CalendarTime? {
      guard let line = component.date(name) else { return nil }
      let text = line.value.trimmingSpaces
      if let time = CalendarValue.time(text, zone: frame(line, &problems), isDate: line.isDate) {
        return time
      }
      problems.add(line.line, "\(name): \(line.value.prefix(40)) is not a date")
      return nil
    }
    let begin = time("DTSTART", &problems)
    let end = time(kind == .todo ? "DUE" : "DTEND", &problems)
    let original = time("RECURRENCE-ID", &problems)
    // A to-do without a date is valid; an event without a date is not.
    guard let start = kind == .todo ? begin ?? end : begin,
      original != nil || component["RECURRENCE-ID"] == nil
    else {
      if kind == .event, component["DTSTART"] == nil { problems.add(component.line, "VEVENT has no DTSTART") }
      let isUndated = kind == .todo && component["DTSTART"] == nil && component["DUE"] == nil
      if !isUndated { problems.leaveOut(component) }
      return nil
    }
    self.kind = kind
    self.start = start
    overrides = original
    file = problems.file
    line = component.line
    summary = component["SUMMARY"].map(\.text) ?? ""
    if let given = component.uid {
      uid = given
    } else {
      problems.add(component.line, "\(component.name) has no UID; it is identified by its title and start")
      uid = "\(summary)@\(start.text)".cut(toBytes: Limits.remoteIDBytes / 2)
    }
    key = uid
    if var end, begin != nil {
      // An end without a zone uses the zone of the start.
      if case .zone(let zone) = start.frame, zone != .utc, end.frame == .floating { end.frame = start.frame }
      self.end = .at(end)
      if end.isDay != start.isDay, let line = component[kind == .todo ? "DUE" : "DTEND"]?.line {
        problems.add(line, "the end is a day and the start is a time, or the other way round")
      }
    } else if let line = component["DURATION"] {
      if let duration = CalendarValue.duration(line.value.trimmingSpaces), duration.roughSeconds >= 0 {
        self.end = .after(duration)
      } else {
        problems.add(line.line, "DURATION: \(line.value.prefix(40)) is not a duration")
      }
    }
    if case .at(let end) = self.end, end.wall < start.wall, end.frame == start.frame {
      problems.add(component.line, "\(component.name) ends before it starts")
      self.end = .none
    }
    sequence = component["SEQUENCE"].flatMap { Int($0.value.trimmingSpaces) } ?? 0
    modified = component.instant("LAST-MODIFIED")
    stamp = component.instant("DTSTAMP")
    overridesLater = component["RECURRENCE-ID"]?.parameters["RANGE"]?.uppercased() == "THISANDFUTURE"
    let status = component["STATUS"]?.value.trimmingSpaces.uppercased()
    isCancelled = status == "CANCELLED"
    isCompleted =
      kind == .todo
      && (status == "COMPLETED" || component["COMPLETED"] != nil
        || component["PERCENT-COMPLETE"]?.value.trimmingSpaces == "100")
    location = component["LOCATION"].map(\.text) ?? ""
    description = component["DESCRIPTION"].map(\.text) ?? ""
    url = component["URL"]?.value.trimmingSpaces
    conferences = Self.meetings.flatMap { component.all($0) }.map { $0.value.trimmingSpaces }
    addresses = component.properties.filter { $0.name.hasPrefix("X-") && $0.value.hasPrefix("http") }
      .map { $0.value.trimmingSpaces }
    acknowledged = component.instant("X-MOZ-LASTACK")
    if overrides == nil { readDates(component, &problems, frame) }
    for (place, part) in component.parts.enumerated() where part.name == "VALARM" {
      hasAlarm = true
      if let alarm = CalendarAlarm(part, number: place, problems: &problems) { alarms.append(alarm) }
    }
  }

  /// The properties that contain addresses of online meetings.
  private static let meetings = [
    "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL",
    "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
  ]

  /// Reads RRULE, RDATE and EXDATE into `dates`.
  private mutating func readDates(
    _ component: CalendarComponent, _ problems: inout CalendarProblems,
    _ frame: (ContentLine, inout CalendarProblems) -> CalendarTime.Frame
  ) {
    for line in component.all("RRULE") {
      guard var rule = RecurrenceRule.read(line, problems: &problems) else {
        hasUnreadDates = true
        continue
      }
      if rule.lacksValues { hasUnreadDates = true }
      if rule.isOver(before: start) {
        problems.add(line.line, "RRULE: UNTIL is before DTSTART: the rule gives no time")
      }
      if start.isDay {
        guard rule.frequency >= .daily else {
          problems.add(line.line, "RRULE: whole days do not recur by hours, minutes or seconds")
          hasUnreadDates = true
          continue
        }
        (rule.hours, rule.minutes, rule.seconds) = ([], [], [])
      }
      dates.rules.append(rule)
    }
    for line in component.all("EXRULE") {
      problems.add(line.line, "EXRULE is obsolete and was ignored; EXDATE excludes times")
    }
    for name in ["RDATE", "EXDATE"] {
      for line in component.dates(name) {
        let zone = frame(line, &problems)
        for text in line.value.split(onBytes: ",") {
          guard dates.added.count + dates.left.count < Limits.calendarDates else {
            problems.add(line.line, "more than \(Limits.calendarDates) dates; the rest are left out")
            hasUnreadDates = true
            return
          }
          // A period has a slash, then an end or a duration.
          let parts = text.split(onBytes: "/", maxSplits: 1).map { String($0).trimmingSpaces }
          guard let first = parts.first,
            let time = CalendarValue.time(first, zone: zone, isDate: line.isDate)
          else {
            problems.add(line.line, "\(name): \(text.prefix(40)) is not a date")
            if name == "RDATE" { hasUnreadDates = true }
            continue
          }
          guard name == "RDATE" else {
            dates.left.append(time)
            continue
          }
          var end = End.none
          if parts.count == 2 {
            if let duration = CalendarValue.duration(parts[1]), duration.roughSeconds >= 0 {
              end = .after(duration)
            } else if let until = CalendarValue.time(parts[1], zone: zone), until.frame == time.frame {
              let seconds = until.wall.secondsAtUTC - time.wall.secondsAtUTC
              if seconds >= 0 { end = .after(CalendarDuration(seconds: seconds)) }
            }
          }
          dates.added.append(.init(start: time, end: end))
        }
      }
    }
  }
}

extension ContentLine {
  /// Whether the value of the line is declared as a date.
  fileprivate var isDate: Bool { parameters["VALUE"]?.uppercased() == "DATE" }
}

extension CalendarComponent {
  /// Returns the lines of a property whose values are times. A value that is no time because of colons in an
  /// unquoted parameter is repaired.
  fileprivate func dates(_ name: String) -> [ContentLine] {
    all(name).map { line in
      var line = line
      let first = line.value.prefix { $0 != "," && $0 != "/" }
      if CalendarValue.time(String(first).trimmingSpaces, zone: .floating) == nil { line.takeColons() }
      return line
    }
  }

  /// Returns the first of the lines that `dates` returns.
  fileprivate func date(_ name: String) -> ContentLine? { dates(name).first }

  /// Whether one of these people declined.
  ///
  /// - Parameter people: addresses in lower case.
  func isDeclined(by people: Set<String>) -> Bool {
    all("ATTENDEE").contains { guest in
      [guest.value, guest.parameters["EMAIL"] ?? ""].contains { people.contains(Self.person($0)) }
    }
  }

  /// Returns an address without `mailto:`, in lower case: `mailto:ada@example.org` becomes `ada@example.org`.
  static func person(_ text: String) -> String {
    let text = text.trimmingSpaces.lowercased()
    return text.hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
  }

  /// Returns a property in UTC, in seconds since 1970, or `nil` if it is missing or isn't a date.
  fileprivate func instant(_ name: String) -> Int? {
    self[name].flatMap { CalendarValue.time($0.value.trimmingSpaces, zone: .zone(.utc)) }?.instant(.gmt)
  }
}

extension CalendarAlarm {
  /// Reads a VALARM. Returns `nil` if it does not notify, or adds a problem and returns `nil` if its trigger is
  /// invalid.
  ///
  /// - Parameter number: the number of the alarm in its event, from 0.
  init?(_ component: CalendarComponent, number: Int, problems: inout CalendarProblems) {
    // Programs write alarms with action NONE to prevent a default alarm.
    let action = component["ACTION"]?.value.trimmingSpaces.uppercased() ?? "DISPLAY"
    guard ["DISPLAY", "AUDIO", "EMAIL"].contains(action) else { return nil }
    guard let line = component["TRIGGER"] else {
      problems.add(component.line, "VALARM has no TRIGGER")
      return nil
    }
    let text = line.value.trimmingSpaces
    if let duration = CalendarValue.duration(text) {
      guard abs(duration.roughSeconds) <= Limits.alarmDays * 86_400 else {
        problems.add(line.line, "TRIGGER: \(text.prefix(40)) is more than \(Limits.alarmDays) days away")
        return nil
      }
      let isAtEnd = line.parameters["RELATED"]?.uppercased() == "END"
      trigger = isAtEnd ? .beforeEnd(duration) : .beforeStart(duration)
    } else if let time = CalendarValue.time(text, zone: .zone(.utc)), !time.isDay {
      trigger = .at(time.instant(.gmt))
    } else {
      problems.add(line.line, "TRIGGER: \(text.prefix(40)) is neither a duration nor a time")
      return nil
    }
    key = component["UID"]?.value.trimmingSpaces.cut(toBytes: 200) ?? "\(number)"
    if let count = component["REPEAT"].flatMap({ Int($0.value.trimmingSpaces) }), count > 0,
      let pause = component["DURATION"].flatMap({ CalendarValue.duration($0.value.trimmingSpaces) })
    {
      if (1...Limits.alarmDays * 86_400).contains(pause.roughSeconds) {
        repeats = min(count, Limits.alarmRepeats)
        self.pause = pause.roughSeconds
      }
    }
    acknowledged = component.instant("ACKNOWLEDGED")
  }

  /// The seconds from its first firing to its last.
  var repeatedFor: Int { repeats * pause }
}
