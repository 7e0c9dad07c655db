import HTML
import Limits

/// A position in a date's bytes, and the parts that all forms share: numbers, times of day, offsets and zones.
struct DateScanner {
  struct Number {
    var value: Int
    var digits: Int
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0
  /// An offset like -9999 was found: programs write it if they have no date.
  private(set) var hasImpossibleOffset = false
  /// `10:14` was read.
  private(set) var sawClock = false
  /// An offset or the name of a zone was read.
  private(set) var sawZone = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  var hasMoreDigits: Bool { bytes[position...].contains(where: \.isASCIIDigit) }

  mutating func advance() { position += 1 }

  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func skipSpaces() {
    while let byte = next, byte.isXMLSpace { position += 1 }
  }

  /// At most 18 digits, so that the value cannot overflow.
  mutating func number() -> Number? {
    let start = position
    var value = 0
    while let byte = next, byte.isASCIIDigit, position - start < 18 {
      value = value * 10 + Int(byte - 0x30)
      position += 1
    }
    return position > start ? Number(value: value, digits: position - start) : nil
  }

  /// Letters of any script.
  mutating func word() -> UnsafeBufferPointer<UInt8>? {
    let start = position
    while let byte = next, byte.isASCIILetter || byte >= 0x80 { position += 1 }
    return position > start ? UnsafeBufferPointer(rebasing: bytes[start..<position]) : nil
  }

  /// `p.m.`, `PM` and words of other languages: whether it is the afternoon; `nil` and nothing read if there is no such word.
  mutating func halfOfDay() -> Bool? {
    let start = position
    if let word = word(), let isAfternoon = DateWords.isAfternoon(word) {
      _ = accept(".")
      return isAfternoon
    }
    position = start
    guard let letter = next.map({ $0 | 0x20 }), letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p")
    else {
      return nil
    }
    position += 1
    if accept(".") {
      skipSpaces()
      if accept("m") || accept("M"), next.map({ !$0.isASCIILetter }) ?? true {
        _ = accept(".")
        return letter == UInt8(ascii: "p")
      }
    }
    position = start
    return nil
  }

  /// `10.30pm` and `10 p.m.`: a time of day that only the word behind it shows. Nothing is read if it is none.
  mutating func clockOfHalfDay(into time: inout WrittenTime) -> Bool {
    let start = position
    if let hour = number(), hour.digits <= 2, hour.value <= 12 {
      var minute = 0
      let behind = position
      if accept("."), let number = number(), number.digits == 2, number.value < 60 {
        minute = number.value
      } else {
        position = behind
      }
      skipSpaces()
      if let isAfternoon = halfOfDay() {
        (time.hour, time.minute) = (hour.value % 12 + (isAfternoon ? 12 : 0), minute)
        sawClock = true
        if zone(into: &time) || !hasImpossibleOffset { return true }
      }
    }
    position = start
    return false
  }

  /// `10:14:55.7`, `1014`, `9:15`, then an offset or a zone. False if there is no time of day or the offset is invalid.
  mutating func clock(into time: inout WrittenTime) -> Bool {
    guard let first = number() else { return false }
    if accept(":") {
      guard let minute = number(), first.digits <= 2, minute.digits <= 2 else { return false }
      (time.hour, time.minute) = (first.value, minute.value)
      if accept(":") {
        guard let second = number(), second.digits <= 2 else { return false }
        time.second = second.value
      }
    } else {
      switch first.digits {
      case 1, 2: time.hour = first.value
      case 4: (time.hour, time.minute) = (first.value / 100, first.value % 100)
      case 6:
        (time.hour, time.minute, time.second) = (
          first.value / 10000, first.value / 100 % 100, first.value % 100
        )
      default: return false
      }
    }
    sawClock = true
    fraction(into: &time)
    return zone(into: &time)
  }

  private mutating func fraction(into time: inout WrittenTime) {
    let start = position
    guard accept(".") || accept(","), let digits = number() else {
      position = start
      return
    }
    var scale = 1.0
    for _ in 0..<digits.digits { scale *= 10 }
    time.fraction = Double(digits.value) / scale
    while let byte = next, byte.isASCIIDigit { position += 1 }
  }

  /// An offset or the name of a zone, after white space; without one it is UTC.
  mutating func zone(into time: inout WrittenTime) -> Bool {
    skipSpaces()
    guard let byte = next else { return true }
    if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { return offset(into: &time) }
    if let isAfternoon = halfOfDay() {
      time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
      return zone(into: &time)
    }
    let start = position
    guard let word = word() else {
      // A comment like (CET) is skipped.
      return byte == UInt8(ascii: "(")
    }
    guard let seconds = TimeZoneNames.offset(of: word) else {
      position = start
      return false
    }
    time.offset = seconds
    sawZone = true
    // GMT+0100 and UTC-5.
    if seconds == 0, next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { return offset(into: &time) }
    return true
  }

  private mutating func offset(into time: inout WrittenTime) -> Bool {
    let isWest = next == UInt8(ascii: "-")
    position += 1
    guard let first = number() else { return false }
    var (hours, minutes) = (first.value, 0)
    if accept(":") {
      guard let second = number() else { return false }
      minutes = second.value
    } else if first.digits > 2 {
      (hours, minutes) = (first.value / 100, first.value % 100)
    }
    guard hours <= 15, minutes < 60 else {
      hasImpossibleOffset = true
      return false
    }
    time.offset = (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    sawZone = true
    return true
  }
}
