// Classes of ASCII bytes.
extension UInt8 {
  /// `0` to `9`.
  @inlinable
  package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// `A` to `Z` and `a` to `z`.
  @inlinable
  package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// The value of a hexadecimal digit in either case, or `nil` for any other byte.
  @inlinable
  package var hexDigit: UInt8? {
    isASCIIDigit ? self - 0x30 : (self | 0x20) &- 0x61 < 6 ? (self | 0x20) - 0x57 : nil
  }

  @inlinable
  package var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  /// Whether the character is never escaped in a URL (RFC 3986 section 2.3).
  package var isUnreserved: Bool { isASCIILetter || isASCIIDigit || "-._~".utf8.contains(self) }
}

extension StringProtocol {
  /// Returns the string with `%` and two digits in place of each byte that isn't allowed (RFC 3986 section 2.1).
  package func percentEncoded(allowing isAllowed: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    bytes.append(percentEncoding: utf8, allowing: isAllowed)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends bytes, with `%` and two digits in place of each that isn't allowed.
  @inlinable
  package mutating func append(
    percentEncoding bytes: some Collection<UInt8>, allowing isAllowed: (UInt8) -> Bool
  ) {
    // Usually no byte must be encoded.
    if bytes.allSatisfy(isAllowed) { return append(contentsOf: bytes) }
    let digits: StaticString = "0123456789ABCDEF"
    for byte in bytes {
      if isAllowed(byte) {
        append(byte)
      } else {
        append(UInt8(ascii: "%"))
        append(digits.utf8Start[Int(byte >> 4)])
        append(digits.utf8Start[Int(byte & 15)])
      }
    }
  }
}
