import Basics

/// One cell of the screen: a character with at most four combining marks, and its style.
///
/// A cell consists of plain bits without references, so that a frame costs few allocations.
package struct Cell: Hashable, Sendable {
  // 21 bits for each code point: the base and the first two marks are in `low`, the other two in `high`.
  private var low: UInt64
  private var high: UInt64
  /// The width: 1 or 2 columns, or 0 for the second half of a wide character.
  package private(set) var width: UInt8
  package var style: Style

  private static let bits: UInt64 = 0x1F_FFFF

  init(base: Unicode.Scalar, width: UInt8, style: Style) {
    low = UInt64(base.value)
    high = 0
    self.width = width
    self.style = style
  }

  /// Creates a cell with a space.
  package init(style: Style = .plain) {
    self.init(base: " ", width: 1, style: style)
  }

  /// The code point of a cell that shows a part of a picture in the terminal: kitty's Unicode placeholder.
  package static let pictureBase: Unicode.Scalar = "\u{10EEEE}"

  /// Creates a cell that shows a part of a picture. This is the only way to create one: text from outside
  /// never has this code point.
  ///
  /// - Parameters:
  ///   - row, column: the combining marks that stand for the numbers of the part's row and column.
  ///   - style: its foreground is the picture's number in the terminal.
  package static func picture(row: Unicode.Scalar, column: Unicode.Scalar, style: Style) -> Cell {
    var cell = Cell(base: pictureBase, width: 1, style: style)
    cell.add(mark: row)
    cell.add(mark: column)
    return cell
  }

  /// Replaces the character by one of ASCII without combining marks; the style stays.
  mutating func show(ascii byte: UInt8) { low = UInt64(byte) }

  static func continuation(style: Style) -> Cell { Cell(base: "\0", width: 0, style: style) }

  /// Whether the cell is covered by the wide character on its left.
  package var isContinuation: Bool { width == 0 }

  /// The character's code point, or 0 if the cell is the second half of a wide character.
  package var base: UInt32 { UInt32(low & Cell.bits) }

  package var hasMarks: Bool { low > Cell.bits }

  /// The character and its combining marks, at most five code points; empty if the cell is the second half of
  /// a wide character.
  package var scalars: [Unicode.Scalar] {
    let values = [low, low >> 21, low >> 42, high, high >> 21]
    return values.compactMap { value in
      let bits = UInt32(value & Cell.bits)
      return bits == 0 ? nil : Unicode.Scalar(bits)
    }
  }

  /// The character and its combining marks as a string; empty if the cell is the second half of a wide
  /// character.
  package var text: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Adds a combining mark; a fifth one is dropped.
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
