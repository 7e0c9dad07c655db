package import Basics

/// A time in a calendar: a day, a wall time in the reader's zone, or a wall time in its own zone.
package struct CalendarTime: Hashable, Sendable {
  /// The zone in which a wall time is read.
  package enum Frame: Hashable, Sendable {
    /// A whole day; `wall` is its midnight.
    case day
    /// A time in the current zone of the reader.
    case floating
    case zone(CalendarZone)
  }

  package var wall: WallTime
  package var frame: Frame

  package init(_ wall: WallTime, _ frame: Frame) { (self.wall, self.frame) = (wall, frame) }

  package var isDay: Bool { frame == .day }

  /// Returns the instant in seconds since 1970.
  package func instant(_ reader: ZoneClock) -> Int { zone(reader).seconds(of: wall) }

  /// Returns the zone of the time, or that of the reader if it has none.
  func zone(_ reader: ZoneClock) -> CalendarZone {
    if case .zone(let zone) = frame { zone } else { .clock(reader) }
  }

  /// Returns the same instant as a wall time of another frame; a day becomes midnight in that frame.
  func wall(in other: Frame, _ reader: ZoneClock) -> WallTime {
    switch (frame, other) {
    case (.zone, .floating): reader.wall(atSeconds: instant(reader))
    case (.zone(let own), .zone(let zone)): own == zone ? wall : zone.wall(at: instant(reader))
    case (.day, _), (.floating, _), (.zone, .day): wall
    }
  }

  /// Returns the time after a duration. Days keep the wall time, seconds are exact (RFC 5545 section 3.3.6).
  func adding(_ duration: CalendarDuration, _ reader: ZoneClock) -> CalendarTime {
    var moved = self
    moved.wall.dayNumber += duration.days
    guard duration.seconds != 0 else { return moved }
    if isDay { moved.frame = .floating }
    let zone = moved.zone(reader)
    moved.wall = zone.wall(at: zone.seconds(of: moved.wall) + duration.seconds)
    return moved
  }

  /// The time as `20261120T090000`, or `20261120` for a day; in UTC it ends with `Z`.
  package var text: String {
    let digits = wall.date.text.filter { $0 != "-" }
    guard !isDay else { return digits }
    let isUTC = frame == .zone(.utc)
    return "\(digits)T\(wall.clockWithSeconds.filter { $0 != ":" })\(isUTC ? "Z" : "")"
  }
}

extension CalendarTime {
  /// The time in the form of `text`, in UTC if it has a zone, so that the zone does not affect comparisons.
  package var universalText: String {
    guard case .zone = frame else { return text }
    return CalendarTime(WallTime(seconds: instant(.gmt)), .zone(.utc)).text
  }
}

/// A duration, for example `P1DT2H`, with separate days and seconds, since a day isn't always 24 hours.
package struct CalendarDuration: Hashable, Sendable {
  package var days: Int
  package var seconds: Int

  package init(days: Int = 0, seconds: Int = 0) { (self.days, self.seconds) = (days, seconds) }

  /// The length in seconds if each day had 24 hours.
  package var roughSeconds: Int { days * 86_400 + seconds }
}

// MARK: - Values

/// Parses values of properties (RFC 5545 section 3.3). Numbers have at most nine digits, so that nothing overflows.
enum CalendarValue {
  /// Parses `20261120`, `20261120T090000` or `20261120T090000Z`. It also accepts dashes and colons, missing seconds and
  /// an offset from UTC, as some programs write them.
  ///
  /// - Parameters:
  ///   - zone: the frame of a time without an offset.
  ///   - isDate: whether the value is declared as a date. A time of 00:00 is then ignored; any other time of
  ///     day is used.
  static func time(
    _ text: some StringProtocol, zone: CalendarTime.Frame, isDate: Bool = false
  ) -> CalendarTime? {
    guard let written = WrittenDate(String(text), .calendar), written.date.year > 0 else { return nil }
    let wall = WallTime(dayNumber: written.date.dayNumber, second: written.secondOfDay)
    if isDate && wall.second == 0 || !written.hasClock {
      return CalendarTime(WallTime(dayNumber: wall.dayNumber, second: 0), .day)
    }
    guard let offset = written.offset else { return CalendarTime(wall, zone) }
    return CalendarTime(WallTime(seconds: wall.secondsAtUTC - offset), .zone(.utc))
  }

  /// Parses `-P1W` or `P1DT2H3M4S`; also `PT1W`, as some programs write it.
  static func duration(_ text: some StringProtocol) -> CalendarDuration? {
    var rest = Array(text.uppercased().utf8)[...]
    var sign = 1
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      sign = first == UInt8(ascii: "-") ? -1 : 1
      rest.removeFirst()
    }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var duration = CalendarDuration()
    var isTime = false
    while let byte = rest.first {
      if byte == UInt8(ascii: "T") {
        isTime = true
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest.dropFirst(digits.count)
      guard (1...9).contains(digits.count), let unit = rest.popFirst() else { return nil }
      let number = sign * digits.reduce(0) { $0 * 10 + Int($1 - 48) }
      switch (unit, isTime) {
      case (UInt8(ascii: "W"), _): duration.days += number * 7
      case (UInt8(ascii: "D"), _): duration.days += number
      case (UInt8(ascii: "H"), true): duration.seconds += number * 3600
      case (UInt8(ascii: "M"), true): duration.seconds += number * 60
      case (UInt8(ascii: "S"), true): duration.seconds += number
      case _: return nil
      }
    }
    // Durations beyond some thousand years are errors.
    return abs(duration.days) <= 4_000_000 && abs(duration.seconds) <= 400_000_000_000 ? duration : nil
  }

  /// Parses `+0130` or `-053000`, and returns seconds.
  static func offset(_ text: some StringProtocol) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5 || bytes.count == 7, bytes.dropFirst().allSatisfy(\.isASCIIDigit),
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
    else { return nil }
    func pair(_ at: Int) -> Int { Int(bytes[at] - 48) * 10 + Int(bytes[at + 1] - 48) }
    let seconds = pair(1) * 3600 + pair(3) * 60 + (bytes.count == 7 ? pair(5) : 0)
    guard pair(1) < 24, pair(3) < 60 else { return nil }
    return bytes[0] == UInt8(ascii: "-") ? -seconds : seconds
  }
}
