// What a byte of ASCII text is.
extension UInt8 {
  /// `0` to `9`.
  @inlinable
  package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// `A` to `Z` and `a` to `z`.
  @inlinable
  package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// The value of a hexadecimal digit, in either case.
  @inlinable
  package var hexDigit: UInt8? {
    isASCIIDigit ? self - 0x30 : (self | 0x20) &- 0x61 < 6 ? (self | 0x20) - 0x57 : nil
  }

  @inlinable
  package var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  /// What is never escaped in an address (RFC 3986 section 2.3).
  package var isUnreserved: Bool { isASCIILetter || isASCIIDigit || "-._~".utf8.contains(self) }
}

extension StringProtocol {
  /// With `%` and two digits in place of each byte that isn't allowed (RFC 3986 section 2.1).
  package func percentEncoded(allowing isAllowed: (UInt8) -> Bool) -> String {
    if utf8.allSatisfy(isAllowed) { return String(self) }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      bytes += isAllowed(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
