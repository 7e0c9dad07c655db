import Basics

/// A URL that a terminal offers to open, for cells that show a link (OSC 8).
package struct Hyperlink: Hashable, Sendable {
  /// The URL, as printable ASCII without spaces, so that it cannot end its escape sequence.
  package let address: String
  /// The id that all cells of one link share, on however many rows.
  package let id: String

  /// - Returns: `nil` if the URL is empty, too long or contains other bytes than printable ASCII, or if the id could
  ///   end its part of the sequence.
  package init?(_ address: String, id: String) {
    let isPrintable: (UInt8) -> Bool = { (0x21...0x7E).contains($0) }
    guard (1...Limits.hyperlinkBytes).contains(address.utf8.count), address.utf8.allSatisfy(isPrintable),
      (1...Limits.hyperlinkIDBytes).contains(id.utf8.count),
      id.utf8.allSatisfy({ isPrintable($0) && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") })
    else { return nil }
    self.address = address
    self.id = id
  }
}

/// A part of a row that shows a link.
package struct LinkedCells: Hashable, Sendable {
  package let row: Int
  package let columns: Range<Int>
  package let link: Hyperlink
}
