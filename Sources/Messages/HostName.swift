/// The server of an address, read in one place.
package enum HostName {
  /// `example.org`, or `example.org:8080` where the port is not the scheme's own: another port is another server, and
  /// limits and holds are shared by this.
  ///
  /// Nil for addresses without a host (`file:`), which share nothing. Upper case, user names and a trailing
  /// dot make no difference.
  package static func of(_ address: String) -> String? {
    guard let (scheme, host, port) = parts(address), scheme != "file" else { return nil }
    let isUsual = port.isEmpty || (scheme == "http" && port == "80") || (scheme == "https" && port == "443")
    return isUsual ? host : "\(host):\(port)"
  }

  /// The same without a port.
  package static func withoutPort(_ address: String) -> String? {
    guard let (scheme, host, _) = parts(address), scheme != "file" else { return nil }
    return host
  }

  /// By bytes: a poll asks for the host of each link.
  private static func parts(_ address: String) -> (scheme: String, host: String, port: String)? {
    let bytes = address.utf8
    guard let (end, start) = separator(bytes) else { return nil }
    var host = bytes[start...].prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[at...].dropFirst() }
    var port = host[host.endIndex...]
    if let colon = host.lastIndex(of: UInt8(ascii: ":")),
      host[colon...].dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      port = host[colon...].dropFirst()
      host = host[..<colon]
    }
    while host.last == UInt8(ascii: ".") { host = host.dropLast() }
    guard !host.isEmpty else { return nil }
    return (
      Substring(bytes[..<end]).lowercased(), Substring(host).lowercased(), String(Substring(port))
    )
  }

  /// Where the first `://` begins and ends.
  private static func separator(_ bytes: String.UTF8View) -> (String.Index, String.Index)? {
    var index = bytes.startIndex
    while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
      index = bytes.index(after: colon)
      if bytes[index...].starts(with: "//".utf8) { return (colon, bytes.index(index, offsetBy: 2)) }
    }
    return nil
  }
}
