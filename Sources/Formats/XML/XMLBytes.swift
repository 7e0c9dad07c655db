extension UnsafeBufferPointer<UInt8> {
  /// Without white space at both ends.
  var trimmed: UnsafeBufferPointer<UInt8> {
    var (low, high) = (0, count)
    while low < high, self[low].isXMLSpace { low += 1 }
    while high > low, self[high - 1].isXMLSpace { high -= 1 }
    return UnsafeBufferPointer(rebasing: self[low..<high])
  }
}

extension [UInt8] {
  /// Our own words, without making an array of them first.
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
