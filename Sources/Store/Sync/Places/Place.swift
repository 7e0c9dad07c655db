/// A sync location, which stores objects: a folder, or a program that uses the pipe protocol. Only ciphertext, sizes
/// and times are visible there.
///
/// Objects never change. A call blocks its thread, for at most a minute without progress.
package protocol Place: AnyObject, Sendable {
  /// Whether names contain the digest of their object's bytes. Then other programs may copy the files of the sync
  /// location, and two copies of one machine never write the same name. Otherwise only the sync location itself writes,
  /// and `put` rejects a name that is taken.
  var hasDigests: Bool { get }

  /// Returns the names of all objects; other files are left out.
  func list() throws(PlaceFailure) -> [ObjectName]

  /// Returns the names of one machine's objects, like `list`. `changed` still compares with the last `list`.
  func list(of device: DeviceID) throws(PlaceFailure) -> [ObjectName]

  /// Returns the bytes of an object, or `nil` if it does not exist (any more).
  func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]?

  /// Creates an object, which is on the disk when this returns. It does nothing if the same bytes already exist.
  func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult

  /// Removes an object, if it exists.
  func delete(_ name: ObjectName) throws(PlaceFailure)

  /// Returns the sizes and times of objects without reading them. Missing objects, and objects without a file, are left
  /// out.
  func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState]

  /// Returns enough bytes of an object for its header, or `nil` if it is missing or can only be read whole.
  func beginning(of name: ObjectName) throws(PlaceFailure) -> [UInt8]?

  /// Replaces the marker in one step, so that there is always one. Does nothing if names have no digests.
  func replaceMarker(_ bytes: [UInt8]) throws(PlaceFailure)

  /// Waits until the list of objects differs from the one that `list` last returned, for at most some
  /// seconds, or until the descriptor `unlessInput` is readable or at its end.
  ///
  /// - Returns: whether the list differs.
  func changed(seconds: Int, unlessInput: Int32?) throws(PlaceFailure) -> Bool

  /// Ends waits and running calls; every later call fails. It can be called from any thread.
  func close()
}

extension Place {
  package func changed(seconds: Int) throws(PlaceFailure) -> Bool {
    try changed(seconds: seconds, unlessInput: nil)
  }

  /// Returns the name under which this location stores an object: with the digest of its bytes if names have
  /// digests.
  package func name(_ name: ObjectName, of bytes: [UInt8]) -> ObjectName {
    name.with(hasDigests && name.device != .marker ? ObjectDigest(of: bytes) : nil)
  }

  package func list(of device: DeviceID) throws(PlaceFailure) -> [ObjectName] {
    try list().filter { $0.device == device }
  }

  // The names of a program and a table have no digest.
  package var hasDigests: Bool { false }
  package func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState] { [:] }
  package func beginning(of name: ObjectName) throws(PlaceFailure) -> [UInt8]? { nil }
  package func replaceMarker(_ bytes: [UInt8]) throws(PlaceFailure) {}
}

package enum PutResult: Hashable, Sendable {
  case done
  /// Other bytes exist under this name; they are kept.
  case anotherIsThere
}

/// The reason why a sync location can't be used. `description` is the sentence for users.
package enum PlaceFailure: Error, Hashable, Sendable {
  /// The folder does not exist: it isn't mounted or set up.
  case missing(place: String)
  /// Access isn't allowed. If the reason ends with a full stop, it is the whole sentence for users.
  case notAllowed(place: String, reason: String)
  case full(place: String)
  case broken(place: String, reason: String)
  /// The program of a pipe can't be started.
  case notStarted(program: String, reason: String)
  /// The program of a pipe ended; contains the last line of its standard error.
  case ended(program: String, line: String)
  /// The program at the host isn't a reddot that can synchronise.
  case notUnderstood(host: String)
  /// `close` was called.
  case closed
}
