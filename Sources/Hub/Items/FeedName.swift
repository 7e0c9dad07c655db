/// The name of a feed of a hub: `[a-z0-9][a-z0-9-]{0,62}`, as in URLs (page "Hub").
package struct FeedName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// Returns `nil` for any other text.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard (1...63).contains(bytes.count), bytes.first != UInt8(ascii: "-"),
      bytes.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
    else { return nil }
    self.text = text
  }

  package var description: String { text }

  package static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}
