import Basics
import CPQ

/// The address of a database, `postgresql://HOST/DATABASE` or `postgres://HOST/DATABASE`, as libpq reads it.
package struct PostgreSQLAddress: Hashable, Sendable {
  /// With a password, if it has one.
  package let text: String
  /// Whether it has a password, or one for the key of a certificate.
  package let hasPassword: Bool
  /// Its hosts in their order: each by the settings of libpq that name it alone. Empty settings: there is one, as the address
  /// says.
  package let hosts: [[String: String]]

  /// A text that can be read in another way than people mean it is refused: a part of a password would be the name of a host,
  /// and stand in the error.
  ///
  /// - Returns: nil if it isn't an address.
  package init?(_ text: String) {
    guard let scheme = ["postgresql://", "postgres://"].first(where: { text.hasPrefix($0) }),
      !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { return nil }
    if let at = text.lastIndex(of: "@") {
      let user = text[..<at].dropFirst(scheme.count)
      guard !user.contains(where: { "/@?#".contains($0) }) else { return nil }
    }
    // What it says of a mistake may have a part of the password.
    guard let options = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var hasPassword = false
    var places: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val.map({ String(cString: $0) }) {
        let keyword = String(cString: keyword)
        switch keyword {
        case "port":
          guard value.utf8.allSatisfy({ (48...57).contains($0) || $0 == 44 }) else { return nil }
          places[keyword] = value
        case "password", "sslpassword": hasPassword = true
        case "host", "hostaddr": places[keyword] = value
        case _: break
        }
      }
      option += 1
    }
    (self.text, self.hasPassword, hosts) = (text, hasPassword, Self.hosts(places))
  }

  /// - Parameter places: libpq's `host`, `hostaddr` and `port`, lists with commas.
  private static func hosts(_ places: [String: String]) -> [[String: String]] {
    let lists = places.mapValues {
      $0.split(exactly: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let count = max(lists["host"]?.count ?? 1, lists["hostaddr"]?.count ?? 1)
    // One port is that of all hosts. Any other difference is libpq's to refuse.
    guard count > 1, lists.allSatisfy({ $1.count == count || $0 == "port" && $1.count == 1 }) else {
      return [[:]]
    }
    return (0..<count).map { place in lists.mapValues { $0[$0.count == 1 ? 0 : place] } }
  }
}
