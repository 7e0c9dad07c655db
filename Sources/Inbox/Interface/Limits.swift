import Basics

extension Limits {
  /// Acts of the user on a view whose scripts have not run yet; nobody makes more.
  static let earlyActs = 32
  /// Pictures of a message's text that are fetched or drawn at the same time, each from another server.
  static let picturesAtOnce = 2
  /// Pictures of one view; for more the alternative text is shown.
  static let viewPictures = 8
  /// Characters of an edited line: more than addresses and searches need.
  static let editedCharacters = 2000
  /// Keys that wait for what an earlier key led to. More than anybody types in a second; a pasted page comes as one paste.
  static let waitingKeys = 256
  /// Bytes of a text that is laid out on the main actor, fast enough for a key. A longer one is laid out on another
  /// thread.
  static let quickLayoutBytes = 16 << 10
  /// Lines of a text that are laid out first; more when the user scrolls.
  static let firstLines = 10_000
}
