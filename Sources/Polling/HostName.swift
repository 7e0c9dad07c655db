/// The host of an address, by which limits and holds are shared.
package enum HostName {
  /// `example.org`, or `example.org:8080` where the port is not the scheme's own: another port is another server.
  ///
  /// Nil for addresses without a host (`file:`), which share nothing. Upper case, user names and a trailing
  /// dot make no difference.
  package static func of(_ address: String) -> String? {
    guard let (end, start) = separator(address) else { return nil }
    let scheme = address[..<end].lowercased()
    var authority = address[start...].prefix { !"/?#".contains($0) }
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

  /// Where the first `://` begins and ends.
  private static func separator(_ address: String) -> (String.Index, String.Index)? {
    let bytes = address.utf8
    var index = bytes.startIndex
    while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
      index = bytes.index(after: colon)
      if bytes[index...].starts(with: "//".utf8) { return (colon, bytes.index(index, offsetBy: 2)) }
    }
    return nil
  }
}
