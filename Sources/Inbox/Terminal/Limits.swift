import Basics

extension Limits {
  /// Bytes of a notice's title and of its text in an escape code: kitty takes 2,048 of each.
  static let noticeTitleBytes = 480
  static let noticeBodyBytes = 1600

  /// Bytes that are kept of a control sequence, whose end is awaited however long it is; keys and the mouse need about 20.
  static let controlSequenceBytes = 64
  /// A parameter of a control sequence; columns and rows are much smaller.
  static let controlNumber = 99_999
  /// Bytes that one key sends at most; the rest of a delayed paste has more.
  static let keyBytes = 8
  /// Bytes of a paste that are used; the rest is dropped.
  static let pasteBytes = 64 << 10

  /// Bytes of a window's title. A tab does not show more.
  static let windowTitleBytes = 512
  /// Bytes of a text for the clipboard: in Base64 they are 100,000, the limit of xterm.
  static let copiedBytes = 74_994
  /// Last bytes of what libraries wrote to standard error during the inbox, which are printed afterwards.
  static let heldErrorBytes = 64 << 10
  /// Pictures that a terminal has at a time; the one that was shown longest ago is deleted first.
  static let terminalGraphics = 32
  /// Bytes of all of them, as they are sent.
  static let terminalGraphicBytes = 32 << 20
  /// Bytes of a picture that are sent at a time, so that keys are read meanwhile.
  static let graphicPieceBytes = 64 << 10
}
