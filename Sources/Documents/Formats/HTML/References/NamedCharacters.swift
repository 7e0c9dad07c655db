import Basics
import CResources

/// The named character references of HTML (HTML, "Named character references"), with their code points.
package enum NamedCharacters {
  /// Returns the characters of a name, which is given without its semicolon, or `nil` if the name is unknown.
  package static func characters(of name: String) -> String? { table[name] }

  /// Returns the characters of a name for one line of text, with a space instead of a tab or a line end.
  package static func charactersInLine(of name: String) -> String? {
    table[name].map { $0 == "\t" || $0 == "\n" ? " " : $0 }
  }

  /// Whether browsers also accept the name without a semicolon, as they do for most Latin-1 characters.
  package static func mayLackSemicolon(_ name: String) -> Bool {
    guard let scalar = table[name]?.unicodeScalars.first else { return false }
    return name.utf8.count <= 6
      && ((0xA0...0xFF).contains(scalar.value) && !unshortened.contains(name) || shortened.contains(name))
  }

  /// The names of ASCII characters that need no semicolon.
  private static let shortened: Set<String> = ["amp", "lt", "gt", "quot", "AMP", "LT", "GT", "QUOT"]

  /// Newer names of Latin-1 characters, which need a semicolon.
  private static let unshortened: Set<String> = ["Dot", "angst", "die", "div", "half", "pm", "strns"]

  /// The characters, keyed by name, from Resources/tables/html-entities.txt.
  private static let table: [String: String] = {
    var table: [String: String] = [:]
    table.reserveCapacity(2200)
    var count = 0
    let bytes = UnsafeBufferPointer(start: reddot_words("html-entities", &count), count: count)
    for entry in String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let parts = entry.split(onBytes: "=")
      guard parts.count == 2 else { continue }
      let scalars = parts[1].split(onBytes: "+").compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      table[String(parts[0])] = String(String.UnicodeScalarView(scalars))
    }
    return table
  }()
}
