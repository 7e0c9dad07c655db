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
    let start = position
    guard let word = word() else {
      // A comment like (CET) is skipped.
      return byte == UInt8(ascii: "(")
    }
    if let isAfternoon = DateWords.isAfternoon(word) {
      time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
      return zone(into: &time)
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
