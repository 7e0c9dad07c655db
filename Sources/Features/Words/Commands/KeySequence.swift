package import Screen

/// A key, or two keys that are pressed one right after the other.
package struct KeySequence: Hashable, Sendable {
  /// The first of two keys. Its own command is performed if no second key follows in time.
  package let lead: KeyPress?
  package let key: KeyPress

  package init(_ key: KeyPress, after lead: KeyPress? = nil) { (self.lead, self.key) = (lead, key) }

  /// Reads the name of a key, or two characters such as `g/`; returns `nil` for other strings. A name of one key, such
  /// as `up` or `f1`, is always that key.
  package init?(parsing name: String) {
    if let key = KeyPress(parsing: name) {
      self.init(key)
      return
    }
    let keys = name.count == 2 ? name.map { KeyPress(parsing: String($0)) } : []
    guard let first = keys.first, let last = keys.last, let first, let last else { return nil }
    self.init(last, after: first)
  }

  /// The name that ``init(parsing:)`` reads back.
  package var name: String { (lead?.name ?? "") + key.name }

  package var all: [KeyPress] { (lead.map { [$0] } ?? []) + [key] }
}

extension KeyPress {
  /// Whether the key is a digit, which can be a part of the number that is typed before a command.
  var isDigit: Bool {
    guard case .character(let character) = key, modifiers.isEmpty else { return false }
    return "0"..."9" ~= character
  }
}
