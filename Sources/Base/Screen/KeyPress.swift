/// A key of the keyboard. The space bar is `character(" ")`.
package enum Key: Hashable, Sendable {
  case character(Character)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, pageUp, pageDown, home, end
  /// F1 is `function(1)`.
  case function(Int)
}

package struct Modifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let control = Modifiers(rawValue: 1 << 0)
  package static let alt = Modifiers(rawValue: 1 << 1)
  package static let shift = Modifiers(rawValue: 1 << 2)
}

/// A key with its modifiers. A capital letter is its own character, without `shift`.
package struct KeyPress: Hashable, Sendable {
  package var key: Key
  package var modifiers: Modifiers
  /// The character that the key has on a US keyboard, if the terminal reports it, for commands in another layout.
  /// Comparisons of presses ignore it.
  package var base: Character?

  package init(_ key: Key, _ modifiers: Modifiers = Modifiers(), base: Character? = nil) {
    self.key = key
    self.modifiers = modifiers
    self.base = base
  }

  package init(_ character: Character, _ modifiers: Modifiers = Modifiers()) {
    self.init(.character(character), modifiers)
  }

  package static func == (a: KeyPress, b: KeyPress) -> Bool { a.key == b.key && a.modifiers == b.modifiers }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(modifiers)
  }
}
