/// Where objects lie: a folder, or a program that speaks the pipe. It sees ciphertext, sizes and times only.
///
/// Objects are never changed. A call blocks its thread for as long as it takes, at most a minute without progress.
package protocol Place: AnyObject, Sendable {
  /// Whether names have the digest of their object's bytes. Programs that know nothing of the sync location may carry it, and
  /// two copies of one machine never write one name. Otherwise only the sync location writes, and `put` refuses a name that is
  /// taken.
  var hasDigests: Bool { get }

  /// The names of all objects. What isn't an object isn't named.
  func list() throws(PlaceFailure) -> [ObjectName]

  /// The names of one machine's objects, as `list` returns them. `changed` still compares with the last `list`.
  func list(of device: DeviceID) throws(PlaceFailure) -> [ObjectName]

  /// The bytes of an object; nil where it isn't there (any more).
  func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]?

  /// Makes an object, on the disk before it returns. Does nothing where the same bytes are there already.
  func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult

  /// Removes an object; does nothing where it isn't there.
  func delete(_ name: ObjectName) throws(PlaceFailure)

  /// Returns the sizes and times of objects without reading them. Missing objects, and objects without a file, are left out.
  func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState]

  /// Returns enough bytes of an object for its header, or `nil` if it is missing or can only be read whole.
  func beginning(of name: ObjectName) throws(PlaceFailure) -> [UInt8]?

  /// Replaces the marker in one step, so that there is always one. Does nothing if names have no digests.
  func replaceMarker(_ bytes: [UInt8]) throws(PlaceFailure)

  /// Waits until the list is new to this connection, or for some seconds, or until there is something to be read from a
  /// descriptor, or its end.
  ///
  /// - Returns: whether the list is new.
  func changed(seconds: Int, unlessInput: Int32?) throws(PlaceFailure) -> Bool

  /// Ends what waits and what runs; every call after it fails. From any thread.
  func close()
}

extension Place {
  package func changed(seconds: Int) throws(PlaceFailure) -> Bool {
    try changed(seconds: seconds, unlessInput: nil)
  }

  /// Returns the name of an object here.
  package func name(_ name: ObjectName, of bytes: [UInt8]) -> ObjectName {
    name.with(hasDigests && name.device != .marker ? ObjectDigest(of: bytes) : nil)
  }

  package func list(of device: DeviceID) throws(PlaceFailure) -> [ObjectName] {
    try list().filter { $0.device == device }
  }

  // A program and a table list only names.
  package var hasDigests: Bool { false }
  package func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState] { [:] }
  package func beginning(of name: ObjectName) throws(PlaceFailure) -> [UInt8]? { nil }
  package func replaceMarker(_ bytes: [UInt8]) throws(PlaceFailure) {}
}

package enum PutResult: Hashable, Sendable {
  case done
  /// Other bytes are there under this name; they stay.
  case anotherIsThere
}

/// Why a place can't be used. `description` is the sentence for people.
package enum PlaceFailure: Error, Hashable, Sendable {
  /// Not mounted, not set up: there isn't such a folder.
  case missing(place: String)
  /// A reason with a full stop is the whole sentence.
  case notAllowed(place: String, reason: String)
  case full(place: String)
  case broken(place: String, reason: String)
  /// The program of a pipe can't be started.
  case notStarted(program: String, reason: String)
  /// The program of a pipe ended; the last line of its standard error.
  case ended(program: String, line: String)
  /// What answers isn't a reddot that can synchronise.
  case notUnderstood(host: String)
  /// `close` was called.
  case closed
}
