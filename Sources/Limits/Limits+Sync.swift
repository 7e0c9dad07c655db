// What other machines of the person wrote.
extension Limits {
  /// Bytes of an object's acts once they are unpacked.
  package static let payloadBytes = 64 << 20
  /// Bytes of a sealed object: a header of 56, packed acts, and a tag of 16.
  package static let objectBytes = 56 + payloadBytes + 16
  /// Bytes of the name of a machine and of its program.
  package static let machineNameBytes = 1024
  /// Bytes of a message's content for other machines.
  package static let contentBytes = 64 << 10
  /// Bytes of all contents of one act: of starred messages beyond that only the star is sent.
  package static let contentsBytes = 16 << 20
  /// Bytes of a source's name, title, folder and address.
  package static let sourceNameBytes = 1024
  /// Seconds for which what was written of a message that isn't here waits for it.
  package static let waitingWriteSeconds: Int64 = 2 * 365 * 86_400
}
