import Basics

extension Limits {
  /// The last lines of a program's output in the message of `reddot run`.
  static let reportLines = 20
  /// Bytes that are enough for those lines, even if each is as long as a screen.
  static let reportBytes = 64 << 10
  /// Characters of a command in the title of that message.
  static let reportTitleCharacters = 200
}
