import Basics
import CPQ

/// The address of a database, `postgresql://HOST/DATABASE` or `postgres://HOST/DATABASE`, as libpq reads it.
package struct PostgreSQLAddress: Hashable, Sendable {
  /// The address, with its password if it has one.
  package let text: String
  /// Whether it contains a password, or one for the key of a certificate.
  package let hasPassword: Bool
  /// The hosts in their order, each as the libpq settings that select only this host. The settings are empty if there
  /// is only the host of the address.
  package let hosts: [[String: String]]

  /// Parses an address. A string that is ambiguous is rejected: otherwise a part of a password could be read as the
  /// name of a host, and appear in the error.
  ///
  /// - Returns: `nil` if it isn't an address.
  package init?(_ text: String) {
    guard let scheme = ["postgresql://", "postgres://"].first(where: { text.hasPrefix($0) }),
      !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { return nil }
    if let at = text.lastIndex(of: "@") {
      let user = text[..<at].dropFirst(scheme.count)
      guard !user.contains(where: { "/@?#".contains($0) }) else { return nil }
    }
    // libpq's error message is not used, since it may contain a part of the password.
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

  /// - Parameter places: libpq's `host`, `hostaddr` and `port`, as lists with commas.
  private static func hosts(_ places: [String: String]) -> [[String: String]] {
    let lists = places.mapValues {
      $0.split(onBytes: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let count = max(lists["host"]?.count ?? 1, lists["hostaddr"]?.count ?? 1)
    // A single port applies to all hosts. libpq rejects any other difference.
    guard count > 1, lists.allSatisfy({ $1.count == count || $0 == "port" && $1.count == 1 }) else {
      return [[:]]
    }
    return (0..<count).map { place in lists.mapValues { $0[$0.count == 1 ? 0 : place] } }
  }
}
