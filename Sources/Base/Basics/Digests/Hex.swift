extension Collection<UInt8> {
  /// The bytes as lowercase hex digits, two for each byte.
  package var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension [UInt8] {
  /// Creates the bytes of hex digits in either case, two for each byte. Returns `nil` if there are other characters or
  /// an odd number of digits.
  package init?(hex digits: some Collection<UInt8>) {
    let halves = digits.compactMap(\.hexDigit)
    guard halves.count == digits.count, halves.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
  }
}
