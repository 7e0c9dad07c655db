// Where sealed objects lie.
extension Limits {
  /// Bytes of an object: a header of 56, at most 64 MiB, a tag of 16. The table of PostgreSQL takes no more either.
  package static let placeObjectBytes = (64 << 20) + 56 + 16
  /// Bytes of a frame without its length: a verb, the name of an object, and the object.
  package static let frameBytes = (64 << 20) + (4 << 10)
  /// Objects of a place. Each machine packs its own, so that it has some dozens.
  package static let placeObjects = 100_000
  /// Names of files in a place that are looked at, with those that are ignored.
  package static let placeNames = 10 * placeObjects
  /// Bytes that a program may print before its greeting: shells say something when they begin.
  package static let greetingBytes = 64 << 10
  /// Without any byte of an answer for so long, the program of a place has failed.
  package static let placeSilence = Duration.seconds(60)
  /// Seconds after which a file that was never finished is removed (a day): its writer was ended.
  package static let unfinishedObjectSeconds = 86_400
  /// Characters of the reason that the program of a place gives.
  package static let placeReasonCharacters = 500
}
