import CPQ

/// The address of a database, `postgresql://HOST/DATABASE` or `postgres://HOST/DATABASE`, as libpq reads it.
package struct PostgreSQLAddress: Hashable, Sendable {
  /// With a password, if it has one.
  package let text: String
  /// Whether it has a password, or one for the key of a certificate.
  package let hasPassword: Bool
  /// How many hosts it names; they are tried in their order.
  package let hosts: Int

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
    var (hasPassword, hosts) = (false, 1)
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val.map({ String(cString: $0) }) {
        switch String(cString: keyword) {
        case "port":
          guard value.utf8.allSatisfy({ (48...57).contains($0) || $0 == 44 }) else { return nil }
        case "password", "sslpassword": hasPassword = true
        case "host", "hostaddr": hosts = max(hosts, value.split(separator: ",").count)
        case _: break
        }
      }
      option += 1
    }
    (self.text, self.hasPassword, self.hosts) = (text, hasPassword, hosts)
  }
}
