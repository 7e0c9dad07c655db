// What other machines of the person wrote.
extension Limits {
  /// Bytes of an object's acts once they are unpacked.
  package static let payloadBytes = 64 << 20
  /// Bytes of a sealed object: a header of 56, packed acts, and a tag of 16.
  package static let objectBytes = 56 + payloadBytes + 16
  /// Bytes of the name of a machine and of its program.
  package static let machineNameBytes = 1024
  /// Seconds for which what was written of a message that isn't here waits for it.
  package static let waitingWriteSeconds: Int64 = 2 * 365 * 86_400
  /// Bytes of own acts that one object is made of; one act may have more.
  package static let sentObjectBytes = 4 << 20
  /// More own objects than this that are small are joined to one, so that a place has few.
  package static let smallObjects = 32
  package static let smallObjectBytes = 256 << 10
}
