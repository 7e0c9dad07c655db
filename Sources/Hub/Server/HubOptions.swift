import Basics
import Foundation

/// The options of a hub (page "Hub").
package struct HubOptions: Sendable {
  /// The address on which the hub listens.
  package enum Place: Hashable, Sendable {
    /// A host and a port; port 0 is any free one.
    case port(String, Int)
    /// The path of a Unix socket.
    case socket(String)
  }

  /// The requests per minute, for each token, or for each address without a token; twice as many are allowed at the
  /// same time.
  package struct Rates: Hashable, Sendable {
    package var publish = Limits.hubPublishPerMinute
    package var read = Limits.hubReadPerMinute
    package var failedTokens = Limits.hubFailedTokensPerMinute

    package init() {}
  }

  package var place: Place
  /// The mode of the Unix socket, as for `chmod`. The modes of its folders also apply.
  package var socketMode: UInt32 = 0o666
  /// Whether requests come through a proxy. Then none is known to be from this machine, whatever the proxy reports.
  package var isBehindProxy = false
  /// The base URL for readers, in front of `/v1`, without a slash at its end.
  package var address: String
  /// The proxies that are trusted to report the client, in X-Forwarded-For.
  package var trustedProxies: [AddressRange] = []
  package var rates = Rates()
  /// The maximum number of readers for whom an empty page is held; further ones get it immediately.
  package var waiting = Limits.hubWaiting
  /// The maximum number of concurrent connections; further ones must wait until one is closed.
  package var connections = Limits.hubWaiting + Limits.hubConnections
  package var hooks: [Hook] = []
  /// The certificate files, or `nil` without TLS.
  package var tls: HubTLSFiles?
  /// The program's version, which the hub's start page shows.
  package var version = "unknown"

  package init(place: Place, address: String) {
    self.place = place
    self.address = address
  }
}

/// A network address, or a range of them: `10.0.0.0/8`, `::1` (RFC 4632).
package struct AddressRange: Hashable, Sendable {
  private let bytes: [UInt8]
  private let bits: Int

  /// Returns `nil` for text that is neither.
  package init?(_ text: String) {
    let parts = text.split(onBytes: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let bytes = Self.bytes(of: String(first)) else { return nil }
    self.bytes = bytes
    if parts.count == 2 {
      guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return nil }
      self.bits = bits
    } else {
      bits = bytes.count * 8
    }
  }

  func contains(_ address: String) -> Bool {
    guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
    let whole = bits / 8
    guard bytes[..<whole] == other[..<whole] else { return false }
    let rest = bits % 8
    return rest == 0 || (bytes[whole] ^ other[whole]) >> UInt8(8 - rest) == 0
  }

  /// Returns 4 or 16 bytes, in network order.
  private static func bytes(of address: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
    var sixteen = in6_addr()
    guard inet_pton(AF_INET6, address, &sixteen) == 1 else { return nil }
    return withUnsafeBytes(of: &sixteen) { Array($0) }
  }

  /// Returns the client of a request.
  ///
  /// - Parameters:
  ///   - peer: the other end of the connection, or `nil` for a Unix socket, which only a proxy of this machine opens.
  ///   - forwarded: X-Forwarded-For, to which each proxy adds its own client.
  static func client(peer: String?, forwarded: String?, trusted: [AddressRange]) -> String? {
    func isTrusted(_ address: String) -> Bool { trusted.contains { $0.contains(address) } }
    guard peer.map(isTrusted) ?? true, let forwarded else { return peer }
    var client = peer
    for part in forwarded.split(onBytes: ",").reversed() {
      let address = part.trimmingCharacters(in: .whitespaces)
      guard bytes(of: address) != nil else { break }
      client = address
      if !isTrusted(address) { break }
    }
    return client
  }
}
