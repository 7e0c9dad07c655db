/// Text between the marks of a bracketed paste (xterm's control sequences, "Bracketed Paste Mode").
struct Paste {
  private static let end: [UInt8] = Array("\u{1B}[201~".utf8)

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The number of bytes of the end mark that were just read, since it may arrive in pieces.
  private var matched = 0

  init(limit: Int) { self.limit = limit }

  /// Adds a symbol. Keys inside a paste are not text and are dropped.
  ///
  /// - Returns: whether the paste has ended.
  mutating func add(_ symbol: InputSymbol) -> Bool {
    guard case .byte(let byte) = symbol else { return symbol == .pasteEnd }
    if byte == Self.end[matched] {
      matched += 1
      if matched == Self.end.count { return true }
      return false
    }
    // Only the mark's first byte is an ESC, so no shorter match can have begun inside the longer one.
    for byte in Self.end.prefix(matched) { keep(byte) }
    matched = 0
    if byte == Self.end[0] { matched = 1 } else { keep(byte) }
    return false
  }

  /// Whether a symbol continues the end mark, a part of which has arrived.
  func isEnding(_ symbol: InputSymbol) -> Bool {
    matched > 0 && symbol == .byte(Self.end[matched])
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < limit { bytes.append(byte) }
  }

  /// The text with `\n` as line ends. Other controls except the tab are dropped, and invalid UTF-8 becomes U+FFFD.
  var text: String {
    var view = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in wholeText.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\r", "\n": view.append("\n")
      case "\t": view.append(scalar)
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": break
      default: view.append(scalar)
      }
      previous = scalar
    }
    return String(view)
  }

  /// The text without the character that the limit cut.
  private var wholeText: String {
    var bytes = bytes[...]
    if bytes.count == limit, let lead = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) {
      let wanted = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : bytes[lead] >= 0xC0 ? 2 : 1
      if bytes.endIndex - lead < wanted { bytes = bytes[..<lead] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
