import CPQ
import Limits
import Places

/// The address of a database, `postgresql://HOST/DATABASE`, as libpq reads it.
struct PostgreSQLAddress: Sendable {
  /// With a password, if it has one.
  let text: String

  /// A text that can be read in another way than people mean it is refused: a part of a password would be the name of a host,
  /// and stand in the error.
  ///
  /// - Returns: nil if it isn't an address.
  init?(_ text: String) {
    guard case .postgreSQL(let address)? = try? PlaceAddress(text) else { return nil }
    if let at = address.lastIndex(of: "@") {
      let user = address[..<at].dropFirst("postgresql://".count)
      guard !user.contains(where: { "/@?#".contains($0) }) else { return nil }
    }
    // What it says of a mistake may have a part of the password.
    guard let options = PQconninfoParse(address, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if String(cString: keyword) == "port", let value = option.pointee.val {
        guard String(cString: value).utf8.allSatisfy({ (48...57).contains($0) || $0 == 44 }) else {
          return nil
        }
      }
      option += 1
    }
    self.text = address
  }
}
