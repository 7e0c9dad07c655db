import Basics

/// Reads the integers and floats of TOML.
enum TOMLNumber {
  /// Reads an integer or a float. Returns `nil` if the word is not a number, or needs more than 64 bits.
  static func read(_ word: ArraySlice<UInt8>) -> TOMLValue? {
    let bases: [(prefix: String, base: Int)] = [("0x", 16), ("0o", 8), ("0b", 2)]
    for (prefix, base) in bases where word.starts(with: prefix.utf8) {
      let digits = withoutUnderscores(word.dropFirst(2)) { $0.hexDigit != nil }
      // A sign would otherwise be accepted.
      guard let digits, digits.first?.hexDigit != nil else { return nil }
      return Int(String(decoding: digits, as: UTF8.self), radix: base).map(TOMLValue.integer)
    }
    guard let number = withoutUnderscores(word, \.isASCIIDigit) else { return nil }
    let unsigned = withoutSign(number[...])
    let text = String(decoding: number, as: UTF8.self)
    if unsigned.elementsEqual("inf".utf8) || unsigned.elementsEqual("nan".utf8) {
      return Double(text).map(TOMLValue.float)
    }
    let parts = unsigned.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 | 0x20 == UInt8(ascii: "e")
    }
    let mantissa = parts[0].split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard mantissa.allSatisfy(isDigits), mantissa[0].count == 1 || mantissa[0].first != UInt8(ascii: "0"),
      parts.dropFirst().allSatisfy({ isDigits(withoutSign($0)) })
    else { return nil }
    if parts.count == 1, mantissa.count == 1 { return Int(text).map(TOMLValue.integer) }
    return Double(text).flatMap { $0.isFinite ? .float($0) : nil }
  }

  private static func isDigits(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(\.isASCIIDigit)
  }

  private static func withoutSign(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
  }

  /// Returns the bytes without the underscores, or `nil` if one is not between two digits.
  private static func withoutUnderscores(
    _ bytes: ArraySlice<UInt8>, _ isDigit: (UInt8) -> Bool
  ) -> [UInt8]? {
    let groups = bytes.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    let areBetweenDigits = zip(groups, groups.dropFirst()).allSatisfy { before, after in
      before.last.map(isDigit) == true && after.first.map(isDigit) == true
    }
    return areBetweenDigits ? Array(groups.joined()) : nil
  }
}

/// Checks the dates and times of TOML (RFC 3339).
enum TOMLDate {
  /// Whether a word is a date, a time of day, or a date with a time that may have an offset.
  static func isValid(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = word
    if readTime(&rest) { return rest.isEmpty }
    guard readDay(&rest) else { return false }
    guard let separator = rest.popFirst() else { return true }
    guard "Tt ".utf8.contains(separator), readTime(&rest) else { return false }
    guard let offset = rest.popFirst() else { return true }
    if offset | 0x20 == UInt8(ascii: "z") { return rest.isEmpty }
    guard "+-".utf8.contains(offset), let time = numbers(as: "00:00", from: &rest) else { return false }
    return time[0] < 24 && time[1] < 60 && rest.isEmpty
  }

  /// Whether a word is a date without a time of day.
  static func isDay(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = word
    return readDay(&rest) && rest.isEmpty
  }

  /// Reads a date at the front, and returns whether there is a valid one.
  private static func readDay(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let date = numbers(as: "0000-00-00", from: &rest) else { return false }
    return CivilDate(year: date[0], month: date[1], day: date[2]).isInCalendar
  }

  /// Reads a time of day at the front, and returns whether there is a valid one.
  private static func readTime(_ rest: inout ArraySlice<UInt8>) -> Bool {
    // The last second of a day may be a leap second.
    guard let time = numbers(as: "00:00:00", from: &rest), time[0] < 24, time[1] < 60, time[2] <= 60 else {
      return false
    }
    guard rest.first == UInt8(ascii: ".") else { return true }
    let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
    rest = rest[digits.endIndex...]
    return !digits.isEmpty
  }

  /// Reads the beginning of the bytes if it has the form of `shape`, with any digits in place of the zeros.
  ///
  /// - Returns: the numbers, or `nil` if the bytes begin with another form; then nothing is read.
  private static func numbers(as shape: String, from rest: inout ArraySlice<UInt8>) -> [Int]? {
    let word = rest.prefix(shape.utf8.count)
    guard word.map({ $0.isASCIIDigit ? UInt8(ascii: "0") : $0 }).elementsEqual(shape.utf8) else { return nil }
    rest = rest.dropFirst(word.count)
    return word.split { !$0.isASCIIDigit }.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
  }
}
