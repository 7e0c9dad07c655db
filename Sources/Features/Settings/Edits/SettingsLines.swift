import Formats

/// The lines of a TOML text, each with its line end, and its tables. The name of a table stays the same when other
/// tables are added or removed.
struct SettingsLines {
  typealias Line = [UInt8]

  struct Table {
    /// The name of the table. An element of an array is identified by its key `name`, if it has one.
    var name: String
    /// The number of the header's line, from 1; 0 for the lines before the first header.
    var header: Int
    /// The number of the last line of the table's last key, from 1.
    var last: Int
  }

  let lines: [Line]
  let tables: [Table]

  init(_ text: String) {
    lines = Self.split(Array(text.utf8))
    tables = Self.tables(of: text)
  }

  /// Returns the lines, each with its end; the last one may have none.
  static func split(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(Array(bytes[start...index]))
      start = index + 1
    }
    if start < bytes.count { lines.append(Array(bytes[start...])) }
    return lines
  }

  static func beginsTable(_ line: some Sequence<UInt8>) -> Bool {
    line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } == UInt8(ascii: "[")
  }

  private static func tables(of text: String) -> [Table] {
    let bytes = Array(text.utf8)
    let blocks = TOMLDocument.blocks(of: text)
    var names: [String: String] = [:]
    for block in blocks where block.path.count == 1 {
      guard let value = block.keys.first(where: { $0.name == "name" })?.value else { continue }
      let array = block.path[0].prefix { $0 != "[" }
      names[block.path[0]] = "\(array) \(String(decoding: bytes[value], as: UTF8.self))"
    }
    return blocks.map { block in
      let path = block.path.first.map { [names[$0] ?? $0] + block.path.dropFirst() } ?? []
      return Table(name: path.joined(separator: "\n"), header: block.header, last: block.last)
    }
  }

  /// The number of tables with each name.
  var counts: [String: Int] { Dictionary(tables.map { ($0.name, 1) }, uniquingKeysWith: +) }

  /// Returns the last table whose header is above the line with an index.
  func table(before index: Int) -> Table {
    tables.last { $0.header <= index } ?? Table(name: "", header: 0, last: 0)
  }

  /// Returns the indices at which a line of a table may be, or may be inserted.
  func indices(of table: Table) -> ClosedRange<Int> {
    let next = tables.first { $0.header > table.header }?.header
    return table.header...max(table.header, next.map { $0 - 1 } ?? lines.count)
  }
}
