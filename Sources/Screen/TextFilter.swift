/// The gate between text from outside and the screen (UAX #9, UAX #11 and UTS #51 name the
/// characters). It runs after the last decoding.
///
/// - Controls (C0, DEL, C1), noncharacters and what libc cannot print become a visible U+FFFD: one
///   column each, so that a reader sees that something stood there and the text around it stays
///   in order. `^[` would be a second alphabet to learn, and would cost two columns.
/// - Marks that are invisible by nature (bidirectional controls, tags, soft hyphen, zero-width
///   space, byte order mark, interlinear annotation) are dropped: honest texts are full of them,
///   and hostile ones use them because nobody sees them.
/// - Terminals add emoji code points up or join them into one picture, each in its own way. So
///   joiners, variation selectors and skin tones are dropped, and a flag becomes its two letters:
///   what is left takes the same columns everywhere.
/// - A base keeps four combining marks: a cell of ncurses holds no more.
struct TextFilter {
  private(set) var text = String.UnicodeScalarView()
  private(set) var columns = 0
  private var marks = 0
  /// A ZERO WIDTH (NON-)JOINER waits here until the letters on both sides are known.
  private var joiner: Unicode.Scalar?
  private var last: Unicode.Scalar?

  static let replacement: Unicode.Scalar = "\u{FFFD}"
  static let mostMarks = 4

  mutating func append(_ scalar: Unicode.Scalar) {
    switch TextFilter.fate(of: scalar) {
    case .keep: keep(scalar)
    case .drop: break
    case .replace(let other): keep(other)
    case .join: joiner = scalar
    }
  }

  /// Text that was filtered already, or is known to be printable ASCII.
  mutating func appendSafe(_ safe: String, columns: Int) {
    joiner = nil
    marks = 0
    last = nil
    text.append(contentsOf: safe.unicodeScalars)
    self.columns += columns
  }

  private mutating func keep(_ scalar: Unicode.Scalar) {
    guard let width = ColumnWidth.of(scalar) else {
      put(TextFilter.replacement, columns: 1)
      return
    }
    guard width == 0 else {
      put(scalar, columns: width)
      return
    }
    joiner = nil
    // A mark without a base would join the cell before it, which belongs to other text.
    if last == nil { put("\u{25CC}", columns: 1) }
    guard marks < TextFilter.mostMarks else { return }
    marks += 1
    text.append(scalar)
    last = scalar
  }

  private mutating func put(_ scalar: Unicode.Scalar, columns width: Int) {
    if let waiting = joiner {
      joiner = nil
      if let last, marks < TextFilter.mostMarks, TextFilter.joins(last, scalar) { text.append(waiting) }
    }
    text.append(scalar)
    columns += width
    marks = 0
    last = scalar
  }

  enum Fate: Equatable {
    case keep, drop, join
    case replace(Unicode.Scalar)
  }

  static func fate(of scalar: Unicode.Scalar) -> Fate {
    let value = scalar.value
    switch value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF: return .keep
    case 0...0x1F, 0x7F...0x9F: return .replace(replacement)
    case 0xAD, 0x34F, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F: return .drop
    case 0x200C, 0x200D: return .join
    case 0x2028, 0x2029: return .replace(" ")
    case 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0x1D173...0x1D17A: return .drop
    case 0xFE00...0xFE0F, 0xE0000...0xE0FFF: return .drop
    case 0x1F3FB...0x1F3FF: return .drop
    case 0x1F1E6...0x1F1FF: return .replace(Unicode.Scalar(UInt8(value - 0x1F1E6) + 0x41))
    case 0xFDD0...0xFDEF: return .replace(replacement)
    default: return value & 0xFFFE == 0xFFFE ? .replace(replacement) : .keep
    }
  }

  /// Joiners shape letters in Arabic and its neighbours and in the scripts of India; elsewhere
  /// they join pictures, or hide.
  static func joins(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Bool {
    isShaped(a.value) && isShaped(b.value)
  }

  private static func isShaped(_ value: UInt32) -> Bool {
    switch value {
    case 0x600...0x8FF: true
    case 0x900...0xDFF: true
    case 0x1000...0x109F, 0x1780...0x18AF, 0xA980...0xA9DF: true
    case 0xFB50...0xFDCF, 0xFDF0...0xFDFF, 0xFE70...0xFEFC, 0x11000...0x11FFF, 0x1E900...0x1E95F: true
    default: false
    }
  }
}
