import Basics
import Screen

/// The text in a prompt, and the position of its cursor.
package struct LineEditor: Hashable, Sendable {
  private var characters: [Character] = []
  /// The number of characters left of the cursor.
  private(set) var cursor = 0

  package init(_ text: String = "") {
    insert(text)
  }

  package var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }

  /// The form for the screen: the text, and the columns left of the cursor.
  var shown: (text: SafeText, cursorColumn: Int) {
    (SafeText(untrusted: text), SafeText(untrusted: String(characters[..<cursor])).columns)
  }

  /// The number of bytes of the text left of the cursor.
  var byteCursor: Int { characters[..<cursor].reduce(0) { $0 + $1.utf8.count } }

  /// Replaces the text between a byte and the cursor.
  mutating func replace(from byte: Int, with text: String) {
    var start = cursor
    var place = byteCursor
    while start > 0, place > byte {
      start -= 1
      place -= characters[start].utf8.count
    }
    remove(start..<cursor)
    insert(text)
  }

  /// Inserts text; line ends become spaces.
  mutating func insert(_ text: String) {
    let room = max(0, Limits.editedCharacters - characters.count)
    let new = text.prefix(room).map { $0.isNewline ? " " : $0 }
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
  }

  /// Handles an editing key.
  /// - Returns: whether the text or the cursor could have changed; `false` for other keys.
  mutating func press(_ press: KeyPress) -> Bool {
    switch (press.key, press.modifiers) {
    case (.character(let character), []): insert(String(character))
    case (.left, []), (.character("b"), .control): cursor = max(0, cursor - 1)
    case (.right, []), (.character("f"), .control): cursor = min(characters.count, cursor + 1)
    case (.home, []), (.character("a"), .control): cursor = 0
    case (.end, []), (.character("e"), .control): cursor = characters.count
    case (.backspace, []), (.character("h"), .control): if cursor > 0 { remove(cursor - 1..<cursor) }
    case (.delete, []), (.character("d"), .control):
      if cursor < characters.count { remove(cursor..<cursor + 1) }
    case (.character("u"), .control): remove(0..<cursor)
    case (.character("k"), .control): remove(cursor..<characters.count)
    case (.character("w"), .control), (.backspace, .alt): remove(wordStart..<cursor)
    default: return false
    }
    return true
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }
}
