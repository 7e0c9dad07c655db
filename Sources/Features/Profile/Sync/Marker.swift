import Basics
package import Foundation
package import Sync

/// The object that marks a folder, a table or a hub as a sync location.
package enum Marker {
  /// Returns the bytes of a marker.
  ///
  /// - Parameters:
  ///   - placeID: 16 bytes.
  ///   - format: `SealedObject.markerFormat` once an object there has a name with a digest.
  package static func make(
    _ placeID: [UInt8], _ key: SyncKey, program: String, format: UInt8 = SealedObject.format, at now: Date
  ) throws -> [UInt8] {
    let head = Payload.Head(
      written: Int64(now.timeIntervalSince1970 * 1000), machine: placeID.hex, program: program)
    return try SealedObject.seal(Payload.encode(head, acts: []), name: .marker, key: key, format: format)
  }

  /// Decrypts a marker.
  ///
  /// - Returns: the id of the location.
  package static func read(_ bytes: [UInt8], _ key: SyncKey, place: String) throws(SyncFailure) -> [UInt8] {
    do throws(SealedObject.Failure) {
      let payload = try SealedObject.open(bytes, name: .marker, key: key)
      guard let reader = try? PayloadReader(payload, of: .marker),
        let id = [UInt8](hex: Array(reader.head.machine.utf8)),
        id.count == 16
      else {
        throw SealedObject.Failure.damaged(.header)
      }
      return id
    } catch .anotherFormat where SealedObject.isSealed(bytes, key: key) {
      throw SyncFailure.newerMarker(place: place)
    } catch {
      throw SyncFailure.wrongKey(place: place)
    }
  }
}
