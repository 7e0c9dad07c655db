import Screen

/// A key as kitty's keyboard protocol and xterm's `modifyOtherKeys` report it, by its code point.
struct KeyboardReport {
  let press: KeyPress

  /// Reads a report; returns `nil` for keys that have no name here, and when a key is released.
  ///
  /// - Parameter parameters: the code with the shifted and the base layout's one, and the modifiers with the kind of
  ///   event.
  init?(_ parameters: [[Int]]) {
    guard let codes = parameters.first, let code = codes.first,
      var modifiers = Self.modifiers(parameters.count > 1 ? parameters[1] : [])
    else { return nil }
    if let key = Self.keys[code] {
      press = KeyPress(key, modifiers).normalized
      return
    }
    guard let character = Self.character(code) else { return nil }
    let isShifted = modifiers.contains(.shift)
    var key = character
    if modifiers.contains(.shift), !modifiers.contains(.control), codes.count > 1,
      let shifted = Self.character(codes[1])
    {
      key = shifted
      modifiers.remove(.shift)
    }
    var press = KeyPress(key, modifiers).normalized
    press.base = codes.count > 2 ? Self.base(codes[2], isShifted: isShifted) : nil
    self.press = press
  }

  /// Returns the base layout's key, which is reported without Shift. The effect of Shift on keys other than letters is
  /// not known.
  private static func base(_ code: Int, isShifted: Bool) -> Character? {
    guard let character = character(code), isShifted else { return Self.character(code) }
    return character.isASCII && character.isLetter ? Character(character.uppercased()) : nil
  }

  /// Returns the modifiers. xterm adds 1 to a sum of Shift 1, Alt 2, Control 4; kitty also of Super 8, Hyper 16, Meta
  /// 32 and the locks, and numbers the event after a colon.
  ///
  /// - Returns: `nil` for a key that is released, or pressed with a modifier that is unknown here.
  static func modifiers(_ parts: [Int]) -> Modifiers? {
    let sum = max(0, (parts.first ?? 1) - 1)
    let locks = 64 | 128
    guard parts.count < 2 || parts[1] < 3, sum & ~locks <= 7 else { return nil }
    return modifiers(xterm: sum + 1)
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

  private static func character(_ code: Int) -> Character? {
    // kitty numbers its other keys in this private area.
    guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init), !scalar.isControl,
      !(0xE000...0xF8FF).contains(scalar.value)
    else { return nil }
    return Character(scalar)
  }

  private static let keys: [Int: Key] = [9: .tab, 13: .enter, 27: .escape, 127: .backspace, 57414: .enter]
}
