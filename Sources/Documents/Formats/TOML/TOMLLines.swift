import Basics

/// The lines of the tables and keys of a TOML text, for mistakes and for removing a table.
///
/// It scans the text like the TOML parser (TOML 1.0), so that brackets, quotes and number signs in strings and
/// comments are not misread. Lines end with LF or CR LF. After the first mistake it may be wrong.
package struct TOMLLines {
  /// A `[table]` or `[[array]]` header and its lines up to the next header.
  package struct Block: Equatable {
    /// Names from the top level; an element of an array has its index, as in `source[0]`.
    package var path: [String]
    /// The header's line, from 1; 0 for the keys before the first header.
    package var header: Int
    /// The last line of the last key; comments and blank lines after it belong to no table.
    package var last: Int
    /// The keys that stand in it itself, with the bytes of their values.
    package var keys: [Key] = []

    package struct Key: Equatable {
      package var name: String
      package var value: Range<Int>
    }
  }

  package private(set) var blocks: [Block] = [Block(path: [], header: 0, last: 0)]
  /// The line of the first text with an escaped U+0000; nil if there is none.
  private(set) var nulLine: Int?
  /// The first position at which the parser would end the process: it asserts that a table's name, or a value of an
  /// array, begins with a valid character, and that a time begins with a digit (toml++, `parse_key`, `parse_value`,
  /// `parse_time`). With the text before that statement.
  private(set) var trap: (line: Int, before: String)?
  /// Lines, from 1, of tables, keys, and the parts of inline tables and arrays.
  private var places: [String: Int] = [:]

  package init(_ text: String) {
    var scan = Scan(bytes: Array(text.utf8))
    var counts: [[String]: Int] = [:]
    var path: [String] = []
    while scan.skipToStatement() {
      let (line, start) = (scan.line, scan.position)
      if scan.next == UInt8(ascii: "[") {
        let (names, isArray) = scan.header()
        path = []
        for (index, name) in names.enumerated() {
          path.append(name)
          if isArray, index == names.count - 1 {
            counts[path, default: 0] += 1
          }
          // `[source.types]` belongs to the last `[[source]]`.
          if let count = counts[path] { path[index] = "\(name)[\(count - 1)]" }
        }
        record(path, line)
        blocks.append(Block(path: path, header: line, last: line))
      } else {
        let own = scan.key()
        let key = path + own
        record(key, line)
        if scan.skip(UInt8(ascii: "=")) {
          let value = scan.measuredValue { record(key + $0, $1) }
          if own.count == 1 { blocks[blocks.count - 1].keys.append(Block.Key(name: own[0], value: value)) }
        } else {
          scan.skipLine()
        }
      }
      blocks[blocks.count - 1].last = scan.line
      if trap == nil, let line = scan.trapLine {
        trap = (line, String(decoding: scan.bytes[..<start], as: UTF8.self))
      }
    }
    nulLine = scan.nulLine
  }

  private mutating func record(_ path: [String], _ line: Int) {
    let path = path.reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    if places[path] == nil { places[path] = line }
  }

  /// The line of a key, else of the nearest table around it, else 0.
  package func line(of path: String) -> Int {
    var path = path[...]
    while true {
      if let line = places[String(path)] { return line }
      guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return 0 }
      path = path[..<end]
    }
  }
}

/// Scans TOML text. Never fails: invalid parts are skipped.
private struct Scan {

  let bytes: [UInt8]
  private(set) var position = 0
  /// The line of the position, from 1.
  private(set) var line = 1
  /// The line of the first escaped U+0000 in a text or a key.
  private(set) var nulLine: Int?
  /// The line of the first position at which the parser would end the process.
  private(set) var trapLine: Int?

