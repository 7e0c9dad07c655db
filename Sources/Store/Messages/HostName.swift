/// Extracts the host and port of a URL. No other code does this, so that all of it uses the same form.
package enum HostName {
  /// Returns `example.org`, or `example.org:8080` if the port is not the scheme's default. Requests to URLs
  /// with the same name share limits and retry times. A host with another port is another server.
  ///
  /// Returns `nil` for URLs without a host (`file:`), which share no limits. Upper case, user names and a
  /// trailing dot make no difference.
  package static func of(_ address: String) -> String? {
    guard let (scheme, host, port) = parts(address), scheme != "file" else { return nil }
    let isUsual = port.isEmpty || (scheme == "http" && port == "80") || (scheme == "https" && port == "443")
    return isUsual ? host : "\(host):\(port)"
  }

  /// Returns the host without a port.
  package static func withoutPort(_ address: String) -> String? {
    guard let (scheme, host, _) = parts(address), scheme != "file" else { return nil }
    return host
  }

  /// Splits a URL into scheme, host and port. It works on bytes for speed, since a poll needs the host of each link.
  private static func parts(_ address: String) -> (scheme: String, host: String, port: String)? {
    var address = address
    return address.withUTF8 { bytes in
      guard let end = separator(bytes) else { return nil }
      var host = bytes[(end + 3)...].prefix {
        $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
      }
      if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
      var port = host[host.endIndex...]
      if let colon = host.lastIndex(of: UInt8(ascii: ":")),
        host[(colon + 1)...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      {
        port = host[(colon + 1)...]
        host = host[..<colon]
      }
      while host.last == UInt8(ascii: ".") { host = host.dropLast() }
      guard !host.isEmpty else { return nil }
      return (
        String(decoding: bytes[..<end], as: UTF8.self).lowercased(),
        String(decoding: host, as: UTF8.self).lowercased(), String(decoding: port, as: UTF8.self)
      )
    }
  }

  /// Returns the position of the first `://`.
  private static func separator(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    bytes.indices.dropLast(2).first {
      bytes[$0] == UInt8(ascii: ":") && bytes[$0 + 1] == UInt8(ascii: "/")
        && bytes[$0 + 2] == UInt8(ascii: "/")
    }
  }
}
