import Basics

/// A component of a calendar (RFC 5545 section 3.6), with the properties that reddot uses and its inner components.
struct CalendarComponent {
  /// The name in upper case.
  var name: String
  /// The number of its first line.
  var line: Int
  var properties: [ContentLine] = []
  /// The inner components.
  var parts: [CalendarComponent] = []

  subscript(name: String) -> ContentLine? { properties.first { $0.name == name } }

  func all(_ name: String) -> [ContentLine] { properties.filter { $0.name == name } }

  /// The UID, cut to the maximum length of an id, or `nil` if there is none.
  var uid: String? {
    guard let uid = self["UID"]?.value.trimmingSpaces, !uid.isEmpty else { return nil }
    return uid.cut(toBytes: Limits.remoteIDBytes / 2)
  }

  /// Whether the component is an event or a to-do.
  var isItem: Bool { Self.items.contains(name) }

  /// The components that are items of a calendar: events and to-dos.
  private static let items: Set<String> = ["VEVENT", "VTODO"]

  /// The components that never contain each other (RFC 5545 section 3.6).
  private static let siblings: Set<String> = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

  /// Returns the position of the open component whose END is missing, since a component named `name` cannot
  /// begin inside it. Returns `nil` if there is none.
  private static func place(endedBy name: String, _ open: [CalendarComponent]) -> Int? {
    if name == "VCALENDAR" { return open.isEmpty ? nil : 0 }
    if siblings.contains(name) { return open.firstIndex { siblings.contains($0.name) } }
    return open.last?.name == name && parts.contains(name) ? open.count - 1 : nil
  }

  /// The components that are only inside of other ones.
  private static let parts: Set<String> = ["VALARM", "STANDARD", "DAYLIGHT"]

  /// The properties that are read; others are skipped.
  private static let used: Set<String> = [
    "ACKNOWLEDGED", "ACTION", "COMPLETED", "CONFERENCE", "DESCRIPTION", "DTEND", "DTSTAMP",
    "DTSTART", "DUE",
    "DURATION", "EXDATE", "EXRULE", "LAST-MODIFIED", "LOCATION", "METHOD", "PERCENT-COMPLETE", "RDATE",
    "RECURRENCE-ID", "REPEAT", "RRULE",
    "SEQUENCE", "STATUS", "SUMMARY", "TRIGGER", "TZID", "TZOFFSETFROM", "TZOFFSETTO", "UID", "URL",
    "X-GOOGLE-CONFERENCE", "X-LIC-LOCATION", "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
    "X-MICROSOFT-SKYPETEAMSMEETINGURL", "X-MOZ-LASTACK", "X-OWNER", "X-WR-CALNAME", "X-WR-TIMEZONE", "NAME",
  ]

  /// Whether a line is kept. Guests are kept only if they declined, since there may be thousands. Non-standard
  /// properties are kept only if they contain a URL.
  private static func keeps(_ line: ContentLine) -> Bool {
    if line.name == "ATTENDEE" { return line.parameters["PARTSTAT"]?.uppercased() == "DECLINED" }
    return used.contains(line.name) || line.name.hasPrefix("X-") && line.value.hasPrefix("http")
  }

