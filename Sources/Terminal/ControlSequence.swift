import Limits
import Screen

/// A CSI or SS3 sequence from the terminal that curses did not recognise.
struct ControlSequence {
  /// Parameter and intermediate bytes, 0x20 to 0x3F.
  let bytes: [UInt8]
  let final: UInt8
  /// After `ESC O`, which has no parameters, and not `ESC [`.
  let isSingleShift: Bool

  enum Meaning: Hashable {
    case key(KeyPress)
    case focus(Bool)
    case pasteStart
    /// Positions count from 1.
    case mouse(button: Int, column: Int, row: Int, isPress: Bool)
    /// Three bytes follow.
    case oldMouse
  }

  /// Nil for reports that were not requested, and for unknown keys.
  var meaning: Meaning? {
    if bytes.first == UInt8(ascii: "<") { return mouse }
    if isSingleShift { return singleShift }
    guard let parameters = parameters(bytes) else { return nil }
    switch final {
    case UInt8(ascii: "I") where bytes.isEmpty: return .focus(true)
    case UInt8(ascii: "O") where bytes.isEmpty: return .focus(false)
    case UInt8(ascii: "M") where bytes.isEmpty: return .oldMouse
    case UInt8(ascii: "~") where parameters.first == 200: return .pasteStart
    case UInt8(ascii: "~"):
      guard let key = Self.numbered[parameters.first ?? 0] else { return nil }
      return .key(press(key, parameters))
    default:
      guard let key = Self.lettered[final] else { return nil }
      return .key(press(key, parameters))
    }
  }

  /// In application mode the keypad sends the letters 0x40 above its characters.
  private var singleShift: Meaning? {
    switch final {
    case UInt8(ascii: "M"): .key(KeyPress(.enter))
    case UInt8(ascii: "j")...UInt8(ascii: "y"): .key(KeyPress(Character(Unicode.Scalar(final - 0x40))))
    default: Self.lettered[final].map { .key(KeyPress($0)) }
    }
  }

  private var mouse: Meaning? {
    let isPress = final == UInt8(ascii: "M")
    guard isPress || final == UInt8(ascii: "m"), let values = parameters(bytes.dropFirst()), values.count == 3
    else { return nil }
    return .mouse(button: values[0], column: values[1], row: values[2], isPress: isPress)
  }

  /// Nil where there is anything but small numbers and semicolons.
  private func parameters(_ bytes: some Sequence<UInt8>) -> [Int]? {
    var values = [0]
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let value = values[values.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
        guard value <= Limits.controlNumber else { return nil }
        values[values.count - 1] = value
      case UInt8(ascii: ";"): values.append(0)
      default: return nil
      }
    }
    return values
  }

  /// xterm adds 1 to a sum of Shift 1, Alt 2, Control 4 as the second parameter.
  private func press(_ key: Key, _ parameters: [Int]) -> KeyPress {
    KeyPress(key, parameters.count > 1 ? Self.modifiers(xterm: parameters[1]) : []).normalized
  }

  static func modifiers(xterm code: Int) -> Modifiers {
    var modifiers: Modifiers = []
    if code > 1 {
      if (code - 1) & 1 != 0 { modifiers.insert(.shift) }
      if (code - 1) & 2 != 0 { modifiers.insert(.alt) }
      if (code - 1) & 4 != 0 { modifiers.insert(.control) }
    }
    return modifiers
  }

  private static let lettered: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "Z"): .backTab,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3),
    UInt8(ascii: "S"): .function(4),
  ]

  private static let numbered: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1),
    12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
    18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11),
    24: .function(12),
  ]
}
