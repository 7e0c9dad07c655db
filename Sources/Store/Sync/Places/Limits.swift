import Limits

// Where sealed objects lie.
extension Limits {
  /// Bytes of a frame without its length: a verb, the name of an object, and the object.
  static let frameBytes = (64 << 20) + (4 << 10)
  /// Names of files in a place that are looked at, with those that are ignored.
  static let placeNames = 10 * placeObjects
  /// Bytes that a program may print before its greeting: shells say something when they begin.
  static let greetingBytes = 64 << 10
  /// Seconds after which a file that was never finished is removed (a day): its writer was ended.
  static let unfinishedObjectSeconds = 86_400
}
