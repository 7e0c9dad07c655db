import Basics

/// The output of `chafa --format kitty`: the pixels of a picture. It is a program's output on untrusted bytes.
/// Therefore only the expected form is accepted, and only the pixels are used.
struct KittyAnswer: Hashable {
  var width: Int
  var height: Int
  /// The bytes of each pixel: red, green, blue and alpha.
  var bytes: [UInt8]

  /// - Returns: `nil` if anything is not as expected.
  init?(_ output: [UInt8]) {
    var reader = AnswerReader(output)
    guard reader.skip("\u{1B}_Ga=T,f=32,s="), let width = reader.number(), reader.skip(",v="),
      let height = reader.number(), reader.skip(",c="), reader.number() != nil, reader.skip(",r="),
      reader.number() != nil, reader.skip(",m=1"), (1...Limits.graphicSide).contains(width),
      (1...Limits.graphicSide).contains(height), width * height <= Limits.graphicPixels
    else { return nil }
    // With this parameter of chafa 1.18, the terminal does not respond.
    _ = reader.skip(",q=2")
    guard reader.skip("\u{1B}\\") else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 4)
    while reader.skip("\u{1B}_Gm=1;") {
      guard let piece = Self.decoded(reader.prefix { $0 != 0x1B }), reader.skip("\u{1B}\\"),
        bytes.count + piece.count <= width * height * 4
      else { return nil }
      bytes += piece
    }
    guard reader.skip("\u{1B}_Gm=0\u{1B}\\") else { return nil }
    _ = reader.skip("\n")
    guard reader.isAtEnd, bytes.count == width * height * 4 else { return nil }
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// Returns the bytes of a piece of Base64, which has its own padding (RFC 4648 section 4).
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.prefix { $0 != UInt8(ascii: "=") }
    let padding = text.count - digits.count
    guard !text.isEmpty, text.count % 4 == 0, padding <= 2,
      text.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in digits {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // chafa 1.12 doesn't shift the last four bits of a piece that has two bytes more than whole groups.
    if padding == 1, bits & 3 != 0 {
      bytes[bytes.count - 1] = UInt8(truncatingIfNeeded: bits >> 2 & 0xF0 | bits & 0xF)
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    case _: nil
    }
  }
}

/// Reads a program's output from the beginning on.
struct AnswerReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// Skips a string if it is next in the output.
  ///
  /// - Returns: whether the text was there.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Reads a number of at most five digits.
  mutating func number() -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...5).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func prefix(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let part = rest.prefix(while: isPart)
    rest = rest.dropFirst(part.count)
    return part
  }
}
