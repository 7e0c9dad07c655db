import Basics

// Where sealed objects lie.
extension Limits {
  /// Bytes of a frame without its length: a verb, the name of an object, and the object.
  static let frameBytes = (64 << 20) + (4 << 10)
  /// Names of files in a folder that are examined, with those that are ignored.
  static let placeNames = 10 * placeObjects
  /// Bytes that a program may print before its greeting: shells say something when they begin.
  static let greetingBytes = 64 << 10
  /// Seconds after which a file that was never finished is removed (a day): its writer was ended.
  static let unfinishedObjectSeconds = 86_400

  // Objects that the user's other machines wrote.
  /// Bytes of an object's acts once they are unpacked.
  static let payloadBytes = 64 << 20
  /// Bytes of a sealed object: a header of 56, packed acts, and a tag of 16.
  static let objectBytes = 56 + payloadBytes + 16
  /// Bytes of the name of a machine and of its program.
  static let machineNameBytes = 1024
}
