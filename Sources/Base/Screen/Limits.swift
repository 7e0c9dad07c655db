import Basics

extension Limits {
  /// The maximum number of characters of a notification's id in an escape code; our own ids look like `reddot-1`.
  static let noticeIDCharacters = 64
  /// The maximum number of combining marks of one character: no script needs more, and a cell holds four.
  static let marksOfACharacter = 4
  /// The maximum number of bytes of all URLs in one frame; the same URL counts once for each row. A message full of
  /// long links must not slow the terminal down.
  static let hyperlinkBytesOfAFrame = 64 << 10
  /// The maximum number of bytes of the id of a hyperlink; VTE's limit is 250.
  static let hyperlinkIDBytes = 64
}
