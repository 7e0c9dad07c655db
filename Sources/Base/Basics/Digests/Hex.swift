extension Collection<UInt8> {
  /// Two lowercase hex digits for each byte.
  package var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension [UInt8] {
  /// Returns `nil` unless all characters are hex digits, in either case, and their number is even.
  package init?(hex digits: some Collection<UInt8>) {
    let halves = digits.compactMap(\.hexDigit)
    guard halves.count == digits.count, halves.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
  }
}
