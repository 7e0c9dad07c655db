import Limits

extension Limits {
  /// Nested arrays and tables of a settings file; the parser refuses more.
  static let settingsDepth = 256
}
