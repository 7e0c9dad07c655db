import Basics

/// The filter between text from outside and the screen (UAX #9, UAX #11 and UTS #51 define the characters). It runs
/// after the last decoding.
///
/// - Controls (C0, DEL, C1), noncharacters and characters that libc cannot print become a visible U+FFFD of one column
///   each. A reader sees that something was there, and the text around it stays in order. `^[` would take two columns.
/// - Marks that are invisible by nature (bidirectional controls, tags, soft hyphen, zero-width space, byte order mark,
///   interlinear annotation, Hangul fillers) are dropped: ordinary text is full of them, and hostile text uses them
///   because they are invisible.
/// - Terminals either add the widths of emoji code points or join them into one picture. So joiners, variation
///   selectors and skin tones are dropped, and a flag becomes its two letters: the result takes the same columns
///   everywhere. ZERO WIDTH JOINER is dropped in every script, since tmux joins the character after it. ZERO WIDTH
///   NON-JOINER, which Persian spelling needs, stays in joining scripts.
/// - U+10EEEE becomes U+FFFD, since a terminal may replace it by a part of a picture that it was sent (kitty): text
///   from outside never shows pictures.
/// - A base keeps four combining marks, since a cell of ncurses holds no more.
struct TextFilter {
  private(set) var text = ""
  private(set) var columns = 0
  private var marks = 0
  private var last: Unicode.Scalar?
  /// Whether a ZERO WIDTH NON-JOINER waits until the letters on both sides are known.
  private var isSeparated = false

  static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// The treatment of a character. `separate` is for ZERO WIDTH NON-JOINER, which is kept only between joining letters.
  enum Fate: Equatable {
    case keep, drop, separate
    case replace(Unicode.Scalar)
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    switch TextFilter.fate(of: scalar) {
    case .keep:
      switch ColumnWidth.of(scalar) {
      case nil: put(TextFilter.replacement, columns: 1)
      case 0: add(mark: scalar)
      case .some(let columns): put(scalar, columns: columns)
      }
    case .drop: break
    case .separate: isSeparated = true
    case .replace(let other): put(other, columns: 1)
    }
  }

  private mutating func add(mark: Unicode.Scalar) {
    isSeparated = false
    // A mark without a base would join the cell before it, which belongs to other text.
    if last == nil { put("\u{25CC}", columns: 1) }
    guard marks < Limits.marksOfACharacter else { return }
    marks += 1
    text.unicodeScalars.append(mark)
    last = mark
  }

  /// Appends a character that begins a new cell.
  private mutating func put(_ scalar: Unicode.Scalar, columns width: Int) {
    if isSeparated {
      isSeparated = false
      if let last, marks < Limits.marksOfACharacter, isJoining(last), isJoining(scalar) {
        text.unicodeScalars.append("\u{200C}")
      }
    }
    text.unicodeScalars.append(scalar)
    columns += width
    marks = 0
    last = scalar
  }

  /// Returns the width of plain text, in columns, or `nil` if the filter would change the text or the text
  /// has combining marks. Most text is plain.
  static func columnsOfPlain(_ text: String) -> Int? {
    var columns = 0
    for scalar in text.unicodeScalars {
      guard fate(of: scalar) == .keep, let width = ColumnWidth.of(scalar), width > 0 else { return nil }
      columns += width
    }
    return columns
  }

  /// Returns the treatment of a character.
  static func fate(of scalar: Unicode.Scalar) -> Fate {
    let value = scalar.value
    switch value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF: return .keep
    case 0...0x1F, 0x7F...0x9F: return .replace(replacement)
    case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200D...0x200F, 0x3164, 0xFFA0: return .drop
    case 0x200C: return .separate
    case 0x2028, 0x2029: return .replace(" ")
    case 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0x1D173...0x1D17A: return .drop
    case 0xFE00...0xFE0F, 0xE0000...0xE0FFF: return .drop
    case 0x1F3FB...0x1F3FF: return .drop
    case 0x1F1E6...0x1F1FF: return .replace(Unicode.Scalar(UInt8(value - 0x1F1E6) + 0x41))
    case 0xFDD0...0xFDEF, Cell.pictureBase.value: return .replace(replacement)
    default: return value & 0xFFFE == 0xFFFE ? .replace(replacement) : .keep
    }
  }

  /// Whether the letter changes its shape next to others: Arabic and its neighbours, the scripts of India and
  /// South-East Asia, and Mongolian. Elsewhere a joiner joins pictures, or is used to hide text.
  private func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0xDFF, 0x1000...0x109F, 0x1780...0x18AF, 0xA980...0xA9DF, 0xFB50...0xFDCF,
      0xFDF0...0xFDFF, 0xFE70...0xFEFC, 0x11000...0x11FFF, 0x1E900...0x1E95F:
      true
    default: false
    }
  }
}
