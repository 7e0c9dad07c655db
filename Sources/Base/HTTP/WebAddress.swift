import Foundation

/// A parsed http or https URL: without fragment, name and password, with the host in ASCII. It may also be the URL of a
/// server that listens on a Unix socket: `http+unix://%2Frun%2Fserver.sock/path`, whose host is the socket's path.
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
  /// The host in lowercase; an IPv6 address has no brackets.
  let host: String
  let port: Int
  /// The whole URL.
  let text: String
  /// The path of a Unix socket.
  let socket: String?

  static let socketScheme = "http+unix"

  var origin: Origin {
    Origin(scheme: socket == nil ? scheme.rawValue : Self.socketScheme, host: host, port: port)
  }

  /// Returns `nil` unless the address is an http or https URL.
  init?(_ address: String) {
    let trimmed = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let url = URL(string: trimmed) else { return nil }
    self.init(url)
  }

  private init?(_ url: URL) {
    if url.scheme?.lowercased() == Self.socketScheme {
      guard let address = Self.socketAddress(url) else { return nil }
      self = address
      return
    }
    guard let scheme = url.scheme.flatMap({ Scheme(rawValue: $0.lowercased()) }),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    // A name and a password are used only from addresses in the settings: see `Credential.configured`.
    parts.user = nil
    parts.password = nil
    parts.fragment = nil
    // The URL is parsed again, since only then the host is in ASCII.
    guard let text = parts.string, let url = URL(string: text), let host = url.host, !host.isEmpty else {
      return nil
    }
    let port = url.port ?? scheme.defaultPort
    guard (1...65535).contains(port) else { return nil }
    self.init(scheme: scheme, host: host.lowercased(), port: port, text: text, socket: nil)
  }

  /// Parses an `http+unix` URL, or returns `nil` if its host is no absolute path.
  private static func socketAddress(_ url: URL) -> WebAddress? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let path = parts.percentEncodedHost?.removingPercentEncoding, path.hasPrefix("/")
    else { return nil }
    (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
    return parts.string.map {
      WebAddress(scheme: .http, host: path, port: Scheme.http.defaultPort, text: $0, socket: path)
    }
  }

  private init(scheme: Scheme, host: String, port: Int, text: String, socket: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.text = text
    self.socket = socket
  }

  /// The URL to request; for a socket the host is `localhost`.
  var requested: String { socket == nil ? text : "http://localhost" + target }

  /// The path and the query, as in a request line.
  var target: String {
    guard let parts = URLComponents(string: text) else { return "/" }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    return path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
  }

  /// Returns the target of a `Location` (RFC 9110 section 10.2.2), or `nil` if it may not be followed.
  func redirected(to location: String) -> WebAddress? {
    let location = location.trimmingCharacters(in: .whitespaces)
    guard !location.isEmpty, let base = URL(string: text),
      let url = URL(string: location, relativeTo: base)
    else { return nil }
    return WebAddress(url.absoluteURL)
  }

  /// The value of a `Host` header.
  var authority: String {
    if socket != nil { return "localhost" }
    let name = host.contains(":") ? "[\(host)]" : host
    return port == scheme.defaultPort ? name : "\(name):\(port)"
  }
}
