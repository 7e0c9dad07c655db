import Limits

// Banners: their views, scripts and pictures come from a publisher.
extension Limits {
  /// Presses that wait while a script runs; nobody makes more.
  static let viewEvents = 32
  /// How often views may display each other without a press.
  static let viewDisplays = 10
  /// Characters of the text of a script's error.
  static let scriptErrorCharacters = 500
}
