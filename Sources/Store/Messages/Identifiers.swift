/// A message's local id: its row in this database, and the argument of `reddot show ID`.
package struct MessageID: Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A source's local id: its row in this database. Users identify sources by `Source.name`.
package struct SourceID: Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The id that a source gives a message, compared byte by byte.
///
/// Swift's `String` compares by canonical equivalence, so composed and decomposed "é" would be one id;
/// RFC 4287 section 4.2.6.1 requires a comparison character by character.
package struct RemoteID: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  /// Whether the id is lower than another one, for services that assign ascending ids. A shorter id is lower, and ids
  /// of the same length are compared as text, so numbers are ordered by value.
  package func isBefore(_ other: RemoteID) -> Bool {
    (text.utf8.count, text) < (other.text.utf8.count, other.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
