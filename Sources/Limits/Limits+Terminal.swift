// Input from a terminal, and output of texts from outside to it.
extension Limits {
  // MARK: Input

  /// Bytes that are kept of a control sequence, whose end is awaited however long it is; keys and the mouse need about 20.
  package static let controlSequenceBytes = 64
  /// A parameter of a control sequence; columns and rows are much smaller.
  package static let controlNumber = 99_999
  /// Bytes that one key sends at most; the rest of a delayed paste has more.
  package static let keyBytes = 8
  /// Bytes of a paste that are used; the rest is dropped.
  package static let pasteBytes = 64 << 10
  /// Characters of an edited line: more than addresses and searches need.
  package static let editedCharacters = 2000
  /// Keys that wait for what an earlier key led to. More than anybody types in a second; a pasted page comes as one paste.
  package static let waitingKeys = 256

  // MARK: Output

  /// Combining marks of one character: no script needs more, and a
  /// cell holds four.
  package static let marksOfACharacter = 4
  /// Bytes of a window's title. A tab does not show more.
  package static let windowTitleBytes = 512
  /// Bytes of an address that a terminal is told of: VTE drops longer ones, others take at least as many.
  package static let hyperlinkBytes = 2083
  /// Bytes of all addresses that one frame tells of, the same one counted for each row: a message full of long links must
  /// not slow the terminal down.
  package static let hyperlinkBytesOfAFrame = 64 << 10
  /// Bytes of the id of such a link; VTE's limit is 250.
  package static let hyperlinkIDBytes = 64
  /// Bytes of a text for the clipboard: in Base64 they are 100,000, the limit of xterm.
  package static let copiedBytes = 74_994
  /// Last bytes of what libraries wrote to standard error during the inbox, which are printed afterwards.
  package static let heldErrorBytes = 64 << 10

  /// Pictures that a terminal has at a time; the one that was shown longest ago is deleted first.
  package static let terminalGraphics = 32
  /// Bytes of all of them, as they are sent.
  package static let terminalGraphicBytes = 32 << 20
  /// Bytes of a picture that are sent at a time, so that keys are read meanwhile.
  package static let graphicPieceBytes = 64 << 10

  // MARK: Layout

  /// Bytes of a text that is laid out on the main actor, fast enough for a key. A longer one is laid out on another
  /// thread.
  package static let quickLayoutBytes = 16 << 10
  /// Lines of a text that are laid out first; more when the user scrolls.
  package static let firstLines = 10_000
}
