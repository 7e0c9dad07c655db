import Formats

/// Changes of a TOML text that leave everything else in it unchanged.
enum SettingsEdit {
  /// Returns the text with the given keys of one table set or removed. New keys are added below the last one; removed
  /// keys go with their lines. Returns `nil` if the table has no header.
  static func applying(_ changes: [SettingsFile.Change], to table: String, of text: String) -> String? {
    changes.reduce(text) { text, change in text.flatMap { applying(change, to: table, of: $0) } }
  }

  private static func applying(_ change: SettingsFile.Change, to table: String, of text: String) -> String? {
    guard let block = TOMLDocument.blocks(of: text).first(where: { $0.path == [table] }) else { return nil }
    var bytes = Array(text.utf8)
    if let entry = block.keys.last(where: { $0.name == change.key }) {
      if let value = change.value {
        bytes.replaceSubrange(entry.value, with: value.utf8)
      } else {
        bytes.removeSubrange(line(of: entry.value, in: bytes))
      }
    } else if let value = change.value {
      let end = text.contains("\r\n") ? "\r\n" : "\n"
      var place = start(ofLine: block.last + 1, in: bytes)
      if place > 0, bytes[place - 1] != UInt8(ascii: "\n") {
        bytes.insert(contentsOf: end.utf8, at: place)
        place += end.utf8.count
      }
      bytes.insert(contentsOf: "\(change.key) = \(value)\(end)".utf8, at: place)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text with elements of an array of tables appended, each below an empty line.
  ///
  /// - Parameter elements: the lines of each element, without the header.
  static func appending(_ table: String, _ elements: [[String]], to text: String) -> String {
    appending(elements.map { ["[[\(table)]]"] + $0 }, to: text)
  }

  /// Returns the text with a table appended, below an empty line.
  static func appending(tableNamed table: String, _ lines: [String], to text: String) -> String {
    appending([["[\(table)]"] + lines], to: text)
  }

  /// - Parameter tables: the lines of each table.
  private static func appending(_ tables: [[String]], to text: String) -> String {
    let end = text.utf8.contains(UInt8(ascii: "\r")) && text.contains("\r\n") ? "\r\n" : "\n"
    var longer = text
    if let last = text.utf8.last, last != UInt8(ascii: "\n") { longer += end }
    for lines in tables {
      if !longer.isEmpty { longer += end }
      for line in lines { longer += line + end }
    }
    return longer
  }

  /// Returns the text without the lines of a table and its sub-tables.
  static func removing(_ table: String, from text: String) -> String {
    var bytes = Array(text.utf8)
    for range in ranges(of: table, in: text).reversed() { bytes.removeSubrange(range) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text with two tables swapped, or `nil` if the first does not precede the second. The text between them
  /// stays in its place.
  static func swapping(_ first: String, _ second: String, of text: String) -> String? {
    let (a, b) = (ranges(of: first, in: text), ranges(of: second, in: text))
    guard let start = a.first?.lowerBound, let end = a.last?.upperBound, let start2 = b.first?.lowerBound,
      let end2 = b.last?.upperBound, end <= start2
    else { return nil }
    let bytes = Array(text.utf8)
    func lines(_ range: Range<Int>) -> [UInt8] {
      let newline = UInt8(ascii: "\n")
      return bytes[range].last == newline ? Array(bytes[range]) : bytes[range] + [newline]
    }
    let parts = [
      Array(bytes[..<start]), lines(start2..<end2), Array(bytes[end..<start2]), lines(start..<end),
      Array(bytes[end2...]),
    ]
    return String(decoding: parts.joined(), as: UTF8.self)
  }

  /// Returns the byte ranges of the lines of a table and of each of its sub-tables, with the last line's end.
  static func ranges(of table: String, in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    return TOMLDocument.blocks(of: text).filter { $0.path.first == table }.map {
      start(ofLine: $0.header, in: bytes)..<start(ofLine: $0.last + 1, in: bytes)
    }
  }

  /// Returns the range of the whole lines that contain a range of bytes, with the last line's end.
  private static func line(of range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[range.upperBound...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
    return start..<end
  }

  /// Returns the offset of a line, counted from 1, or the end of the text for a line beyond it.
  static func start(ofLine line: Int, in bytes: [UInt8]) -> Int {
    var left = line - 1
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      left -= 1
      if left == 0 { return index + 1 }
    }
    guard line <= 1 else { return bytes.count }
    // The text follows a byte order mark.
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
