import Basics

/// Parses TOML 1.0. Lines end with LF or CR LF.
struct TOMLParser {
  private let bytes: [UInt8]
  private var place = 0
  /// The line of the current position, from 1.
  private var line = 1
  let root = TOMLTable()
  private(set) var blocks = [TOMLDocument.Block(path: [], header: 0, last: 0)]
  /// The line of the first string with an escaped U+0000, or `nil` if there is none.
  private(set) var nulLine: Int?

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// Parses the whole document into `root` and `blocks`.
  mutating func run() throws(TOMLMistake) {
    var table = root
    try skipSpace()
    while next != nil {
      if next == UInt8(ascii: "[") {
        table = try header()
      } else {
        let (names, value) = try pair(in: table)
        if names.count == 1 {
          blocks[blocks.count - 1].keys.append(.init(name: names[0], value: value))
        }
      }
      blocks[blocks.count - 1].last = line
      try endOfLine()
      try skipSpace()
    }
  }

  // MARK: Bytes

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Returns an error at a line, by default the current one.
  private func mistake(_ problem: String, line: Int? = nil) -> TOMLMistake {
    TOMLMistake(line: line ?? self.line, problem: "is not TOML: \(problem)")
  }

  /// The character at the current position, as worded in errors.
  private var found: String {
    guard let next else { return "the end of the file" }
    if lineEnd > 0 { return "the end of the line" }
    if let name = Self.controlCharacter(next) { return name }
    let rest = String(decoding: bytes[place...].prefix(4), as: UTF8.self)
    return rest.unicodeScalars.first.map { "\"\($0)\"" } ?? ""
  }

  /// Returns the name of a control character, which no string and no comment may contain, or `nil` for any other byte.
  private static func controlCharacter(_ byte: UInt8) -> String? {
    guard byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F else { return nil }
    let digits = String(byte, radix: 16, uppercase: true)
    return byte == 0 ? "a NUL byte" : "the control character U+00\(byte < 16 ? "0" : "")\(digits)"
  }

  /// Throws if the byte is a control character.
  private func check(_ byte: UInt8) throws(TOMLMistake) {
    if let name = Self.controlCharacter(byte) { throw mistake(name) }
  }

  /// Skips this byte if it is next, and returns whether it was.
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  /// Skips spaces and tabs.
  private mutating func skipBlanks() {
    while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { place += 1 }
  }

  /// The number of bytes of the line end at the position, or 0 if there is none.
  private var lineEnd: Int {
    bytes[place...].starts(with: "\n".utf8) ? 1 : bytes[place...].starts(with: "\r\n".utf8) ? 2 : 0
  }

  /// Skips a line end. Returns `false` if no line ends here.
  private mutating func skipLineEnd() -> Bool {
    let count = lineEnd
    if count == 0 { return false }
    place += count
    line += 1
    return true
  }

  /// Skips blanks, line ends and comments.
  private mutating func skipSpace() throws(TOMLMistake) {
    repeat { try skipComment() } while skipLineEnd()
  }

  /// Skips blanks and a comment, up to the end of the line.
  private mutating func skipComment() throws(TOMLMistake) {
    skipBlanks()
    guard next == UInt8(ascii: "#") else { return }
    while let byte = next, lineEnd == 0 {
      try check(byte)
      place += 1
    }
  }

  /// Skips blanks and a comment, and throws if anything else is on the line.
  private mutating func endOfLine() throws(TOMLMistake) {
    try skipComment()
    guard let byte = next, lineEnd == 0 else { return }
    try check(byte)
    throw mistake("\(found) after a value or a header; each key needs its own line")
  }

  // MARK: Tables and keys

