/// An error in a TOML document; reading stops at the first one.
package struct TOMLMistake: Error, Hashable {
  /// The line, from 1.
  package var line: Int
  /// The description of the error, worded to follow the name of a file: "is not TOML: …".
  package var problem: String
}

/// A TOML document (TOML 1.0): its values with their lines, and the lines and bytes of its tables and keys.
package struct TOMLDocument {
  package let root: TOMLTable
  /// The headers with their lines, in document order.
  package let blocks: [Block]

  /// A `[table]` or `[[array]]` header and its lines up to the next header.
  package struct Block: Equatable {
    /// The names from the top level. An element of an array has its index, for example `source[0]`.
    package var path: [String]
    /// The line of the header, from 1, or 0 for the keys before the first header.
    package var header: Int
    /// The line on which the last key ends. Comments and blank lines after it belong to no table.
    package var last: Int
    /// The keys of the table itself, with the byte ranges of their values.
    package var keys: [Key] = []

    /// A key and the byte range of its value.
    package struct Key: Equatable {
      package var name: String
      package var value: Range<Int>
    }
  }

  /// Parses a document.
  ///
  /// - Throws: the first error.
  package init(_ text: String) throws(TOMLMistake) {
    var parser = TOMLParser(text)
    try parser.run()
    if let line = parser.nulLine {
      throw TOMLMistake(line: line, problem: "\\u0000 is in a string, where it is not allowed")
    }
    (root, blocks) = (parser.root, parser.blocks)
  }

  /// Returns the blocks of a document up to its first error.
  package static func blocks(of text: String) -> [Block] {
    var parser = TOMLParser(text)
    try? parser.run()
    return parser.blocks
  }
}
