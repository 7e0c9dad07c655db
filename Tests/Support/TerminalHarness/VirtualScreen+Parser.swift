extension VirtualScreen {
  enum Token {
    case character(Unicode.Scalar)
    case control(UInt8)
    /// The character after ESC.
    case escape(String)
    /// A CSI sequence: its unchanged parameters, and its last character.
    case sequence(String, Character)
    /// An OSC string.
    case command(String)
    /// A DCS, APC, PM or SOS string: the character after ESC, and the rest.
    case string(Character, String)
  }

  /// A parser of ECMA-48's grammar over UTF-8.
  struct Parser: Sendable {
    private enum State {
      case ground, escape, charset, sequence, command
      case string(Character)
    }

    private var state = State.ground
    private var collected: [UInt8] = []
    private var sawEscape = false
    private var wanted = 0

    /// - Returns: the sequence that the byte completes.
    mutating func take(_ byte: UInt8) -> Token? {
      switch state {
      case .ground: return ground(byte)
      case .escape: return escape(byte)
      case .charset:
        collected.append(byte)
        return finish(.escape(text))
      case .sequence:
        if byte < 0x20 { return .control(byte) }
        if (0x40...0x7E).contains(byte) {
          return finish(.sequence(text, Character(Unicode.Scalar(byte))))
        }
        collected.append(byte)
      case .command, .string:
        if byte == 0x07 || (sawEscape && byte == UInt8(ascii: "\\")) {
          let text = text
          sawEscape = false
          if case .string(let kind) = state { return finish(.string(kind, text)) }
          return finish(.command(text))
        }
        sawEscape = byte == 0x1B
        if !sawEscape { collected.append(byte) }
      }
      return nil
    }

    private var text: String { String(decoding: collected, as: UTF8.self) }

    private mutating func finish(_ token: Token) -> Token {
      state = .ground
      collected = []
      return token
    }

    private mutating func ground(_ byte: UInt8) -> Token? {
      if wanted > 0, byte & 0xC0 == 0x80 {
        collected.append(byte)
        if collected.count < wanted { return nil }
        wanted = 0
        return finish(.character(text.unicodeScalars.first ?? "\u{FFFD}"))
      }
      if wanted > 0 {
        // A character that was cut off is shown as U+FFFD.
        wanted = 0
        collected = []
        return .character("\u{FFFD}")
      }
      switch byte {
      case 0x1B: state = .escape
      case 0x00...0x1F, 0x7F: return .control(byte)
      case 0x20...0x7E: return .character(Unicode.Scalar(byte))
      case 0xC2...0xF4:
        collected = [byte]
        wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      default: return .character("\u{FFFD}")
      }
      return nil
    }

    private mutating func escape(_ byte: UInt8) -> Token? {
      collected = []
      switch byte {
      case UInt8(ascii: "["): state = .sequence
      case UInt8(ascii: "]"): state = .command
      case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
        state = .string(Character(Unicode.Scalar(byte)))
      case 0x20...0x2F:
        collected = [byte]
        state = .charset
      default: return finish(.escape(String(UnicodeScalar(byte))))
      }
      return nil
    }
  }
}
