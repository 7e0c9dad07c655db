import Basics

/// One line of a calendar, unfolded: `NAME;PARAMETER=value:value` (RFC 5545 section 3.1).
package struct ContentLine: Hashable, Sendable {
  /// The name in upper case.
  package var name: String
  /// The values, keyed by names in upper case. If a parameter has several values, this is the text with its commas.
  package var parameters: [String: String]
  package var value: String
  /// The number of its first line, from 1.
  package var line: Int
  /// The name of the last parameter, which is in front of the value.
  private var lastParameter: String?

  /// Parses an unfolded line. Returns `nil` if it has no colon or no valid name.
  ///
  /// - Parameter line: the number of its first line in the file, from 1.
  package init?(_ bytes: ArraySlice<UInt8>, line: Int) {
    self.init(bytes, line: line, hasQuotes: true)
    // An unclosed quotation mark hides the rest of the line.
    if name.isEmpty { self.init(bytes, line: line, hasQuotes: false) }
    if name.isEmpty { return nil }
  }

  private init(_ bytes: ArraySlice<UInt8>, line: Int, hasQuotes: Bool) {
    (self.line, self.name, value, parameters) = (line, "", "", [:])
    var name: String?
    var parameter: Substring?
    var isQuoted = false
    var begin = bytes.startIndex
    var end: Int?
    func text(_ from: Int, _ to: Int) -> String { String(decoding: bytes[from..<to], as: UTF8.self) }
    for index in bytes.indices {
      let byte = bytes[index]
      if hasQuotes, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted else { continue }
      let isEnd = byte == UInt8(ascii: ":")
      if byte == UInt8(ascii: "="), name != nil, parameter == nil {
        parameter = Substring(text(begin, index).uppercased())
        begin = index + 1
      } else if isEnd || byte == UInt8(ascii: ";") {
        if name == nil {
          name = text(begin, index).uppercased()
        } else if let key = parameter {
          parameters[String(key)] = text(begin, index).replacingBytes("\"", with: "")
          lastParameter = String(key)
        }
        parameter = nil
        begin = index + 1
        if isEnd {
          end = index
          break
        }
      }
    }
    guard let end, let name = name?.trimmingSpaces, !name.isEmpty,
      name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else { return }
    self.name = name
    value = text(end + 1, bytes.endIndex)
  }

  /// Moves the end of an unquoted parameter that contains colons from the value to the parameter: the value then starts
  /// after the last colon that is followed by a time. Returns whether the value is now a time.
  @discardableResult mutating func takeColons() -> Bool {
    guard let lastParameter else { return false }
    for colon in value.indices.reversed() where value[colon] == ":" {
      let rest = value[value.index(after: colon)...]
      let first = rest.prefix { $0 != "," && $0 != "/" }
      guard CalendarValue.time(String(first).trimmingSpaces, zone: .floating) != nil else { continue }
      parameters[lastParameter, default: ""] += ":" + value[..<colon]
      value = String(rest)
      return true
    }
    return false
  }

  /// The value as text, with the escapes `\n`, `\,`, `\;` and `\\` resolved.
  package var text: String { Self.unescaped(value) }

  /// Returns a value with its escapes resolved; see `text`.
  package static func unescaped(_ value: some StringProtocol) -> String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return String(value) }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in value.utf8 {
      if isEscaped {
        bytes.append(byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N") ? 10 : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Iterates over the unfolded lines of a calendar.
struct ContentLines {
  private let bytes: [UInt8]
  private var place = 0
  /// The byte that ends lines: LF, or CR in a file without LF.
  private let end: UInt8
  /// The number of the next line.
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.contains(10) ? 10 : 13
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    // Blanks before the first line do not continue a line.
    while place < bytes.count, isFold(bytes[place]) || bytes[place] == 10 || bytes[place] == 13 {
      if bytes[place] == end { line += 1 }
      place += 1
    }
  }

  /// Returns the bytes of the next line that isn't empty, cut to `Limits.calendarLineBytes`, or `nil` at the end.
  mutating func next() -> (bytes: ArraySlice<UInt8>, line: Int)? {
    while place < bytes.count {
      let first = line
      var found = physical()
      guard !found.isEmpty else { continue }
      skipEmptyLines()
      if place < bytes.count, isFold(bytes[place]) {
        var joined = Array(found)
        while place < bytes.count, isFold(bytes[place]) {
          let next = physical().dropFirst()
          joined += next.prefix(max(0, Limits.calendarLineBytes - joined.count))
          skipEmptyLines()
        }
        found = joined[...]
      }
      return (found.prefix(Limits.calendarLineBytes), first)
    }
    return nil
  }

  /// Whether a line that begins with this byte continues the line before.
  private func isFold(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Skips line ends, since some programs write an empty line between a line and its continuation.
  private mutating func skipEmptyLines() {
    while place < bytes.count, bytes[place] == 10 || bytes[place] == 13 {
      if bytes[place] == end { line += 1 }
      place += 1
    }
  }

  /// Returns the next line of the file, without its end and not unfolded.
  private mutating func physical() -> ArraySlice<UInt8> {
    let stop = bytes[place...].firstIndex(of: end) ?? bytes.count
    var found = bytes[place..<stop]
    place = stop + 1
    line += 1
    while found.last == 13 { found.removeLast() }
    return found
  }
}
