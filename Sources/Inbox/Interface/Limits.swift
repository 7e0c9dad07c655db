import Basics

extension Limits {
  /// The maximum number of moves, presses and clicks that are stored until a view's scripts have run.
  static let earlyActs = 32
  /// The maximum number of pictures of a message's text that are fetched or drawn at the same time, each from another
  /// server.
  static let picturesAtOnce = 2
  /// The maximum number of pictures of one view; the others are replaced by their alternative text.
  static let viewPictures = 8
  /// The maximum number of characters of an edited line: more than URLs and searches need.
  static let editedCharacters = 2000
  /// The maximum number of keys that wait for the result of an earlier key. No user types more in a second, and a
  /// pasted page arrives as one paste.
  static let waitingKeys = 256
  /// The maximum number of bytes of text that is laid out on the main actor, fast enough for a key. Longer text is laid
  /// out on another thread.
  static let quickLayoutBytes = 16 << 10
  /// The number of lines of text that are laid out first; more when the user scrolls.
  static let firstLines = 10_000
}
