/// Reads ISO-2022-JP (RFC 1468, with the half-width kana of the WHATWG's Encoding standard). It is the only charset of
/// browsers whose text has no bytes above ASCII.
enum EscapedJapanese {
  /// Whether the bytes contain an escape sequence that begins two-byte characters or kana.
  static func isIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while let escape = bytes.index(of: 0x1B, from: position) {
      position = escape + 1
      if let state = State(bytes, at: escape), state != .ascii { return true }
    }
    return false
  }

  /// Converts the bytes to EUC-JP, in which a lost byte damages one character instead of everything up to the next
  /// escape sequence.
  static func inEUC(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var state = State.ascii
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x1B, let next = State(bytes, at: index) {
        (state, index) = (next, index + 3)
        continue
      }
      // A line end resets the state.
      if byte == 0x0A { state = .ascii }
      if state == .pairs, index + 1 < bytes.count, isGraphic(byte), isGraphic(bytes[index + 1]) {
        output.append(byte | 0x80)
        output.append(bytes[index + 1] | 0x80)
        index += 2
        continue
      }
      if state == .kana, (0x21...0x5F).contains(byte) {
        output.append(0x8E)
        output.append(byte | 0x80)
      } else {
        output.append(byte)
      }
      index += 1
    }
    return output
  }

  /// Whether the byte may be part of a two-byte character.
  private static func isGraphic(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  /// The kind of the characters after an escape sequence.
  private enum State {
    case ascii, kana, pairs

    /// Creates the state that an escape sequence of three bytes begins, or returns `nil` for another sequence.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at escape: Int) {
      guard escape + 2 < bytes.count else { return nil }
      switch (bytes[escape + 1], bytes[escape + 2]) {
      case (UInt8(ascii: "$"), UInt8(ascii: "@")), (UInt8(ascii: "$"), UInt8(ascii: "B")): self = .pairs
      case (UInt8(ascii: "("), UInt8(ascii: "I")): self = .kana
      case (UInt8(ascii: "("), UInt8(ascii: "B")), (UInt8(ascii: "("), UInt8(ascii: "J")): self = .ascii
      default: return nil
      }
    }
  }
}