  init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    advance()
    return true
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { advance() }
  }

  /// Stops at the line's end, not after it.
  mutating func skipLine() {
    while let byte = next, byte != UInt8(ascii: "\n") { advance() }
  }

  /// - Parameter isInside: whether commas between values are skipped too.
  private mutating func skipSpace(isInside: Bool = false) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): advance()
      case UInt8(ascii: ",") where isInside: advance()
      case UInt8(ascii: "#"): skipLine()
      case _: return
      }
    }
  }

  /// - Returns: false at the end of the text.
  mutating func skipToStatement() -> Bool {
    skipSpace()
    return next != nil
  }

  /// `[a.b]` or `[[a.b]]`, up to the end of its line.
  mutating func header() -> (names: [String], isArray: Bool) {
    advance()
    let isArray = next == UInt8(ascii: "[")
    if isArray { advance() }
    skipBlanks()
    if let first = next, !Self.mayBeginName(first) { trapLine = trapLine ?? line }
    let names = key()
    skipLine()
    return (names, isArray)
  }

  /// Whether a table's name may begin with the byte; a bracket is a mistake that the parser reports.
  private static func mayBeginName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  /// A bare, quoted or dotted key.
  mutating func key() -> [String] {
    var names: [String] = []
    repeat {
      skipBlanks()
      let start = position
      if let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        string(quote)
        names.append(String(decoding: bytes[start..<position].dropFirst().dropLast(), as: UTF8.self))
      } else {
        while let byte = next, !"=.]} \t\r\n".utf8.contains(byte) { advance() }
        names.append(String(decoding: bytes[start..<position], as: UTF8.self))
      }
    } while skip(UInt8(ascii: "."))
    return names
  }

  /// Skips a value and reports the lines of the parts of arrays and inline tables.
  mutating func value(depth: Int = 0, _ record: (_ path: [String], _ line: Int) -> Void) {
    skipBlanks()
    guard let first = next, depth < Limits.settingsDepth else { return skipLine() }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): string(first)
    case UInt8(ascii: "["): array(depth, record)
    case UInt8(ascii: "{"): inlineTable(depth, record)
    case _:
      if isDateWithoutTime { trapLine = trapLine ?? line }
      while let byte = next, !",]}#\r\n".utf8.contains(byte) { advance() }
    }
  }

  /// Whether `1979-05-27T` follows, and then something else than a digit.
  private var isDateWithoutTime: Bool {
    let parts = zip(bytes.dropFirst(position), "0000-00-00T0".utf8)
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let fitting = parts.prefix { byte, shape in
      shape == UInt8(ascii: "0") ? isDigit(byte) : byte == shape || byte == shape | 0x20
    }
    return fitting.count == 11 && bytes.count > position + 11
  }

  /// As `value`, and its bytes, without the blanks around it.
  mutating func measuredValue(_ record: (_ path: [String], _ line: Int) -> Void) -> Range<Int> {
    skipBlanks()
    let start = position
    value(record)
    var end = position
    while end > start, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == UInt8(ascii: "\t") {
      end -= 1
    }
    return start..<end
  }

  private mutating func array(_ depth: Int, _ record: (_ path: [String], _ line: Int) -> Void) {
    advance()
    var index = 0
    while true {
      skipSpace(isInside: true)
      guard let byte = next else { return }
      if byte == UInt8(ascii: "]") { return advance() }
      if byte == UInt8(ascii: "}") || byte >= 0x80 { trapLine = trapLine ?? line }
      let (start, element) = (position, index)
      record(["[\(element)]"], line)
      value(depth: depth + 1) { path, line in
        // `name[0]`: the element's index belongs to the name before it.
        record(["[\(element)]"] + path, line)
      }
      if position == start { advance() }
      index += 1
    }
  }

  private mutating func inlineTable(_ depth: Int, _ record: (_ path: [String], _ line: Int) -> Void) {
    advance()
    while true {
      skipSpace(isInside: true)
      guard let byte = next else { return }
      if byte == UInt8(ascii: "}") { return advance() }
      let start = position
      let key = key()
      record(key, line)
      if skip(UInt8(ascii: "=")) { value(depth: depth + 1) { record(key + $0, $1) } }
      if position == start { advance() }
    }
  }

  /// Whether `u0000` or `U00000000` follows, after the backslash of an escape.
  private var isNUL: Bool {
    let digits = next == UInt8(ascii: "u") ? 4 : next == UInt8(ascii: "U") ? 8 : 0
    let rest = bytes.dropFirst(position + 1).prefix(digits)
    return digits > 0 && rest.count == digits && rest.allSatisfy { $0 == UInt8(ascii: "0") }
  }

  /// A basic or literal string, on one line or, with three quotes, on many.
  private mutating func string(_ quote: UInt8) {
    let isLong = position + 2 < bytes.count && bytes[position + 1] == quote && bytes[position + 2] == quote
    for _ in 0..<(isLong ? 3 : 1) { advance() }
    while let byte = next {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        advance()
        if isNUL { nulLine = nulLine ?? line }
        if next != nil { advance() }
        continue
      }
      if !isLong, byte == UInt8(ascii: "\n") { return }
      guard byte == quote else {
        advance()
        continue
      }
      guard isLong else { return advance() }
      let run = bytes[position...].prefix { $0 == quote }.count
      // Up to two quotes are allowed directly before the closing three.
      for _ in 0..<min(run, 5) { advance() }
      if run >= 3 { return }
    }
  }
}
