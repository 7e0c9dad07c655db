/// Scans the bytes of a written date. It reads the parts that all forms of dates share: numbers, words and times of
/// day, and in `DateScanner+Zones` zones.
struct DateScanner {
  /// A number as it was written.
  struct Number {
    var value: Int
    var digits: Int
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let forms: DateForms
  var position = 0
  /// Whether an offset like -9999 was found, which programs write if they have no date.
  var hasImpossibleOffset = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ forms: DateForms) { (self.bytes, self.forms) = (bytes, forms) }

  /// Whether each part must have all its digits.
  var isStrict: Bool { forms.isDisjoint(with: [.fragments, .words]) }
  var isAtEnd: Bool { position >= bytes.count }
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  var hasMoreDigits: Bool { bytes[position...].contains(where: \.isASCIIDigit) }

  mutating func advance() { position += 1 }

  /// Skips this text if it is next, and returns whether it was.
  mutating func accept(_ text: StaticString) -> Bool {
    let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes[position...].starts(with: text) else { return false }
    position += text.count
    return true
  }

  mutating func skipSpaces() {
    while let byte = next, byte.isDateSpace { position += 1 }
  }

  /// Reads a number of at most 18 digits, so that its value cannot overflow.
  mutating func number() -> Number? {
    let start = position
    var value = 0
    while let byte = next, byte.isASCIIDigit, position - start < 18 {
      value = value * 10 + Int(byte - 0x30)
      position += 1
    }
    return position > start ? Number(value: value, digits: position - start) : nil
  }

  /// Reads a number of two digits, or of one or two digits if the forms are not strict.
  mutating func pair() -> Int? {
    guard let number = number(), number.digits == 2 || number.digits == 1 && !isStrict else { return nil }
    return number.value
  }

  /// Reads a word, which consists of letters of any script. Returns `nil` if no letter is next.
  mutating func word() -> UnsafeBufferPointer<UInt8>? {
    let start = position
    while let byte = next, byte.isASCIILetter || byte >= 0x80 { position += 1 }
    return position > start ? UnsafeBufferPointer(rebasing: bytes[start..<position]) : nil
  }

  // MARK: Times of day

  /// Reads `10:14:55.7`, `9:15`, `1014` or `101455`, then an offset or a zone. Returns `false` if there is no time of
  /// day or the offset is invalid.
  mutating func clock(into date: inout WrittenDate) -> Bool {
    guard let first = number() else { return false }
    if accept(":") {
      guard first.digits == 2 || first.digits == 1 && !isStrict, let minute = pair() else { return false }
      var second: Int?
      if accept(":") {
        second = pair()
        guard second != nil else { return false }
      }
      date.setClock(first.value, minute, second)
    } else {
      switch first.digits {
      case 1, 2: if forms.contains(.fragments) { date.setClock(first.value) } else { return false }
      case 4 where forms.contains(.compact): date.setClock(first.value / 100, first.value % 100)
      case 6 where forms.contains(.compact):
        date.setClock(first.value / 10000, first.value / 100 % 100, first.value % 100)
      default: return false
      }
    }
    if date.clockParts == 3 { fraction(into: &date) }
    return zone(into: &date)
  }

  /// Reads the digits after a point or comma, if there are any.
  mutating func fraction(into date: inout WrittenDate) {
    let start = position
    guard accept(".") || accept(","), let digits = number() else {
      position = start
      return
    }
    var scale = 1.0
    for _ in 0..<digits.digits { scale *= 10 }
    date.fraction = Double(digits.value) / scale
    while let byte = next, byte.isASCIIDigit { position += 1 }
  }

  /// Reads `10.30pm` and `10 p.m.`, in which only the word at the end shows that this is a time of day. If there is no
  /// such word, reads nothing and returns `false`.
  mutating func clockOfHalfDay(into date: inout WrittenDate) -> Bool {
    let start = position
    if let hour = number(), hour.digits <= 2, hour.value <= 12 {
      var minute: Int?
      let behind = position
      if accept("."), let number = number(), number.digits == 2, number.value < 60 {
        minute = number.value
      } else {
        position = behind
      }
      skipSpaces()
      if let isAfternoon = halfOfDay() {
        date.setClock(hour.value, minute)
        date.setHalf(isAfternoon: isAfternoon)
        if zone(into: &date) || !hasImpossibleOffset { return true }
        date.clockParts = 0
      }
    }
    position = start
    return false
  }

  /// Reads `10h30`, `10 h`, `10時30分`, and `10.30` if a point is allowed between hours and minutes. If the text has
  /// another form, reads nothing and returns `false`.
  mutating func clockOfMarks(into date: inout WrittenDate, allowingPoint: Bool) -> Bool {
    let start = position
    if let hour = number(), hour.digits <= 2, hour.value < 24 {
      let isPoint = allowingPoint && accept(".")
      if isPoint || isHourMark() {
        if !isPoint { skipSpaces() }
        let behind = position
        var minute: Int?
        if let number = number(), number.digits == 2, number.value < 60, next != UInt8(ascii: "."),
          next != UInt8(ascii: ":")
        {
          minute = number.value
          _ = accept("分") || accept("분")
        } else {
          position = behind
        }
        if minute != nil || !isPoint && next.map({ !$0.isASCIIDigit }) ?? true {
          date.setClock(hour.value, minute)
          if zone(into: &date) || !hasImpossibleOffset { return true }
          date.clockParts = 0
        }
      }
    }
    position = start
    return false
  }

  /// Skips spaces and a word for "hour", for example `h` or `時`. Returns `false` if there is no such word.
  private mutating func isHourMark() -> Bool {
    skipSpaces()
    if accept("時") || accept("时") || accept("點") || accept("点") || accept("시") { return true }
    guard accept("h") || accept("H") else { return false }
    return next.map { !$0.isASCIILetter && $0 < 0x80 } ?? true
  }

  /// Reads `p.m.`, `PM` or a word of another language, and returns whether it means the afternoon. If there is no such
  /// word, reads nothing and returns `nil`.
  mutating func halfOfDay() -> Bool? {
    let start = position
    if let word = word(), let isAfternoon = DateWords.isAfternoon(word) {
      _ = accept(".")
      return isAfternoon
    }
    position = start
    // The letters of `a.m.`, and of the Greek π.μ.
    let isAfternoon: Bool
    if accept("p") || accept("P") || accept("μ") || accept("Μ") {
      isAfternoon = true
    } else if accept("a") || accept("A") || accept("π") || accept("Π") {
      isAfternoon = false
    } else {
      return nil
    }
    if accept(".") {
      skipSpaces()
      if accept("m") || accept("M") || accept("μ") || accept("Μ"), next.map({ !$0.isASCIILetter }) ?? true {
        _ = accept(".")
        return isAfternoon
      }
    }
    position = start
    return nil
  }
}
