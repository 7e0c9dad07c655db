import Limits

extension Limits {
  /// Bytes of a date; the longest usual form, with the names of day, month and zone, has about 60.
  static let dateBytes = 128
}
