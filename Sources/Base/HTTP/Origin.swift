/// The scheme, host and port of an address (RFC 6454 section 4). A credential belongs to one origin.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  let scheme: String
  /// The host in lowercase ASCII; an IPv6 address has no brackets.
  let host: String
  let port: Int

  /// Returns `nil` unless the address is an http or https URL.
  package init?(_ address: String) {
    guard let address = WebAddress(address) else { return nil }
    self = address.origin
  }

  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The origin as `https://example.org`, with the port if it isn't the scheme's default.
  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let usual = WebAddress.Scheme(rawValue: scheme)?.defaultPort
    return port == usual ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
  }
}
