import Basics
import Foundation
import GRDB
import Messages

/// The id of a source in every database: the first 16 bytes of SHA-256 over its kind and URL, as they were when it was
/// first seen. It does not change when name, URL or kind change.
enum SourceUID {
  /// Assigns the id. If another source already has the same kind and URL, a number from 2 on is hashed with them.
  static func give(to id: SourceID, kind: String, address: String, _ db: Database) throws {
    let taken = try db.prepared("SELECT 1 FROM source WHERE uid = ?")
    let update = try db.prepared("UPDATE source SET uid = ?2 WHERE id = ?1")
    var number = 1
    while true {
      let uid = bytes(kind: kind, address: address, number: number)
      try taken.bind(1, blob: uid)
      if try taken.first({ true }) == nil {
        update.bind(1, id.rawValue)
        try update.bind(2, blob: uid)
        return try update.run()
      }
      number += 1
    }
  }

  static func bytes(kind: String, address: String, number: Int = 1) -> [UInt8] {
    let text = "\(kind)\u{0}\(normalized(address))" + (number == 1 ? "" : "\u{0}\(number)")
    return Array(SHA256.digest(text).prefix(16))
  }

  /// Returns the URL with scheme and host in lower case, without the scheme's default port and the fragment, and with
  /// an empty path as `/` (RFC 3986 section 6.2.2 and 6.2.3). Other strings are returned unchanged.
  static func normalized(_ address: String) -> String {
    guard var parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(),
      let host = parts.host?.lowercased()
    else { return address }
    parts.scheme = scheme
    parts.host = host
    parts.fragment = nil
    if parts.port == (scheme == "https" ? 443 : 80) { parts.port = nil }
    if parts.path.isEmpty { parts.path = "/" }
    return parts.string ?? address
  }
}

extension ConfiguredSource {
  /// A string that is equal for sources of one kind at one URL.
  package var identity: String { "\(settings.kind.rawValue) \(SourceUID.normalized(settings.address))" }
}
