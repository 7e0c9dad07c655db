import Foundation

/// An http or https address, taken apart: without fragment, name and password, with the host in ASCII.
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

  /// Nil for anything that cannot be asked over HTTP.
  init?(_ address: String) {
    let trimmed = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let url = URL(string: trimmed) else { return nil }
    self.init(url)
  }

  private init?(_ url: URL) {
    guard let scheme = url.scheme.flatMap({ Scheme(rawValue: $0.lowercased()) }),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    // Who may be told a name and a password is known only of addresses that a person has configured.
    parts.user = nil
    parts.password = nil
    parts.fragment = nil
    // Read again, since the host of the first reading is not yet in ASCII.
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

  /// Where a `Location` leads from here (RFC 9110 section 10.2.2); nil where it may not be followed.
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
