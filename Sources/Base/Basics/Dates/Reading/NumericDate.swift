/// Dates that begin with a number, in the order year, month, day: RFC 3339, RFC 5545, ISO 8601 and the formats of
/// databases.
struct NumericDate {
  /// The result of reading a date.
  enum Outcome {
    case date(WrittenDate)
    /// The text has this form, but the date does not exist.
    case nothing
    /// The text has another form.
    case otherForm
  }

  private var scanner: DateScanner

  private var forms: DateForms { scanner.forms }

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ forms: DateForms) { scanner = DateScanner(bytes, forms) }

  mutating func read() -> Outcome {
    let isShort = forms.contains(.fragments) && scanner.accept("-")
    guard let first = scanner.number(), var date = isShort ? shortDate(first) : date(first) else {
      return .otherForm
    }
    if scanner.isAtEnd { return .date(date) }
    guard let byte = scanner.next else { return .otherForm }
    guard byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t") || byte.isDateSpace else {
      return .otherForm
    }
    scanner.advance()
    if !scanner.isStrict { scanner.skipSpaces() }
    guard scanner.clock(into: &date) else { return timeless(date) }
    // Words may follow, as in the string that Go writes for a time.
    return scanner.isAtEnd || forms.contains(.words) ? .date(date) : .otherForm
  }

  /// Reads the rest of a date that begins with this number.
  private mutating func date(_ first: DateScanner.Number) -> WrittenDate? {
    let value = first.value
    switch first.digits {
    case 4: return separated(year: value)
    case 8 where forms.contains(.compact): return day(value)
    case 10 where forms.contains(.unix): return unix(value)
    case 13 where forms.contains(.unix) && scanner.isAtEnd:
      var date = WrittenDate(unix: value / 1000)
      date.fraction = Double(value % 1000) / 1000
      return date
    case _: return forms.contains(.fragments) ? fragment(value, digits: first.digits) : nil
    }
  }

  /// Reads the rest of a date in one of the `fragments` forms, which the number of digits distinguishes.
  private mutating func fragment(_ value: Int, digits: Int) -> WrittenDate? {
    switch digits {
    case 2: return twoDigitYear(value)
    case 5: return ordinal(WrittenDate.fullYear(value / 1000, digits: 2), value % 1000)
    case 6:
      return WrittenDate(
        year: WrittenDate.fullYear(value / 10000, digits: 2), month: value / 100 % 100, day: value % 100)
    case 7: return ordinal(value / 1000, value % 1000)
    case 12:
      var date = day(value / 10000)
      date.setClock(value / 100 % 100, value % 100)
      return date
    case 14:
      var date = day(value / 1_000_000)
      date.setClock(value / 10000 % 100, value / 100 % 100, value % 100)
      return date
    case _: return nil
    }
  }

  /// Returns the date of a number like 20261120.
  private func day(_ value: Int) -> WrittenDate {
    WrittenDate(year: value / 10000, month: value / 100 % 100, day: value % 100)
  }

  /// Reads seconds since 1970, with or without a fraction.
  ///
  /// Until 2033 the seconds begin with 1. A number that begins with a year of this century, a month and a day may be a
  /// day with its hour, so it is not read.
  private mutating func unix(_ seconds: Int) -> WrittenDate? {
    let day = day(seconds / 100)
    if (2000...2099).contains(day.year), day.date.isInCalendar, seconds % 100 < 24 { return nil }
    var date = WrittenDate(unix: seconds)
    scanner.fraction(into: &date)
    return scanner.isAtEnd ? date : nil
  }

  /// Reads `-9512` and `-95-12`, which lack the century.
  private mutating func shortDate(_ first: DateScanner.Number) -> WrittenDate? {
    if first.digits == 4 {
      return WrittenDate(year: WrittenDate.fullYear(first.value / 100, digits: 2), month: first.value % 100)
    }
    guard first.digits == 2, scanner.accept("-"), let month = scanner.number(), month.digits == 2 else {
      return nil
    }
    return WrittenDate(year: WrittenDate.fullYear(first.value, digits: 2), month: month.value)
  }

  /// Reads the rest of a date after its year of four digits, with dashes or slashes between the parts.
  private mutating func separated(year: Int) -> WrittenDate? {
    guard forms.contains(.fragments) else {
      guard scanner.accept("-"), let month = scanner.number(), month.digits == 2, scanner.accept("-"),
        let day = scanner.number(), day.digits == 2
      else { return nil }
      return WrittenDate(year: year, month: month.value, day: day.value)
    }
    if let date = week(of: year) { return date }
    guard let separator = scanner.next, separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/")
    else {
      return scanner.isAtEnd ? WrittenDate(year: year) : nil
    }
    scanner.advance()
    // 2004-július-13 and other words: see `WordedDate`.
    guard let second = scanner.number() else { return nil }
    if second.digits == 3 { return ordinal(year, second.value) }
    guard second.digits <= 2 else { return nil }
    var date = WrittenDate(year: year, month: second.value)
    if scanner.next == separator {
      scanner.advance()
      guard let day = scanner.number(), day.digits <= 2 else { return nil }
      date.day = day.value
    }
    return date
  }

  /// Reads `2026-W05-1`, `2026W051` and `2026-W05`, which means its Monday.
  private mutating func week(of year: Int) -> WrittenDate? {
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
    return WrittenDate(
      CivilDate(dayNumber: fourth.dayNumber - fourth.weekday + 1 + (week - 1) * 7 + day - 1))
  }

  /// Reads `03-12-31`; for `31-12-2003` see `WordedDate`.
  private mutating func twoDigitYear(_ year: Int) -> WrittenDate? {
    guard scanner.accept("-"), let month = scanner.number(), month.digits == 2 else { return nil }
    var date = WrittenDate(year: WrittenDate.fullYear(year, digits: 2), month: month.value)
    if scanner.accept("-") {
      guard let day = scanner.number(), day.digits == 2 else { return nil }
      date.day = day.value
    }
    return date
  }

  /// Returns the date of a day that is numbered within its year, from 1 to 366.
  private func ordinal(_ year: Int, _ day: Int) -> WrittenDate? {
    guard (1...366).contains(day) else { return nil }
    return WrittenDate(CivilDate(dayNumber: CivilDate(year: year, month: 1, day: 1).dayNumber + day - 1))
  }

  /// Returns the result for a time of day that cannot be read. The date is invalid if its offset is impossible;
  /// otherwise only the day is used.
  private func timeless(_ date: WrittenDate) -> Outcome {
    if scanner.hasImpossibleOffset { return .nothing }
    guard forms.contains(.words), !date.hasClock, !scanner.hasMoreDigits else { return .otherForm }
    return .date(date)
  }
}