  /// Parses the bytes of a calendar. Components that reddot does not use are left out.
  ///
  /// Some mails and folders contain components without a calendar. They become parts of the calendar before them, or of
  /// a new one.
  ///
  /// - Returns: the VCALENDAR components, or `nil` if the bytes aren't a calendar at all.
  static func read(_ bytes: [UInt8], problems: inout CalendarProblems) -> [CalendarComponent]? {
    var lines = ContentLines(bytes)
    var calendars: [CalendarComponent] = []
    var open: [CalendarComponent] = []
    var count = 0
    var isFirst = true
    while let (bytes, number) = lines.next() {
      guard let line = ContentLine(bytes, line: number) else {
        if isFirst { return nil }
        problems.add(number, "not a line of the form NAME:value")
        continue
      }
      let value = line.value.trimmingSpaces.uppercased()
      if isFirst, line.name != "BEGIN" || value != "VCALENDAR" && !siblings.contains(value) { return nil }
      isFirst = false
      switch line.name {
      case "BEGIN":
        if let place = place(endedBy: value, open) {
          close(&open, to: place, because: "has no END: another begins", &calendars, &count, &problems)
        }
        // A component that is nested too deeply is opened anyway, so that its end closes it, but nothing of it is kept.
        if open.count == Limits.calendarDepth {
          problems.add(
            number, "components are more than \(Limits.calendarDepth) deep; deeper ones are left out")
        }
        guard open.count < 1000 else {
          problems.leaveOutEvents()
          return calendars
        }
        open.append(CalendarComponent(name: value, line: number))
      case "END":
        guard let place = open.lastIndex(where: { $0.name == value }) else {
          problems.add(number, "END:\(value.prefix(40)) without its BEGIN")
          if items.contains(value) { problems.leaveOutEvents() }
          continue
        }
        close(&open, to: place + 1, because: "has no END", &calendars, &count, &problems)
        if let ended = open.popLast() { keep(ended, in: &open, &calendars, &count, &problems) }
      case _:
        guard let last = open.indices.last, open.count <= Limits.calendarDepth, keeps(line)
        else {
          if open.isEmpty { problems.add(number, "\(line.name.prefix(40)) is outside of a calendar") }
          continue
        }
        if open[last].properties.count == Limits.calendarProperties {
          problems.add(
            number, "\(open[last].name.prefix(40)) has more than \(Limits.calendarProperties) properties")
          if open[last].isItem { problems.doubt(open[last]) }
        }
        if open[last].properties.count < Limits.calendarProperties { open[last].properties.append(line) }
      }
    }
    if !open.isEmpty { problems.leaveOutEvents() }
    while let ended = open.popLast() {
      problems.add(ended.line, "\(ended.name.prefix(40)) has no END: the file is cut off")
      // A missing part of an event might have contained its cancellation or its time.
      if ended.isItem {
        problems.count(1, at: ended.line)
      } else {
        keep(ended, in: &open, &calendars, &count, &problems)
      }
    }
    return isFirst ? nil : calendars
  }

  /// Closes the open components from position `place` on, whose END is missing, and reports each with the
  /// reason.
  private static func close(
    _ open: inout [CalendarComponent], to place: Int, because reason: String,
    _ calendars: inout [CalendarComponent], _ count: inout Int, _ problems: inout CalendarProblems
  ) {
    while open.count > place, let ended = open.popLast() {
      problems.add(ended.line, "\(ended.name.prefix(40)) \(reason)")
      keep(ended, in: &open, &calendars, &count, &problems)
    }
  }

  /// Adds a component that has ended to the component around it, or to the calendars. Components that reddot
  /// does not use, or that exceed a limit, are left out.
  private static func keep(
    _ ended: CalendarComponent, in open: inout [CalendarComponent], _ calendars: inout [CalendarComponent],
    _ count: inout Int, _ problems: inout CalendarProblems
  ) {
    if ended.isItem, open.count > 1 || !open.isEmpty && open[0].name != "VCALENDAR" {
      problems.add(ended.line, "\(ended.name) is left out: it is not directly inside a VCALENDAR")
      problems.leaveOut(ended)
      return
    }
    guard let last = open.indices.last else {
      if ended.name == "VCALENDAR" {
        calendars.append(ended)
      } else if siblings.contains(ended.name) {
        var around = [calendars.popLast() ?? CalendarComponent(name: "VCALENDAR", line: ended.line)]
        keep(ended, in: &around, &calendars, &count, &problems)
        calendars += around
      }
      return
    }
    switch ended.name {
    case "VEVENT", "VTODO", "VTIMEZONE":
      count += 1
      if count == Limits.calendarItems + 1 {
        problems.add(ended.line, "more than \(Limits.calendarItems) events; the rest are left out")
        problems.leaveOutEvents()
      }
      if count > Limits.calendarItems, ended.isItem { problems.count(1, at: ended.line) }
      guard count <= Limits.calendarItems else { return }
    case "VALARM", "STANDARD", "DAYLIGHT":
      if open[last].parts.count == Limits.calendarAlarms {
        problems.add(
          ended.line, "more than \(Limits.calendarAlarms) parts of one \(open[last].name.prefix(40))")
      }
      guard open[last].parts.count < Limits.calendarAlarms else { return }
    case _: return
    }
    open[last].parts.append(ended)
  }
}

extension String {
  var trimmingSpaces: String {
    var text = Substring(self)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
