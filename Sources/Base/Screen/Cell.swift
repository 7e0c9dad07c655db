import Basics

/// One cell of the screen: a character with at most four combining marks, and its style.
///
/// Plain bits without references, so that a frame costs few allocations.
package struct Cell: Hashable, Sendable {
  // 21 bits for each code point: the base and the first two marks below, the other two above.
  private var low: UInt64
  private var high: UInt64
  /// 1 or 2 columns; 0 for the second half of a wide character.
  package private(set) var width: UInt8
  package var style: Style

  private static let bits: UInt64 = 0x1F_FFFF

  init(base: Unicode.Scalar, width: UInt8, style: Style) {
    low = UInt64(base.value)
    high = 0
    self.width = width
    self.style = style
  }

  /// A space.
  package init(style: Style = .plain) {
    self.init(base: " ", width: 1, style: style)
  }

  /// Stands for a part of a picture that the terminal has: kitty's Unicode placeholder.
  package static let pictureBase: Unicode.Scalar = "\u{10EEEE}"

  /// A cell that shows a part of a picture. Nothing else makes one: no text from outside has this code point.
  ///
  /// - Parameters:
  ///   - row, column: the marks that number the part.
  ///   - style: its foreground is the picture's number in the terminal.
  package static func picture(row: Unicode.Scalar, column: Unicode.Scalar, style: Style) -> Cell {
    var cell = Cell(base: pictureBase, width: 1, style: style)
    cell.add(mark: row)
    cell.add(mark: column)
    return cell
  }

  /// Another character of one column, without marks, in the same style.
  mutating func show(ascii byte: UInt8) { low = UInt64(byte) }

  static func continuation(style: Style) -> Cell { Cell(base: "\0", width: 0, style: style) }

  /// Whether it is covered by the wide character on its left.
  package var isContinuation: Bool { width == 0 }

  /// The character's code point; 0 in a continuation.
  package var base: UInt32 { UInt32(low & Cell.bits) }

  package var hasMarks: Bool { low > Cell.bits }

  /// Base and combining marks, at most five code points; none for a continuation.
  package var scalars: [Unicode.Scalar] {
    let values = [low, low >> 21, low >> 42, high, high >> 21]
    return values.compactMap { value in
      let bits = UInt32(value & Cell.bits)
      return bits == 0 ? nil : Unicode.Scalar(bits)
    }
  }

  /// The cell's text as a string; empty for a continuation.
  package var text: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  mutating func add(mark: Unicode.Scalar) {
    let value = UInt64(mark.value)
    if low >> 21 == 0 {
      low |= value << 21
    } else if low >> 42 == 0 {
      low |= value << 42
    } else if high == 0 {
      high = value
    } else if high >> 21 == 0 {
      high |= value << 21
    }
  }
}
