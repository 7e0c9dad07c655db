import Basics

/// A recursive descent parser for JSON. The caller must keep the bytes alive.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let depthLimit: Int
  private let allowance: Allowance
  /// The number of values in memory: those read since `forgetValues`.
  private var values = 0
  var place = 0
  /// The current string with escapes. It is kept so that its memory is reused.
  private var unescaped: [UInt8] = []
  /// The members of the open objects and the elements of the open arrays, those of inner ones last.
  private var members: [JSONObject.Member] = []
  private var elements: [JSONValue] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int, allowance: Allowance) {
    self.bytes = bytes
    self.allowance = allowance
    self.depthLimit = depthLimit
  }

  /// Skips a byte order mark and white space before the value.
  mutating func begin() throws(JSONFailure) {
    if bytes.count >= 2 {
      let mark = (bytes[0], bytes[1])
      if mark == (0xFE, 0xFF) || mark == (0xFF, 0xFE) { throw failure(.otherEncoding) }
      if bytes.count >= 3, mark == (0xEF, 0xBB), bytes[2] == 0xBF { place = 3 }
    }
    skipSpace()
    if place == bytes.count { throw failure(.empty) }
  }

  /// Checks that only white space is left.
  mutating func end() throws(JSONFailure) {
    skipSpace()
    if place < bytes.count { throw failure(.textAfterEnd) }
  }

  @inline(__always)
  var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  @inline(__always)
  mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      default: return
      }
    }
  }

  /// Reads the value that begins at `place`.
  ///
  /// - Parameter depth: the number of arrays and objects around it.
  mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
    guard let byte = current else { throw failure(.unexpectedEnd) }
    values += 1
    if values & 127 == 0 { try checkValues() }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(asciiText(try number()))
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    default: throw unexpected("a value")
    }
  }

  /// Checks every 128 values that the document does not contain too many.
  private mutating func checkValues() throws(JSONFailure) {
    guard allowance.spend(128 * Limits.valueBytes) else { throw failure(.tooMuch(allowance.sentence)) }
    let limit = Limits.valuesAtOnce(documentBytes: bytes.count)
    if values > limit { throw failure(.tooMuch("more than \(limit) values in one")) }
  }

  /// Resets the number of values in memory, since the caller has received and released them.
  mutating func forgetValues() {
    // The remainder of a step of 128 is kept.
    values &= 127
  }

  private mutating func object(depth: Int) throws(JSONFailure) -> JSONObject {
    guard try begin(depth: depth, unless: UInt8(ascii: "}")) else { return JSONObject() }
    var builder = JSONObjectBuilder(members)
    while true {
      let key = try self.key()
      builder.add(key, try value(depth: depth), to: &members)
      if builder.isTooLarge(members) { throw failure(.tooManyKeys) }
      if try !separator(before: UInt8(ascii: "}")) { return JSONObject(distinct: builder.finish(&members)) }
    }
  }

  /// Enters an object or array. If it is empty, skips its closing bracket too and returns `false`.
  mutating func begin(depth: Int, unless bracket: UInt8) throws(JSONFailure) -> Bool {
    if depth > depthLimit { throw failure(.tooDeep(limit: depthLimit)) }
    place += 1
    skipSpace()
    guard current == bracket else { return true }
    place += 1
    return false
  }

  private mutating func array(depth: Int) throws(JSONFailure) -> [JSONValue] {
    guard try begin(depth: depth, unless: UInt8(ascii: "]")) else { return [] }
    let start = elements.count
    while true {
      elements.append(try value(depth: depth))
      if try !separator(before: UInt8(ascii: "]")) {
        let finished = Array(elements[start...])
        elements.removeSubrange(start...)
        return finished
      }
    }
  }

  /// Reads a key and its colon, up to the first byte of the value.
  mutating func key() throws(JSONFailure) -> String {
    guard let byte = current else { throw failure(.unexpectedEnd) }
    guard byte == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    let key = try string()
    skipSpace()
    guard let byte = current else { throw failure(.unexpectedEnd) }
    guard byte == UInt8(ascii: ":") else { throw unexpected("a colon") }
    place += 1
    skipSpace()
    return key
  }

  /// Reads the separator after a member or element. Returns `true` after a comma, `false` after the closing bracket.
  mutating func separator(before bracket: UInt8) throws(JSONFailure) -> Bool {
    skipSpace()
    guard let byte = current else { throw failure(.unexpectedEnd) }
    if byte == bracket {
      place += 1
      return false
    }
    guard byte == UInt8(ascii: ",") else {
      throw unexpected("a comma or \(Character(Unicode.Scalar(bracket)))")
    }
    place += 1
    skipSpace()
    return true
  }

  /// Skips `word`, which is `true`, `false` or `null`, or throws if the bytes are another word.
  private mutating func word(_ word: StaticString) throws(JSONFailure) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard place + offset < bytes.count else {
        place = bytes.count
        throw failure(.unexpectedEnd)
      }
      if bytes[place + offset] != word.utf8Start[offset] {
        throw failure(.unexpected("an unknown word", expected: "a value"))
      }
    }
    place += word.utf8CodeUnitCount
  }

  // MARK: Numbers

  /// Skips a number and returns its range.
  private mutating func number() throws(JSONFailure) -> Range<Int> {
    let start = place
    if bytes[place] == UInt8(ascii: "-") { place += 1 }
    if current == UInt8(ascii: "0") { place += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      place += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      place += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { place += 1 }
      try digits()
    }
    // `01`, `1.2.3`, `0x1F` and `1_000` end the number early; this message is clearer than "comma expected".
    if let byte = current,
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte.isASCIILetter || byte.isASCIIDigit
    {
      throw failure(.badNumber)
    }
    return start..<place
  }

  /// Skips one or more digits.
  private mutating func digits() throws(JSONFailure) {
    guard let first = current else { throw failure(.unexpectedEnd) }
    guard first.isASCIIDigit else { throw failure(.badNumber) }
    while place < bytes.count, bytes[place].isASCIIDigit { place += 1 }
  }

  // MARK: Strings

  /// Reads a string, whose opening quote is at `place`.
  private mutating func string() throws(JSONFailure) -> String {
    place += 1
    let start = place
    let isASCII = skipPlain()
    guard let byte = current else { throw failure(.unexpectedEnd) }
    guard byte == UInt8(ascii: "\"") else { return try stringWithEscapes(from: start) }
    let text =
      isASCII
      ? asciiText(start..<place)
      : String(validating: UnsafeBufferPointer(rebasing: bytes[start..<place]), as: UTF8.self)
    guard let text else {
      place = start + validUTF8Prefix(of: bytes[start..<place])
      throw failure(.notUTF8)
    }
    place += 1
    return text
  }

  /// Returns ASCII bytes as a string, much faster than the generic initialisers of `String`, since ASCII needs no
  /// validation.
  private func asciiText(_ range: Range<Int>) -> String {
    let source = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[range])
    return String(unsafeUninitializedCapacity: range.count) { target in
      UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
      return range.count
    }
  }

  /// Reads the rest of a string from its first escape on, or reports the control character there.
  ///
  /// - Parameter start: the position after the opening quote.
  private mutating func stringWithEscapes(from start: Int) throws(JSONFailure) -> String {
    unescaped.removeAll(keepingCapacity: true)
    var copied = start
    while true {
      unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<place]))
      guard let byte = current else { throw failure(.unexpectedEnd) }
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") else { throw failure(.controlCharacter(byte)) }
      try escape()
      copied = place
      skipPlain()
    }
    guard let text = String(validating: unescaped, as: UTF8.self) else {
      place = start + validUTF8Prefix(of: bytes[start..<place])
      throw failure(.notUTF8)
    }
    place += 1
    return text
  }

  /// Moves to the next quote, backslash or control character, eight bytes at a time; returns whether all skipped
  /// bytes were ASCII.
  @inline(__always) @discardableResult
  private mutating func skipPlain() -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let raw = UnsafeRawBufferPointer(bytes)
    var seen: UInt64 = 0
    while place + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let slash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      let stops = ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | ((word &- ones &* 0x20) & ~word)
      if stops & tops != 0 { break }
      seen |= word
      place += 8
    }
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      seen |= UInt64(byte)
      place += 1
    }
    return seen & tops == 0
  }

  /// Appends the character of the escape at `place` to `unescaped`.
  private mutating func escape() throws(JSONFailure) {
    guard place + 1 < bytes.count else {
      place = bytes.count
      throw failure(.unexpectedEnd)
    }
    let letter = bytes[place + 1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      try unicodeEscape()
      return
    default: throw failure(.badEscape)
    }
    place += 2
  }

  /// Appends the character of `\uXXXX`, or of two that form a surrogate pair.
  private mutating func unicodeEscape() throws(JSONFailure) {
    var code = UInt32(try fourDigits(at: place + 2))
    var length = 6
    if (0xD800..<0xDC00).contains(code), place + 7 < bytes.count, bytes[place + 6] == UInt8(ascii: "\\"),
      bytes[place + 7] == UInt8(ascii: "u")
    {
      let low = UInt32(try fourDigits(at: place + 8))
      if (0xDC00..<0xE000).contains(low) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
        length = 12
      }
    }
    let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
    unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    place += length
  }

  /// Returns the value of the four hex digits at a position.
  private mutating func fourDigits(at start: Int) throws(JSONFailure) -> UInt16 {
    var code: UInt16 = 0
    for offset in 0..<4 {
      guard start + offset < bytes.count else {
        place = bytes.count
        throw failure(.unexpectedEnd)
      }
      guard let digit = bytes[start + offset].hexDigit else { throw failure(.badEscape) }
      code = code << 4 | UInt16(digit)
    }
    return code
  }
}
