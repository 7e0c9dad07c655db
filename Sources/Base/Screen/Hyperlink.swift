import Basics

/// An address that a terminal offers to open, for cells that show a link (OSC 8).
package struct Hyperlink: Hashable, Sendable {
  /// Printable ASCII without spaces, so that it cannot end the sequence that it stands in.
  package let address: String
  /// The same for all cells of one link, on however many rows they stand.
  package let id: String

  /// - Returns: nil where the address is empty, too long, or has other bytes than printable ASCII, or where the id
  ///   could end its part of the sequence.
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
