/// The character set that browsers use for "ISO-8859-1", "Latin-1" and C1 controls (WHATWG Encoding).
package enum Windows1252 {
  /// The characters of 0x80 to 0x9F; the five undefined ones keep their number.
  private static let specials: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// Returns the scalar of a byte, or `nil` for the five undefined bytes.
  static func scalar(of byte: UInt8) -> Unicode.Scalar? {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    let value = specials[Int(byte) - 0x80]
    return value < 0xA0 ? nil : Unicode.Scalar(value)
  }

  /// Appends a byte as UTF-8; the five undefined ones are left out.
  package static func append(_ byte: UInt8, to output: inout [UInt8]) {
    if let scalar = scalar(of: byte) {
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}
