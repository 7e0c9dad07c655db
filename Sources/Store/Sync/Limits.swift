import Basics

// Limits of the sync location.
extension Limits {
  /// The bytes of a frame without its length: a verb, the name of an object, and the object.
  static let frameBytes = (64 << 20) + (4 << 10)
  /// The names of files in a folder that are examined, including ignored ones.
  static let placeNames = 10 * placeObjects
  /// The bytes that a program may print before its greeting, since shells may print text when they start.
  static let greetingBytes = 64 << 10
  /// The seconds after which an unfinished file is removed (a day), since its writer was ended.
  static let unfinishedObjectSeconds = 86_400

  // Limits of objects from the user's other machines.
  /// The bytes of an object's acts after unpacking.
  static let payloadBytes = 64 << 20
  /// The bytes of a sealed object: a header of 56, packed acts, and a tag of 16.
  static let objectBytes = 56 + payloadBytes + 16
  /// The bytes of the name of a machine and of its program.
  static let machineNameBytes = 1024
}
