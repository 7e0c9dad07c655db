import Basics

// Limits of the sync location.
extension Limits {
  /// The maximum number of bytes of a frame of the pipe protocol without its length: a verb, the name of an object, and
  /// the object.
  static let frameBytes = (64 << 20) + (4 << 10)
  /// The maximum number of file names in a sync folder, including ignored ones; with more, the folder can't be used.
  static let placeNames = 10 * placeObjects
  /// The maximum number of bytes that a program may print before its greeting, since shells may print text when they
  /// start.
  static let greetingBytes = 64 << 10
  /// The seconds after which an unfinished file is removed (a day), since its writer was ended.
  static let unfinishedObjectSeconds = 86_400

  // Limits of objects from the user's other machines.
  /// The maximum number of bytes of an object's acts after unpacking.
  static let payloadBytes = 64 << 20
  /// The maximum number of bytes of a sealed object: a header of 56, packed acts, and a tag of 16.
  static let objectBytes = 56 + payloadBytes + 16
  /// The maximum number of bytes of the name of a machine, and of the version of its program.
  static let machineNameBytes = 1024
}
