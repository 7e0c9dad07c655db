// What a terminal sends, and what it is sent of texts from outside.
extension Limits {
  // MARK: Input

  /// Bytes of a control sequence; keys and the mouse need about 20.
  package static let controlSequenceBytes = 64
  /// Bytes of a control string, as a terminal's answer (OSC, DCS) is one: what is longer was never ended.
  package static let controlStringBytes = 64 << 10
  /// A parameter of a control sequence; columns and rows are far below.
  package static let controlNumber = 99_999
  /// Symbols that one key sends at most; the rest of a paste that was held up has more.
  package static let keyBytes = 8
  /// Bytes of a paste that are handed on; the rest is dropped.
  package static let pasteBytes = 64 << 10
  /// Characters of an edited line: more than any address or search needs.
  package static let editedCharacters = 2000

  // MARK: Output

  /// Combining marks of one character: no script that people write needs more, and a
  /// cell has room for four.
  package static let marksOfACharacter = 4
  /// Bytes of a window's title. More is of no use in a tab.
  package static let windowTitleBytes = 512
  /// Bytes of a text for the clipboard: as base64 they are 100,000, which is what xterm takes.
  package static let copiedBytes = 74_994
  /// Bytes told afterwards of what libraries wrote to standard error while the screen was ours: the last ones.
  package static let heldErrorBytes = 64 << 10

  // MARK: Layout

  /// Bytes of a text that is laid out at once, in less time than a key may wait. A longer one is laid out aside.
  package static let quickLayoutBytes = 16 << 10
  /// Lines of a text that are laid out at first; more of it as far as somebody looks.
  package static let firstLines = 10_000
}
