import HTML
import Limits

/// Dates in words: RFC 822, asctime, and the formats of programs in many languages. Each part is recognized by
/// its form, so that the order hardly matters.
struct WrittenDateScanner {
  private var scanner: DateScanner
  private var numbers: [DateScanner.Number] = []
  private var month: Int?
  private var time = WrittenTime(year: 0)
  private var hasClock = false
  private var isAfternoon: Bool?
  private var hasZone = false
  private var isKorean = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    scanner = DateScanner(bytes)
    numbers.reserveCapacity(3)
  }

  mutating func scan() -> WrittenTime? {
    while let byte = scanner.next {
      if byte.isASCIIDigit {
        guard readNumber() else { return nil }
      } else if byte.isASCIILetter || byte >= 0x80 {
        guard readWord() else { return nil }
      } else if hasClock, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        guard scanner.zone(into: &time) else { return nil }
        hasZone = true
      } else {
        scanner.advance()
      }
    }
    guard assignDate() else { return nil }
    // Dates in Korean have no zone; Korea has only this one.
    if isKorean, !hasZone { time.offset = 9 * 3600 }
    // Half a day is no time of day.
    if !hasClock { time.isKnownDay = true }
    if let isAfternoon { time.hour = time.hour % 12 + (isAfternoon ? 12 : 0) }
    return time
  }

  /// A time of day if a colon follows, else a part of the date.
  private mutating func readNumber() -> Bool {
    var ahead = scanner
    if let number = ahead.number(), ahead.next == UInt8(ascii: ":"), number.digits <= 2, !hasClock {
      if scanner.clock(into: &time) {
        hasClock = true
        hasZone = scanner.sawZone
        return true
      }
      hasClock = scanner.sawClock
      // After a time may come a year (asctime) or a word. With an impossible offset it isn't a date.
      return hasClock && !scanner.hasImpossibleOffset
    }
    if !hasClock, scanner.clockOfHalfDay(into: &time) {
      (hasClock, hasZone) = (true, scanner.sawZone)
      return true
    }
    guard let number = scanner.number() else { return false }
    // A date has at most three numbers.
    if numbers.count < 3 { numbers.append(number) }
    return true
  }

  private mutating func readWord() -> Bool {
    var ahead = scanner
    guard let word = scanner.word() else { return false }
    if let value = DateWords.month(word) {
      // The later name is used, since French "mar." also means Tuesday, but not one behind the year.
      if month == nil || numbers.count < 2 { month = value }
    } else if let value = ahead.halfOfDay() {
      scanner = ahead
      isAfternoon = value
      isKorean = isKorean || DateWords.isKorean(word)
    } else if hasClock, !hasZone, let offset = TimeZoneNames.offset(of: word) {
      (time.offset, hasZone) = (offset, true)
    } else if DateWords.isKorean(word) {
      isKorean = true
    }
    return true
  }

  private mutating func assignDate() -> Bool {
    if let month {
      guard numbers.count >= 2 else { return false }
      time.month = month
      // The year is the number that cannot be a day, else the last one.
      let yearFirst = numbers[0].digits >= 3 || numbers[0].value > 31
      let (year, day) = yearFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
      (time.year, time.day) = (WrittenTime.fullYear(year.value, digits: year.digits), day.value)
      return true
    }
    guard numbers.count == 3 else { return false }
    if numbers[0].digits >= 3 {
      (time.year, time.month, time.day) = (numbers[0].value, numbers[1].value, numbers[2].value)
    } else {
      // Day before month, unless only the other order is a date.
      let (first, second) = (numbers[0].value, numbers[1].value)
      (time.day, time.month) = second > 12 && first <= 12 ? (second, first) : (first, second)
      time.year = WrittenTime.fullYear(numbers[2].value, digits: numbers[2].digits)
    }
    return true
  }
}
