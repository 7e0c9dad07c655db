/// Whom an address names: scheme, host and port (RFC 6454 section 4). What is secret belongs to one of them.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  let scheme: String
  /// Lower case, in ASCII, an IPv6 address without brackets.
  let host: String
  let port: Int

  /// Nil for anything that cannot be asked over HTTP.
  package init?(_ address: String) {
    guard let address = WebAddress(address) else { return nil }
    self = address.origin
  }

  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// `https://example.org`, with the port where it isn't the scheme's own.
  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let usual = WebAddress.Scheme(rawValue: scheme)?.defaultPort
    return port == usual ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
  }
}
