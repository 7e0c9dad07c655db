/// A value of a TOML document.
package enum TOMLValue {
  case string(String)
  case integer(Int)
  case float(Double)
  case boolean(Bool)
  /// A date, a time or both, as written.
  case date(String)
  case array(TOMLArray)
  case table(TOMLTable)

  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of an integer, or `nil` for a float, whatever its value is.
  package var int: Int? { if case .integer(let number) = self { number } else { nil } }

  /// The value of a float, or `nil` for an integer.
  package var double: Double? { if case .float(let number) = self { number } else { nil } }

  package var bool: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  package var array: [TOMLValue]? { if case .array(let array) = self { array.elements } else { nil } }

  package var table: TOMLTable? { if case .table(let table) = self { table } else { nil } }
}

/// An array. An array of `[[headers]]` grows while the document is read.
package final class TOMLArray {
  fileprivate(set) var elements: [TOMLValue]
  /// Whether the elements of the array are tables with `[[headers]]`.
  fileprivate let isOfHeaders: Bool

  init(_ elements: [TOMLValue]) { (self.elements, isOfHeaders) = (elements, false) }

  fileprivate init(ofHeaders first: TOMLTable) { (elements, isOfHeaders) = ([.table(first)], true) }
}

/// A table, with its keys in the order of the document.
package final class TOMLTable {
  /// The part of the document that created a table, which decides what may be added to it.
  enum Origin {
    /// The header `[a.b]` created this table as `a`, for which its own header may follow.
    case path
    case header
    /// The key of `a.b = 1` created this table as `a`.
    case dottedKey
    case inline
  }

  /// The line of the table's header or key, from 1, or 0 for the top level.
  package private(set) var line: Int
  package private(set) var keys: [String] = []
  private var entries: [String: (value: TOMLValue, line: Int)] = [:]
  private var origin: Origin
  /// The number of tables and arrays around the table.
  let depth: Int

  init(_ origin: Origin, line: Int, depth: Int) {
    (self.origin, self.line, self.depth) = (origin, line, depth)
  }

  /// Creates an empty table as the top level.
  package convenience init() { self.init(.header, line: 0, depth: 0) }

  package subscript(key: String) -> TOMLValue? { entries[key]?.value }

  package var values: [TOMLValue] { keys.compactMap { self[$0] } }

  /// Returns the line of a key, or the table's if it has no such key.
  package func line(of key: String) -> Int { entries[key]?.line ?? line }

  // MARK: Additions by the parser

  /// Adds a key. Returns `false` if the key already has a value.
  func add(_ key: String, _ value: TOMLValue, line: Int) -> Bool {
    guard entries.updateValue((value, line), forKey: key) == nil else { return false }
    keys.append(key)
    return true
  }

  /// Returns the inner table `name`, in which a dotted key continues, and creates it if necessary. Returns
  /// `nil` if keys may not be added to it here.
  func part(_ name: String, line: Int) -> TOMLTable? {
    guard let known = self[name] else { return new(name, .dottedKey, line) }
    return known.table.flatMap { $0.origin == .dottedKey ? $0 : nil }
  }

  /// Returns the inner table `name`, in which the path of a header continues, and creates it if necessary.
  /// Returns `nil` if tables may not be added to it.
  func step(_ name: String, line: Int) -> TOMLTable? {
    switch self[name] {
    case nil: new(name, .path, line)
    case .table(let table): table.origin == .inline ? nil : table
    case .array(let array) where array.isOfHeaders: array.elements.last?.table
    case _: nil
    }
  }

  /// Returns the table of the header `[name]`, or `nil` if the name already has a value or a header.
  func header(_ name: String, line: Int) -> TOMLTable? {
    guard let known = self[name] else { return new(name, .header, line) }
    guard let table = known.table, table.origin == .path else { return nil }
    table.origin = .header
    table.line = line
    entries[name]?.line = line
    return table
  }

  /// Adds the table of a header `[[name]]`, and returns it with its index, or `nil` if the name already has another
  /// value.
  func element(_ name: String, line: Int) -> (table: TOMLTable, index: Int)? {
    // The array is a level too.
    let table = TOMLTable(.header, line: line, depth: depth + 2)
    if case .array(let array) = self[name] {
      guard array.isOfHeaders else { return nil }
      array.elements.append(.table(table))
      return (table, array.elements.count - 1)
    }
    return add(name, .array(TOMLArray(ofHeaders: table)), line: line) ? (table, 0) : nil
  }

  /// Adds an empty table.
  private func new(_ name: String, _ origin: Origin, _ line: Int) -> TOMLTable {
    let table = TOMLTable(origin, line: line, depth: depth + 1)
    _ = add(name, .table(table), line: line)
    return table
  }
}
