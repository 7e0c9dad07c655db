extension DateScanner {
  /// Reads an offset or the name of a zone, after white space. Returns `false` if the offset is invalid or another word
  /// is next, and `true` at the end of the text.
  mutating func zone(into date: inout WrittenDate) -> Bool {
    skipSpaces()
    guard let byte = next else { return true }
    if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { return offset(into: &date) }
    guard forms.contains(.zones) else {
      guard accept("Z") || accept("z") else { return false }
      date.offset = 0
      return true
    }
    if let isAfternoon = halfOfDay() {
      date.setHalf(isAfternoon: isAfternoon)
      return zone(into: &date)
    }
    if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { return comment(into: &date) }
    return name(into: &date)
  }

  /// Reads `(CET)`, `(UTC+1)`, and `[Europe/Vienna]` of RFC 9557. Other comments are left to the caller.
  private mutating func comment(into date: inout WrittenDate) -> Bool {
    let isRound = next == UInt8(ascii: "(")
    var (inner, zoned) = (self, date)
    inner.advance()
    if inner.name(into: &zoned), isRound ? inner.accept(")") : inner.accept("]") {
      (self, date) = (inner, zoned)
      return true
    }
    return isRound
  }

  /// Reads the name of a zone. If the next word is no zone, reads nothing and returns `false`.
  private mutating func name(into date: inout WrittenDate) -> Bool {
    if let zone = nameOfDatabase() {
      date.zone = zone
      return true
    }
    let start = position
    guard let word = word(), let seconds = TimeZoneNames.offset(of: word) else {
      position = start
      return false
    }
    date.offset = seconds
    // GMT+0100, UTC-5, and UTC +1.
    guard seconds == 0 else { return true }
    var ahead = self
    ahead.skipSpaces()
    guard ahead.isAtOffset else { return true }
    self = ahead
    return offset(into: &date)
  }

  /// Whether a sign with a digit behind it is next.
  var isAtOffset: Bool {
    guard let next, next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else { return false }
    return position + 1 < bytes.count && bytes[position + 1].isASCIIDigit
  }

  /// Reads a name of the zone database, for example `Europe/Vienna`. If the database has no such name, reads nothing
  /// and returns `nil`.
  private mutating func nameOfDatabase() -> ZoneClock? {
    let name = bytes[position...].prefix {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "_")
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
    guard name.contains(UInt8(ascii: "/")), let zone = ZoneClock(named: String(decoding: name, as: UTF8.self))
    else { return nil }
    position += name.count
    return zone
  }

  /// Reads an offset that begins with a sign, for example `+05:30`, `+0530` or `+05`. Returns `false` if it is invalid.
  private mutating func offset(into date: inout WrittenDate) -> Bool {
    let isWest = next == UInt8(ascii: "-")
    advance()
    guard let first = number() else { return false }
    var (hours, minutes) = (first.value, 0)
    if accept(":") {
      guard let pair = pair() else { return false }
      minutes = pair
    } else if first.digits > 2 {
      (hours, minutes) = (first.value / 100, first.value % 100)
    }
    if isStrict, first.digits != 2, first.digits != 4 { return false }
    guard hours <= (isStrict ? 23 : 15), minutes < 60 else {
      hasImpossibleOffset = true
      return false
    }
    date.offset = (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    return true
  }
}
