import Basics
import Foundation

/// One entry of `no_proxy`: `*`, a name with all its subdomains, an address or a range of addresses (`10.0.0.0/8`).
/// Each may have a port.
struct ProxyException: Hashable, Sendable {
  private enum Range: Hashable {
    case everything
    case domain(String)
    case addresses(prefix: [UInt8], bits: Int)
  }

  private let range: Range
  private let port: Int?

  init(_ entry: String) {
    var name = entry.lowercased()
    var port: Int?
    if let colon = name.lastIndex(of: ":"),
      name.firstIndex(of: ":") == colon || name[..<colon].hasSuffix("]"),
      let number = Int(name[name.index(after: colon)...])
    {
      port = number
      name = String(name[..<colon])
    }
    self.port = port
    name = name.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    let parts = name.split(onBytes: "/", maxSplits: 1)
    if name == "*" {
      range = .everything
    } else if let bytes = parts.first.flatMap({ Self.bytes(of: String($0)) }) {
      let length = bytes.count * 8
      let bits = parts.count == 2 ? Int(parts[1]) ?? length : length
      range = .addresses(prefix: bytes, bits: min(max(0, bits), length))
    } else {
      if name.hasPrefix("*") { name.removeFirst() }
      range = .domain(name.trimmingCharacters(in: CharacterSet(charactersIn: ".")))
    }
  }

  /// Whether requests to an address are sent without a proxy.
  func covers(_ address: WebAddress) -> Bool {
    if let port, port != address.port { return false }
    switch range {
    case .everything: return true
    case .domain(let domain):
      return !domain.isEmpty && (address.host == domain || address.host.hasSuffix("." + domain))
    case .addresses(let prefix, let bits):
      guard let bytes = Self.bytes(of: address.host), bytes.count == prefix.count else { return false }
      return (0..<bits).allSatisfy { (bytes[$0 / 8] ^ prefix[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }
  }

  /// Whether the host is `localhost` or a subdomain (RFC 6761 section 6.3), in 127.0.0.0/8, or ::1.
  static func isThisMachine(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    guard let bytes = bytes(of: host) else { return false }
    return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }

  /// Returns the 4 or 16 bytes of an IP address, or `nil` for a name.
  private static func bytes(of host: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var six = in6_addr()
    return inet_pton(AF_INET6, host, &six) == 1 ? withUnsafeBytes(of: six) { Array($0) } : nil
  }
}
