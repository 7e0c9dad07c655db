extension UInt8 {
  /// Whether the byte is white space of XML 1.0 production 3.
  package var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes without white space at the start and the end.
  package var trimmed: UnsafeBufferPointer<UInt8> {
    var (low, high) = (0, count)
    while low < high, self[low].isXMLSpace { low += 1 }
    while high > low, self[high - 1].isXMLSpace { high -= 1 }
    return UnsafeBufferPointer(rebasing: self[low..<high])
  }
}

extension [UInt8] {
  /// Appends a literal without allocating an array for it.
  package mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
