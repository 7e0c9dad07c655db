import TOML

/// The lines of tables that were taken out of a TOML text, and where each of them stood.
struct TakenTables: Codable, Hashable, Sendable {
  /// Lines that stood together.
  struct Part: Codable, Hashable, Sendable {
    var text: String
    /// The table before it in the text without them; see `TableNames`.
    var after: String
    /// How many lines of comments and blank lines are between them.
    var gap: Int
  }

  var parts: [Part]

  /// Of a table and of the tables in it.
  ///
  /// - Parameter rest: the text without them.
  init(_ table: String, of text: String, rest: String) {
    let bytes = Array(text.utf8)
    let tables = TableNames(rest)
    var removed = 0
    parts = SettingsEdit.ranges(of: table, in: text).map { range in
      let before = bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } - removed
      removed += bytes[range].count { $0 == UInt8(ascii: "\n") }
      let (name, last) = tables.last(before: before)
      return Part(
        text: String(decoding: bytes[range], as: UTF8.self), after: name, gap: max(0, before - last))
    }
  }

  /// The lines without those between them.
  var text: String { parts.map(\.text).joined() }

  /// The text with the lines where they stood; at other lines where what was around them has changed. Nil where a table
  /// before one of them is gone.
  func putBack(into text: String) -> String? {
    let tables = TableNames(text)
    var bytes = Array(text.utf8)
    for part in parts.reversed() {
      guard let last = tables.line(after: part.after, gap: part.gap) else { return nil }
      let start = SettingsEdit.start(ofLine: last + 1, in: bytes)
      bytes.insert(contentsOf: separated(part.text, at: start, of: bytes), at: start)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with the lines at its end.
  func appended(to text: String) -> String {
    let bytes = Array(text.utf8)
    let isBlank = bytes.isEmpty || text.hasSuffix("\n\n") || text.hasSuffix("\r\n\r\n")
    let longer =
      bytes + (isBlank ? [] : Self.end(of: bytes)) + separated(self.text, at: bytes.count, of: bytes)
    return String(decoding: longer, as: UTF8.self)
  }

  /// With the line ends that it needs between what is before and what follows.
  private func separated(_ lines: String, at start: Int, of bytes: [UInt8]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    var lines = Array(lines.utf8)
    let isAfterMark = start == 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
    if start > 0, bytes[start - 1] != newline, !isAfterMark { lines = Self.end(of: bytes) + lines }
    if start < bytes.count, lines.last != newline { lines += Self.end(of: bytes) }
    return lines
  }

  /// As the text's other lines end.
  private static func end(of bytes: [UInt8]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let first = bytes.firstIndex(of: newline) ?? 0
    return first > 0 && bytes[first - 1] == UInt8(ascii: "\r") ? [UInt8(ascii: "\r"), newline] : [newline]
  }
}

/// The tables of a TOML text, in their order, by names that stay the same when other tables come or go: an element of an
/// array is known by its key `name`, where it has one.
private struct TableNames {
  private var tables: [(name: String, header: Int, last: Int)] = []
  /// How many lines the text has.
  private let lines: Int

  init(_ text: String) {
    let bytes = Array(text.utf8)
    lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    let blocks = TOMLLines(text).blocks
    var names: [String: String] = [:]
    for block in blocks {
      guard let table = block.path.first else { continue }
      if block.path.count == 1, let value = block.keys.first(where: { $0.name == "name" })?.value {
        let array = table.prefix { $0 != "[" }
        names[table] = "\(array) \(String(decoding: bytes[value], as: UTF8.self))"
      }
    }
    tables = blocks.map { block in
      let path = block.path.first.map { [names[$0] ?? $0] + block.path.dropFirst() } ?? []
      return (path.joined(separator: "\n"), block.header, block.last)
    }
  }

  /// The last table whose header is within the first lines, and its last line.
  func last(before lines: Int) -> (name: String, last: Int) {
    let table = tables.last { $0.header <= lines }
    return (table?.name ?? "", table?.last ?? 0)
  }

  /// The line that many lines after the last one of a table, but before the next table.
  func line(after name: String, gap: Int) -> Int? {
    guard let place = tables.lastIndex(where: { $0.name == name }) else { return nil }
    let last = tables[place].last
    let end = place + 1 < tables.count ? tables[place + 1].header - 1 : lines
    return last + min(max(0, gap), max(0, end - last))
  }
}
