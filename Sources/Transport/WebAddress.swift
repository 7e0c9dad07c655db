import Foundation

/// A parsed http or https address: without fragment, name and password, with the host in ASCII.
struct WebAddress: Hashable, Sendable {
  enum Scheme: String, Sendable {
    case http, https

    var defaultPort: Int {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  let scheme: Scheme
  /// Lower case, an IPv6 address without brackets.
  let host: String
  let port: Int
  let text: String

  var origin: Origin { Origin(scheme: scheme.rawValue, host: host, port: port) }

  /// nil unless it is an http or https address.
  init?(_ address: String) {
    let trimmed = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let url = URL(string: trimmed) else { return nil }
    self.init(url)
  }

  private init?(_ url: URL) {
    guard let scheme = url.scheme.flatMap({ Scheme(rawValue: $0.lowercased()) }),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    // A name and a password are used only from addresses in the settings: see `Credential.configured`.
    parts.user = nil
    parts.password = nil
    parts.fragment = nil
    // Parsed again: only then is the host in ASCII.
    guard let text = parts.string, let url = URL(string: text), let host = url.host, !host.isEmpty else {
      return nil
    }
    let port = url.port ?? scheme.defaultPort
    guard (1...65535).contains(port) else { return nil }
    self.scheme = scheme
    self.host = host.lowercased()
    self.port = port
    self.text = text
  }

  /// The target of a `Location` (RFC 9110 section 10.2.2); nil if it may not be followed.
  func redirected(to location: String) -> WebAddress? {
    let location = location.trimmingCharacters(in: .whitespaces)
    guard !location.isEmpty, let base = URL(string: text),
      let url = URL(string: location, relativeTo: base)
    else { return nil }
    return WebAddress(url.absoluteURL)
  }

  /// The value of a `Host` header.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == scheme.defaultPort ? name : "\(name):\(port)"
  }
}
