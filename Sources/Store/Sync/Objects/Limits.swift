import Limits

// What other machines of the person wrote.
extension Limits {
  /// Bytes of an object's acts once they are unpacked.
  static let payloadBytes = 64 << 20
  /// Bytes of a sealed object: a header of 56, packed acts, and a tag of 16.
  static let objectBytes = 56 + payloadBytes + 16
  /// Bytes of the name of a machine and of its program.
  static let machineNameBytes = 1024
}