  /// Reads `[a.b]` or `[[a.b]]` and begins its block.
  private mutating func header() throws(TOMLMistake) -> TOMLTable {
    place += 1
    let isElement = skip(UInt8(ascii: "["))
    let names = try key()
    for _ in 0..<(isElement ? 2 : 1) where !skip(UInt8(ascii: "]")) {
      throw mistake("\(found) in a table's header, which ends with \(isElement ? "]]" : "]")")
    }
    var owner = root
    var path: [String] = []
    for name in names.dropLast() {
      guard let step = owner.step(name, line: line) else { throw taken(names, line) }
      // `[source.types]` belongs to the last `[[source]]`.
      let count = owner[name]?.array?.count
      path.append(count.map { "\(name)[\($0 - 1)]" } ?? name)
      owner = step
    }
    let name = names[names.count - 1]
    let table: TOMLTable
    if isElement {
      guard let element = owner.element(name, line: line) else { throw taken(names, line) }
      table = element.table
      path.append("\(name)[\(element.index)]")
    } else {
      guard let header = owner.header(name, line: line) else { throw taken(names, line) }
      table = header
      path.append(name)
    }
    try checkDepth(table.depth)
    blocks.append(.init(path: path, header: line, last: line))
    return table
  }

  /// Reads a key and its value into a table.
  private mutating func pair(
    in table: TOMLTable
  ) throws(TOMLMistake) -> (names: [String], value: Range<Int>) {
    let line = line
    let names = try key()
    guard skip(UInt8(ascii: "=")) else { throw mistake("\(found) where = must follow a name") }
    skipBlanks()
    let start = place
    var owner = table
    for name in names.dropLast() {
      guard let part = owner.part(name, line: line) else { throw taken(names, line) }
      owner = part
    }
    let value = try value(depth: owner.depth + 1)
    guard owner.add(names[names.count - 1], value, line: line) else { throw taken(names, line) }
    return (names, start..<place)
  }

  /// Returns the error for a name that cannot be defined again.
  private func taken(_ names: [String], _ line: Int) -> TOMLMistake {
    mistake("\(names.joined(separator: ".")) already has a value or a header", line: line)
  }

  /// Reads a bare, quoted or dotted key, and the blanks around it.
  private mutating func key() throws(TOMLMistake) -> [String] {
    var names: [String] = []
    repeat {
      skipBlanks()
      names.append(try name())
      skipBlanks()
      try checkDepth(names.count)
    } while skip(UInt8(ascii: "."))
    return names
  }

  /// Reads one name of a key, bare or quoted.
  private mutating func name() throws(TOMLMistake) -> String {
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try string(mayBeLong: false) }
    let name = bytes[place...].prefix { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    guard !name.isEmpty else {
      throw mistake(
        "\(found) where a name is needed; a name of more than letters, digits, - and _ needs quotes")
    }
    place = name.endIndex
    return String(decoding: name, as: UTF8.self)
  }

  // MARK: Values

  /// Reads a value.
  ///
  /// - Parameter depth: the number of tables and arrays around the value.
  private mutating func value(depth: Int) throws(TOMLMistake) -> TOMLValue {
    try checkDepth(depth)
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string(mayBeLong: true))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "{"): return .table(try inlineTable(depth: depth))
    case _: return try word()
    }
  }

  /// Throws if the nesting is too deep. It is limited because the parser is recursive, and so is the release of its
  /// values.
  private func checkDepth(_ depth: Int) throws(TOMLMistake) {
    if depth > Limits.settingsDepth { throw mistake("more than \(Limits.settingsDepth) levels of nesting") }
  }

  private mutating func array(depth: Int) throws(TOMLMistake) -> TOMLArray {
    place += 1
    var elements: [TOMLValue] = []
    while true {
      try skipSpace()
      if skip(UInt8(ascii: "]")) { return TOMLArray(elements) }
      elements.append(try value(depth: depth + 1))
      try skipSpace()
      guard skip(UInt8(ascii: ",")) || next == UInt8(ascii: "]") else {
        throw mistake("\(found) in a list, where a comma or ] must follow a value")
      }
    }
  }

  /// Reads an inline table, which is on one line and has no comma at its end.
  private mutating func inlineTable(depth: Int) throws(TOMLMistake) -> TOMLTable {
    place += 1
    let table = TOMLTable(.inline, line: line, depth: depth)
    skipBlanks()
    if skip(UInt8(ascii: "}")) { return table }
    repeat {
      _ = try pair(in: table)
      skipBlanks()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else {
      throw mistake("\(found) in { }, where a comma or } must follow a value")
    }
    return table
  }

  /// Reads a value without quotes and brackets: a number, a date, `true` or `false`.
  private mutating func word() throws(TOMLMistake) -> TOMLValue {
    let start = place
    skipWord()
    // A blank may separate a date and a time.
    if next == UInt8(ascii: " "), bytes[place...].dropFirst().first?.isASCIIDigit == true,
      TOMLDate.isDay(bytes[start..<place])
    {
      place += 1
      skipWord()
    }
    let word = bytes[start..<place]
    let text = String(decoding: word, as: UTF8.self)
    switch text {
    case "": throw mistake("\(found) where a value is needed")
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case _:
      if TOMLDate.isValid(word) { return .date(text) }
      if let number = TOMLNumber.read(word) { return number }
      // The value is not shown, since it may be a secret.
      throw mistake("the value is no number of 64 bits, date, true or false; text needs quotes")
    }
  }

  /// Skips to the next character that ends a value without quotes.
  private mutating func skipWord() {
    place = bytes[place...].firstIndex { ",]}#= \t\r\n".utf8.contains($0) } ?? bytes.count
  }

  // MARK: Strings

  /// Reads a basic or literal string.
  ///
  /// - Parameter mayBeLong: whether the string may begin with three quotes and then have several lines.
  private mutating func string(mayBeLong: Bool) throws(TOMLMistake) -> String {
    let (quote, start) = (bytes[place], line)
    let isLong = mayBeLong && bytes[place...].starts(with: [quote, quote, quote])
    place += isLong ? 3 : 1
    if isLong { _ = skipLineEnd() }
    var text: [UInt8] = []
    while let byte = next {
      if byte == quote {
        let count = isLong ? min(5, bytes[place...].prefix { $0 == quote }.count) : 1
        place += count
        // Up to two quotes may be directly before the closing three.
        let ends = !isLong || count >= 3
        text += repeatElement(quote, count: ends && isLong ? count - 3 : ends ? 0 : count)
        if ends { return String(decoding: text, as: UTF8.self) }
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        place += 1
        try escape(into: &text, isLong: isLong)
      } else if isLong, skipLineEnd() {
        text.append(UInt8(ascii: "\n"))
      } else if lineEnd > 0 {
        break
      } else {
        try check(byte)
        text.append(byte)
        place += 1
      }
    }
    let mark = String(repeating: Character(Unicode.Scalar(quote)), count: isLong ? 3 : 1)
    throw mistake("the text that begins with \(mark) has no closing \(mark)", line: start)
  }

  /// Reads an escape, whose backslash was already read.
  private mutating func escape(into text: inout [UInt8], isLong: Bool) throws(TOMLMistake) {
    let start = place
    skipBlanks()
    if isLong, skipLineEnd() {
      repeat { skipBlanks() } while skipLineEnd()
      return
    }
    place = start
    let known = zip("btnfr\"\\".utf8, "\u{8}\t\n\u{C}\r\"\\".utf8)
    if let byte = known.first(where: { $0.0 == next })?.1 {
      place += 1
      return text.append(byte)
    }
    let count = next == UInt8(ascii: "u") ? 4 : next == UInt8(ascii: "U") ? 8 : 0
    let digits = bytes[place...].dropFirst().prefix(count)
    if count > 0, digits.count == count, digits.allSatisfy({ $0.hexDigit != nil }),
      let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
    {
      place = digits.endIndex
      if scalar.value == 0 { nulLine = nulLine ?? line }
      return text += String(Character(scalar)).utf8
    }
    throw mistake(
      "a backslash before \(found) is no escape; write \\\\ for a backslash, or use single quotes")
  }
}
