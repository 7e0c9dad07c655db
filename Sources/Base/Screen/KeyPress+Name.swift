/// Names of keys as in the settings and in the help.
extension KeyPress {
  /// Reads `j`, `G`, `?`, `space`, `enter`, `pgdn`, `f5`, `ctrl-l`, `alt-x`, `shift-tab`, `ctrl--`, or returns `nil`.
  /// Letters keep their case, except with `ctrl-`, for which terminals do not report it. The names of keys ignore case.
  package init?(parsing name: String) {
    var rest = Substring(name)
    var modifiers: Modifiers = []
    while let (modifier, after) = KeyPress.modifier(rest) {
      modifiers.insert(modifier)
      rest = after
    }
    guard let key = KeyPress.key(rest) else { return nil }
    self = KeyPress(key, modifiers).normalized
  }

  /// The name that ``init(parsing:)`` reads back.
  package var name: String {
    var name = ""
    if modifiers.contains(.control) { name += "ctrl-" }
    if modifiers.contains(.alt) { name += "alt-" }
    if modifiers.contains(.shift) { name += "shift-" }
    return name + KeyPress.name(of: key)
  }

  /// The single form of presses that terminals report in several forms: shift and a letter becomes the capital, shift
  /// and tab becomes the back tab, and a letter with control becomes lowercase.
  package var normalized: KeyPress {
    var result = self
    if case .character(let character) = key {
      if modifiers.contains(.control) {
        result.key = .character(KeyPress.single(character.lowercased()) ?? character)
      } else if modifiers.contains(.shift), character.isLetter {
        result.key = .character(KeyPress.single(character.uppercased()) ?? character)
        result.modifiers.remove(.shift)
      }
    } else if key == .tab, modifiers.contains(.shift) {
      result.key = .backTab
      result.modifiers.remove(.shift)
    }
    return result
  }

  private static func single(_ text: String) -> Character? { text.count == 1 ? text.first : nil }

  private static let modifierNames: [(String, Modifiers)] = [
    ("ctrl-", .control), ("control-", .control), ("c-", .control), ("alt-", .alt), ("meta-", .alt),
    ("m-", .alt), ("shift-", .shift), ("s-", .shift),
  ]

  private static func modifier(_ text: Substring) -> (Modifiers, Substring)? {
    for (name, modifier) in modifierNames
    where text.count > name.count && text.prefix(name.count).lowercased() == name {
      return (modifier, text.dropFirst(name.count))
    }
    return nil
  }

  /// The names of each key; the first one is shown.
  private static let keyNames: [(Key, [String])] = [
    (.character(" "), ["space", "spc"]), (.enter, ["enter", "return", "cr"]), (.escape, ["esc", "escape"]),
    (.tab, ["tab"]), (.backTab, ["backtab"]), (.backspace, ["backspace", "bs"]),
    (.delete, ["del", "delete"]), (.insert, ["ins", "insert"]), (.up, ["up"]), (.down, ["down"]),
    (.left, ["left"]), (.right, ["right"]), (.pageUp, ["pgup", "pageup"]),
    (.pageDown, ["pgdn", "pgdown", "pagedown"]), (.home, ["home"]), (.end, ["end"]),
  ]

  private static func name(of key: Key) -> String {
    if let known = keyNames.first(where: { $0.0 == key }), let name = known.1.first { return name }
    switch key {
    case .character(let character): return String(character)
    case .function(let number): return "f\(number)"
    case .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right, .pageUp,
      .pageDown, .home, .end:
      return ""
    }
  }

  private static func key(_ name: Substring) -> Key? {
    if name.count == 1, let character = name.first {
      // A control character or a bare space isn't a key's name.
      let isVisible = character.unicodeScalars.allSatisfy { $0 != " " && !$0.isControl }
      return isVisible ? .character(character) : nil
    }
    let lower = name.lowercased()
    if let known = keyNames.first(where: { $0.1.contains(lower) }) { return known.0 }
    if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...63).contains(number),
      lower.dropFirst().first != "+"
    {
      return .function(number)
    }
    return nil
  }
}
