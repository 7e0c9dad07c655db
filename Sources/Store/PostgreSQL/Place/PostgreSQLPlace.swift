import Basics
import Foundation
import Platform
package import Sync
import Synchronization

/// Stores objects as rows of the table `reddot_sync`, which Resources/samples/sync.sql creates. Each role sees only its
/// own rows.
///
/// The first call connects. Lost connections are reopened.
package final class PostgreSQLPlace: Place {
  /// The time limits.
  package struct Times: Sendable {
    package var connecting = Limits.databaseConnecting
    /// The maximum time without progress while a response is read.
    package var silence = Limits.databaseSilence
    /// The time between two reads of the list of objects if the server can't send notifications.
    package var looking = Limits.databaseLooking
    /// The time until a lost listening connection is reopened.
    package var listeningAgain = Limits.databaseListeningAgain

    package init() {}
  }

  private let closing: Alarm
  /// The session, locked during a whole call.
  private let session: Mutex<PostgreSQLSession>

  /// - Parameter address: `postgresql://HOST/DATABASE`, as libpq reads it. Failures never contain its password.
  package init(_ address: String, times: Times = Times()) throws(PlaceFailure) {
    let place = (try? PlaceAddress(address))?.description ?? "REDDOT_PLACE"
    guard let address = PostgreSQLAddress(address) else {
      throw .broken(
        place: place,
        reason:
          "write postgresql://HOST/DATABASE, and in a name or a password %40 for @, %2F for / and %25 for %")
    }
    do throws(POSIXError) {
      closing = try Alarm()
    } catch {
      throw .broken(place: place, reason: String(cString: strerror(error.code.rawValue)))
    }
    session = Mutex(PostgreSQLSession(address: address, place: place, times: times, closing: closing))
  }

  package func list() throws(PlaceFailure) -> [ObjectName] {
    try session.withLock { session throws(PlaceFailure) in try session.list() }
  }

  package func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    try session.withLock { session throws(PlaceFailure) in try session.get(name) }
  }

  package func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    try session.withLock { session throws(PlaceFailure) in try session.put(name, bytes) }
  }

  package func delete(_ name: ObjectName) throws(PlaceFailure) {
    try session.withLock { session throws(PlaceFailure) in try session.delete(name) }
  }

  package func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    try session.withLock { session throws(PlaceFailure) in
      try session.changed(seconds: seconds, unlessInput: input)
    }
  }

  package func close() { closing.ring() }
}
