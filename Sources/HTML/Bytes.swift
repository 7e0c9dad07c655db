extension UInt8 {
  /// White space of XML 1.0 production 3.
  package var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  package var isASCIILetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

  package var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension UnsafeBufferPointer<UInt8> {
  /// Without white space at the start and the end.
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
