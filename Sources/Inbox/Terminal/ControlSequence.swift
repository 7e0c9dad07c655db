import Basics
import Screen

/// A CSI or SS3 sequence from the terminal that curses did not recognise.
struct ControlSequence {
  /// Parameter and intermediate bytes, 0x20 to 0x3F; or the second `[` of the Linux console's function keys.
  let bytes: [UInt8]
  let final: UInt8
  /// Whether the sequence begins with `ESC O`, not `ESC [`.
  let isSingleShift: Bool

  enum Meaning: Hashable {
    case key(KeyPress)
    case focus(Bool)
    case pasteStart
    /// Positions count from 1.
    case mouse(button: Int, column: Int, row: Int, isPress: Bool)
    /// The position of the cursor, below the first row; the column counts from 1.
    case cursor(column: Int)
    /// The beginning of a mouse report in the oldest form; its three bytes follow.
    case oldMouse
  }

  /// The meaning, or `nil` for reports that were not requested, and for unknown keys.
  var meaning: Meaning? {
    if bytes.count > Limits.controlSequenceBytes { return nil }
    if bytes.first == UInt8(ascii: "<") { return mouse }
    if bytes == [UInt8(ascii: "[")] { return consoleKey }
    if isSingleShift, bytes.isEmpty, let key = keypadKey { return .key(key) }
    guard let parameters = parameters(bytes) else { return nil }
    if isSingleShift { return letteredKey(parameters) }
    switch final {
    case UInt8(ascii: "I") where bytes.isEmpty: return .focus(true)
    case UInt8(ascii: "O") where bytes.isEmpty: return .focus(false)
    case UInt8(ascii: "M") where bytes.isEmpty: return .oldMouse
    case UInt8(ascii: "M"):
      // urxvt's mode 1015: the numbers of the oldest reports, in decimal.
      guard parameters.count == 3 else { return nil }
      return .mouse(
        button: parameters[0][0] - 32, column: parameters[1][0], row: parameters[2][0], isPress: true)
    case UInt8(ascii: "u"): return KeyboardReport(parameters).map { .key($0.press) }
    case UInt8(ascii: "~"):
      switch parameters[0][0] {
      case 200: return .pasteStart
      // xterm's modifyOtherKeys.
      case 27 where parameters.count == 3:
        return KeyboardReport([parameters[2], parameters[1]]).map { .key($0.press) }
      case let number: return Self.numbered[number].flatMap { press($0, parameters) }
      }
    default: return letteredKey(parameters)
    }
  }

  /// The key of the keypad, which in application mode sends the letters 0x40 above its characters.
  private var keypadKey: KeyPress? {
    switch final {
    case UInt8(ascii: "M"): KeyPress(.enter)
    case UInt8(ascii: "j")...UInt8(ascii: "y"): KeyPress(Character(Unicode.Scalar(final - 0x40)))
    default: nil
    }
  }

  /// F1 to F5 of the Linux console and of PuTTY: `ESC [ [ A` and so on.
  private var consoleKey: Meaning? {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "E")
    return letters.contains(final) ? .key(KeyPress(.function(Int(final - letters.lowerBound) + 1))) : nil
  }

  /// Returns the meaning of a sequence that ends with a letter: usually a key. If a number other than 1 comes
  /// before the modifiers, it is no key but a report: `24;80R` is the position of the cursor.
  private func letteredKey(_ parameters: [[Int]]) -> Meaning? {
    if final == UInt8(ascii: "R"), !isSingleShift, parameters.count == 2, parameters[0][0] > 1 {
      return .cursor(column: parameters[1][0])
    }
    guard let key = Self.lettered[final] else { return nil }
    // Old terminals send only the modifiers after `ESC O`.
    if isSingleShift, parameters.count == 1 { return press(key, [[1], parameters[0]]) }
    return parameters[0][0] <= 1 ? press(key, parameters) : nil
  }

  private var mouse: Meaning? {
    let isPress = final == UInt8(ascii: "M")
    guard isPress || final == UInt8(ascii: "m"), let values = parameters(bytes.dropFirst()), values.count == 3
    else { return nil }
    return .mouse(button: values[0][0], column: values[1][0], row: values[2][0], isPress: isPress)
  }

  /// Returns the parameters, each as its parts between colons; there is at least one, 0 if it is empty. Returns `nil`
  /// if there is anything other than small numbers.
  private func parameters(_ bytes: some Sequence<UInt8>) -> [[Int]]? {
    var (values, parts) = ([[Int]](), [0])
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let value = parts[parts.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
        guard value <= Limits.controlNumber else { return nil }
        parts[parts.count - 1] = value
      case UInt8(ascii: ":"): parts.append(0)
      case UInt8(ascii: ";"):
        values.append(parts)
        parts = [0]
      default: return nil
      }
    }
    return values + [parts]
  }

  private func press(_ key: Key, _ parameters: [[Int]]) -> Meaning? {
    guard parameters.count > 1 else { return .key(KeyPress(key).normalized) }
    return KeyboardReport.modifiers(parameters[1]).map { .key(KeyPress(key, $0).normalized) }
  }

  /// The keys of sequences that end with a letter.
  private static let lettered: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "Z"): .backTab,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3),
    UInt8(ascii: "S"): .function(4),
  ]

  /// The keys of sequences with a number that end with `~`.
  private static let numbered: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1),
    12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
    18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11),
    24: .function(12),
  ]
}
