import Dates
import HTML

/// Dates that begin with a number, in the order year, month, day: W3CDTF, ISO 8601 and the formats of databases.
struct ISODateScanner {
  enum Outcome {
    case moment(WrittenTime)
    /// It has this form, but the date does not exist.
    case nothing
    /// It has another form.
    case otherForm
  }

  private var scanner: DateScanner

  init(_ bytes: UnsafeBufferPointer<UInt8>) { scanner = DateScanner(bytes) }

  mutating func scan() -> Outcome {
    let isShort = scanner.accept("-")
    guard let first = scanner.number() else { return .otherForm }
    guard var time = isShort ? shortDate(first) : date(first) else { return .otherForm }
    if scanner.isAtEnd { return .moment(time) }
    guard let byte = scanner.next else { return .otherForm }
    guard byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t") || byte.isXMLSpace else { return .otherForm }
    scanner.advance()
    scanner.skipSpaces()
    return scanner.clock(into: &time) ? .moment(time) : timeless(time)
  }

  /// `-9512` and `-95-12`: without the century.
  private mutating func shortDate(_ first: DateScanner.Number) -> WrittenTime? {
    if first.digits == 4 {
      return WrittenTime(year: WrittenTime.fullYear(first.value / 100, digits: 2), month: first.value % 100)
    }
    guard first.digits == 2, scanner.accept("-"), let month = scanner.number(), month.digits == 2 else {
      return nil
    }
    return WrittenTime(year: WrittenTime.fullYear(first.value, digits: 2), month: month.value)
  }

  private mutating func date(_ first: DateScanner.Number) -> WrittenTime? {
    switch first.digits {
    case 4: return separated(year: first.value)
    case 5: return ordinal(WrittenTime.fullYear(first.value / 1000, digits: 2), first.value % 1000)
    case 6:
      return WrittenTime(
        year: WrittenTime.fullYear(first.value / 10000, digits: 2), month: first.value / 100 % 100,
        day: first.value % 100)
    case 7: return ordinal(first.value / 1000, first.value % 1000)
    case 8:
      return WrittenTime(year: first.value / 10000, month: first.value / 100 % 100, day: first.value % 100)
    case 10 where scanner.isAtEnd: return unix(first.value)
    case 13 where scanner.isAtEnd:
      var time = unix(first.value / 1000)
      if first.value % 1000 != 0 { time.isKnownDay = false }
      return time
    case 14:
      let (day, clock) = (first.value / 1_000_000, first.value % 1_000_000)
      return WrittenTime(
        year: day / 10000, month: day / 100 % 100, day: day % 100, hour: clock / 10000,
        minute: clock / 100 % 100, second: clock % 100)
    case 2: return twoDigitYear(first.value)
    default: return nil
    }
  }

  private mutating func separated(year: Int) -> WrittenTime? {
    if let time = week(of: year) { return time }
    guard let separator = scanner.next, separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/")
    else {
      return scanner.isAtEnd ? WrittenTime(year: year) : nil
    }
    scanner.advance()
    // 2004-július-13 and other words: see `WrittenDateScanner`.
    guard let second = scanner.number() else { return nil }
    if second.digits == 3 { return ordinal(year, second.value) }
    guard second.digits <= 2 else { return nil }
    var time = WrittenTime(year: year, month: second.value)
    if scanner.next == separator {
      scanner.advance()
      guard let day = scanner.number(), day.digits <= 2 else { return nil }
      time.day = day.value
    }
    return time
  }

  /// `2026-W05-1`, `2026W051` and `2026-W05`, which is its Monday.
  private mutating func week(of year: Int) -> WrittenTime? {
    var ahead = scanner
    _ = ahead.accept("-")
    guard ahead.accept("W") || ahead.accept("w"), let number = ahead.number() else { return nil }
    var (week, day) = (number.value, 1)
    if number.digits == 3 {
      (week, day) = (number.value / 10, number.value % 10)
    } else if number.digits != 2 {
      return nil
    } else if ahead.accept("-") {
      guard let number = ahead.number(), number.digits == 1 else { return nil }
      day = number.value
    }
    guard (1...53).contains(week), (1...7).contains(day) else { return nil }
    // The week of 4 January is the first one.
    let fourth = WallTime(dayNumber: CivilDate(year: year, month: 1, day: 4).dayNumber, second: 0)
    scanner = ahead
    return WrittenTime(
      CivilDate(dayNumber: fourth.dayNumber - fourth.weekday + 1 + (week - 1) * 7 + day - 1))
  }

  /// `03-12-31`; for `31-12-2003` see `WrittenDateScanner`.
  private mutating func twoDigitYear(_ year: Int) -> WrittenTime? {
    guard scanner.accept("-"), let month = scanner.number(), month.digits == 2 else { return nil }
    var time = WrittenTime(year: WrittenTime.fullYear(year, digits: 2), month: month.value)
    if scanner.accept("-") {
      guard let day = scanner.number(), day.digits == 2 else { return nil }
      time.day = day.value
    }
    return time
  }

  private func ordinal(_ year: Int, _ day: Int) -> WrittenTime? {
    guard (1...366).contains(day) else { return nil }
    return WrittenTime(CivilDate(dayNumber: CivilDate(year: year, month: 1, day: 1).dayNumber + day - 1))
  }

  private func unix(_ seconds: Int) -> WrittenTime {
    let wall = WallTime(seconds: seconds)
    var time = WrittenTime(wall.date)
    (time.hour, time.minute, time.second) = (wall.hour, wall.second / 60 % 60, wall.second % 60)
    return time
  }

  /// The time of day cannot be read. With an impossible offset the date is invalid; otherwise the day is used.
  private func timeless(_ time: WrittenTime) -> Outcome {
    if scanner.hasImpossibleOffset { return .nothing }
    if scanner.sawClock { return .otherForm }
    // Words follow, such as a.m. in Korean or a month.
    return scanner.hasMoreDigits ? .otherForm : .moment(time)
  }
}
