/// The host of an address, by which limits and holds are shared.
package enum HostName {
  /// `example.org`, or `example.org:8080` where the port is not the scheme's own: another port is another server.
  ///
  /// Nil for addresses without a host (`file:`), which share nothing. Upper case, user names and a trailing
  /// dot make no difference.
  package static func of(_ address: String) -> String? {
    guard let separator = address.firstRange(of: "://") else { return nil }
    let scheme = address[..<separator.lowerBound].lowercased()
    var authority = address[separator.upperBound...].prefix { !"/?#".contains($0) }
    if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }

    var host = authority.lowercased()
    var port = ""
    if let colon = host.lastIndex(of: ":"), host[colon...].allSatisfy({ $0 == ":" || $0.isNumber }) {
      port = String(host[host.index(after: colon)...])
      host = String(host[..<colon])
    }
    if host.hasSuffix(".") { host.removeLast() }
    guard !host.isEmpty, scheme != "file" else { return nil }
    let isUsual = port.isEmpty || (scheme == "http" && port == "80") || (scheme == "https" && port == "443")
    return isUsual ? host : "\(host):\(port)"
  }
}
