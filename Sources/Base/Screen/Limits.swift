import Basics

extension Limits {
  /// Characters of a notice's id in an escape code; ours are `reddot-1` and the like.
  static let noticeIDCharacters = 64
  /// Combining marks of one character: no script needs more, and a cell holds four.
  static let marksOfACharacter = 4
  /// Bytes of all addresses that one frame tells of, the same one counted for each row: a message full of long links must
  /// not slow the terminal down.
  static let hyperlinkBytesOfAFrame = 64 << 10
  /// Bytes of the id of a hyperlink; VTE's limit is 250.
  static let hyperlinkIDBytes = 64
}
