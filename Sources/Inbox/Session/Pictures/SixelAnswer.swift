import Basics

/// The output of `chafa --format sixels`. It is a program's output on untrusted bytes, and is sent to the terminal.
/// Therefore every byte is checked to draw inside its size and to do nothing else (DEC STD 070 chapter 9).
struct SixelAnswer: Hashable {
  var width: Int
  var height: Int
  /// The content of the sixel string after the size: colours, sixels, repetitions and ends of lines.
  var data: [UInt8]

  /// - Parameter box: the maximum size in pixels.
  /// - Returns: `nil` if anything is not as expected.
  init?(_ output: [UInt8], in box: PictureSize) {
    var reader = AnswerReader(output)
    // Whether undrawn pixels have a colour depends on the version; the terminal is asked to leave them.
    guard reader.skip("\u{1B}P0;1;0q") || reader.skip("\u{1B}P0;0;0q"), reader.skip("\"1;1;"),
      let width = reader.number(), reader.skip(";"),
      let height = reader.number(), (1...box.width).contains(width), (1...box.height).contains(height)
    else { return nil }
    var data = reader.prefix { $0 != 0x1B }
    guard reader.skip("\u{1B}\\") else { return nil }
    _ = reader.skip("\n")
    guard reader.isAtEnd, data.count <= Limits.sixelBytes else { return nil }
    if let last = data.lastIndex(of: UInt8(ascii: "-")), Self.isEmpty(data[(last + 1)...]) {
      // The end of the last line would move the cursor below the picture.
      data = data[..<last]
    }
    guard Self.isInside(Array(data), width: width, height: height) else { return nil }
    (self.width, self.height, self.data) = (width, height, Array(data))
  }

  /// Whether a line draws nothing: chafa 1.18 ends with one.
  private static func isEmpty(_ line: ArraySlice<UInt8>) -> Bool {
    var reader = AnswerReader(Array(line))
    while !reader.isAtEnd {
      if reader.skip("#") {
        guard isColor(&reader) else { return false }
      } else {
        if reader.skip("!"), reader.number() == nil { return false }
        guard reader.skip("?") else { return false }
      }
    }
    return true
  }

  /// Whether the data contains only what is expected, and draws only inside the size.
  private static func isInside(_ data: [UInt8], width: Int, height: Int) -> Bool {
    var reader = AnswerReader(data)
    var (column, line) = (0, 0)
    while !reader.isAtEnd {
      if reader.skip("$") {
        column = 0
      } else if reader.skip("-") {
        column = 0
        line += 1
      } else if reader.skip("#") {
        guard isColor(&reader) else { return false }
      } else {
        var count = 1
        if reader.skip("!") {
          guard let number = reader.number() else { return false }
          count = number
        }
        // A sixel is six pixels, one below the other.
        guard let sixel = reader.byte(), (0x3F...0x7E).contains(sixel) else { return false }
        column += count
        guard count > 0, column <= width, line * 6 < height else { return false }
      }
    }
    return true
  }

  /// Whether the next bytes define a colour by its number: red, green and blue in percent.
  private static func isColor(_ reader: inout AnswerReader) -> Bool {
    guard let number = reader.number(), number < 256 else { return false }
    guard reader.skip(";") else { return true }
    guard reader.skip("2") else { return false }
    for _ in 0..<3 {
      guard reader.skip(";"), let part = reader.number(), part <= 100 else { return false }
    }
    return true
  }
}
