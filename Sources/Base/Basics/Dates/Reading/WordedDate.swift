/// Dates in words: RFC 822, asctime, and the formats of programs in many languages. Each part is recognized by
/// its form, so that the order hardly matters.
struct WordedDate {
  /// A number that is no part of a time of day.
  private struct Part {
    var value: Int
    var digits: Int
    /// Whether only a point, a slash or a dash separates the number from the one before.
    var isJoined: Bool

    /// Whether the number can only be a year.
    var isYear: Bool { digits >= 3 || value > 31 }
  }

  private var scanner: DateScanner
  private var parts: [Part] = []
  private var month: Int?
  /// The number of parts before the name of the month.
  private var partsBeforeMonth = 0
  private var date = WrittenDate(year: 0)
  /// Whether the word that was read means p.m. and not a.m., or `nil` if no such word was read.
  private var isAfternoon: Bool?
  /// Whether a Korean word was read.
  private var isKorean = false
  /// The year before the first year of an era, until the number after it is read.
  private var era: Int?

  /// The maximum number of parts: a date has at most three numbers, and two numbers of a time of day before
  /// it may look like parts.
  private static let mostParts = 5

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ forms: DateForms) {
    scanner = DateScanner(bytes, forms)
    parts.reserveCapacity(Self.mostParts)
  }

  private var hasZone: Bool { date.offset != nil || date.zone != nil }
  /// Whether the parts suffice for a day, a month and a year.
  private var isComplete: Bool { month == nil ? parts.count >= 3 : parts.count >= 2 }

  /// Reads the date, or returns `nil` if the text is not a date.
  mutating func read() -> WrittenDate? {
    while let byte = scanner.next {
      if byte.isASCIIDigit {
        guard readNumber() else { return nil }
      } else if byte.isASCIILetter || byte >= 0x80 {
        readWord()
      } else if date.hasClock, date.zone == nil, date.offset ?? 0 == 0, scanner.isAtOffset {
        guard scanner.zone(into: &date) else { return nil }
      } else {
        scanner.advance()
      }
    }
    guard assign() else { return nil }
    // Korean dates have no zone, and Korea has only one.
    if isKorean, !hasZone { date.offset = 9 * 3600 }
    // A word for a.m. or p.m. alone is no time of day.
    if !date.hasClock { date.isKnownDay = true }
    if let isAfternoon { date.setHalf(isAfternoon: isAfternoon) }
    return date
  }

  /// Reads a time of day if a colon or another sign of one follows; otherwise reads a part of the date. Returns `false`
  /// if the date is invalid.
  private mutating func readNumber() -> Bool {
    if !date.hasClock {
      var ahead = scanner
      if let number = ahead.number(), number.digits <= 2, ahead.next == UInt8(ascii: ":") {
        if scanner.clock(into: &date) { return true }
        // A year (asctime) or a word may follow a time. A date with an impossible offset is invalid.
        return date.hasClock && !scanner.hasImpossibleOffset
      }
      if scanner.clockOfHalfDay(into: &date)
        || scanner.clockOfMarks(into: &date, allowingPoint: isComplete)
      {
        return true
      }
    }
    let isJoined = isJoined
    guard let number = scanner.number() else { return false }
    guard parts.count < Self.mostParts else { return true }
    parts.append(Part(value: number.value, digits: number.digits, isJoined: isJoined))
    if let era {
      parts[parts.count - 1] = Part(value: era + number.value, digits: 4, isJoined: false)
      self.era = nil
    }
    return true
  }

  /// Whether only a point, a slash or a dash separates the next number from the one before.
  private var isJoined: Bool {
    let place = scanner.position
    guard place >= 2, scanner.bytes[place - 2].isASCIIDigit else { return false }
    return [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-")].contains(scanner.bytes[place - 1])
  }

  /// Reads a word, and uses it if it is a month, an era, a zone, or a word for a.m. or p.m.
  private mutating func readWord() {
    var ahead = scanner
    guard let word = scanner.word() else { return }
    if let value = DateWords.month(word) {
      // The later name of a month is used, since French "mar." also means Tuesday. A name after the year is not.
      if month == nil || parts.count < 2 { (month, partsBeforeMonth) = (value, parts.count) }
    } else if let value = ahead.halfOfDay() {
      scanner = ahead
      isAfternoon = value
      isKorean = isKorean || DateWords.isKorean(word)
    } else if date.hasClock, !hasZone, let offset = TimeZoneNames.offset(of: word) {
      date.offset = offset
    } else if DateWords.isKorean(word) {
      isKorean = true
    } else if let year = DateWords.era(word) {
      era = year
    }
  }

  // MARK: The parts

  /// Determines day, month and year from the parts. Returns `false` if they are ambiguous or not a date.
  private mutating func assign() -> Bool {
    guard let month else { return assignNumbers() }
    date.month = month
    let years = parts.indices.filter { parts[$0].isYear }
    guard let year = years.first(where: { parts[$0].digits == 4 }) ?? years.first else {
      // With two numbers that may both be the year, it is the last one. With more, the date is ambiguous.
      guard parts.count == 2 else { return false }
      set(day: parts[0], year: parts[1])
      return true
    }
    let days = parts.indices.filter { $0 != year && !(parts[$0].digits > 2) }
    guard let day = days.min(by: { distance($0) < distance($1) }) else {
      // This is a month without a day, like `2026-11`.
      set(day: Part(value: 1, digits: 1, isJoined: false), year: parts[year])
      return parts.count == 1 && parts[year].digits == 4 && !date.hasClock
    }
    set(day: parts[day], year: parts[year])
    return true
  }

  /// The number of parts between a part and the name of the month.
  private func distance(_ part: Int) -> Int {
    part < partsBeforeMonth ? partsBeforeMonth - 1 - part : part - partsBeforeMonth
  }

  private mutating func set(day: Part, year: Part) {
    date.day = day.value
    date.year = WrittenDate.fullYear(year.value, digits: year.digits)
    date.yearDigits = year.digits
  }

  /// Determines the date if no part of it is a word. Returns `false` if the numbers are not a date.
  private mutating func assignNumbers() -> Bool {
    guard parts.count >= 3 else { return false }
    if parts[0].digits >= 3 {
      (date.year, date.month, date.day) = (parts[0].value, parts[1].value, parts[2].value)
      return true
    }
    // Numbers of a sentence, as in "2 hours, 5 minutes and 30 seconds ago", are no date.
    guard parts[2].digits == 4 || parts[2].digits == 2 && parts[1].isJoined && parts[2].isJoined else {
      return false
    }
    // The day comes before the month, unless only the other order is a date.
    let (first, second) = (parts[0].value, parts[1].value)
    date.month = second > 12 && first <= 12 ? first : second
    set(day: second > 12 && first <= 12 ? parts[1] : parts[0], year: parts[2])
    return true
  }
}
