import Basics

extension Limits {
  /// The maximum number of bytes of a notification's title and of its text in an escape code: kitty accepts 2,048 of
  /// each.
  static let noticeTitleBytes = 480
  static let noticeBodyBytes = 1600

  /// The maximum number of bytes that are kept of a control sequence, which is read to its end however long it is; keys
  /// and the mouse need about 20.
  static let controlSequenceBytes = 64
  /// The maximum parameter of a control sequence; columns and rows are much smaller.
  static let controlNumber = 99_999
  /// The maximum number of bytes that one key sends; the rest of a delayed paste has more.
  static let keyBytes = 8
  /// The maximum number of bytes of a paste that are used; the rest is dropped.
  static let pasteBytes = 64 << 10

  /// The maximum number of bytes of a window's title. A tab does not show more.
  static let windowTitleBytes = 512
  /// The maximum number of bytes of text for the clipboard: in Base64 they are 100,000, the limit of xterm.
  static let copiedBytes = 74_994
  /// The number of last bytes of libraries' output to standard error during the inbox that are printed afterwards.
  static let heldErrorBytes = 64 << 10
  /// The maximum number of pictures that a terminal has at the same time; the least recently shown one is deleted
  /// first.
  static let terminalGraphics = 32
  /// The maximum number of bytes of all pictures that a terminal has, as they are sent.
  static let terminalGraphicBytes = 32 << 20
  /// The number of bytes of a picture that are sent in one step, so that keys are read meanwhile.
  static let graphicPieceBytes = 64 << 10
}
