import Foundation

/// The proxy for each request, from the settings or else from the common environment variables: `http_proxy`,
/// `https_proxy`, `all_proxy`, `no_proxy`, also in upper case. Lower case has precedence, as in curl.
///
/// Requests to this machine itself never use a proxy. The description contains no password.
package struct ProxySettings: Hashable, Sendable {
  /// The proxy that a setting or variable specifies.
  private enum Choice: Hashable {
    case none
    case proxy(Proxy)
    case unusable(reason: String)
  }

  private var http = Choice.none
  private var https = Choice.none
  private var exceptions: [ProxyException] = []

  /// Creates settings without a proxy.
  package init() {}

  package init(environment: [String: String]) {
    func choice(_ names: String...) -> Choice {
      for name in names.flatMap({ [$0, $0.uppercased()] }) {
        guard let value = environment[name]?.trimmingCharacters(in: .whitespaces), !value.isEmpty else {
          continue
        }
        do throws(Proxy.Unusable) {
          return .proxy(try Proxy(value))
        } catch {
          return .unusable(reason: "\(name) \(error.reason)")
        }
      }
      return .none
    }
    http = choice("http_proxy", "all_proxy")
    https = choice("https_proxy", "all_proxy")
    let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    exceptions = list.split { $0 == "," || $0.isWhitespace }.map { ProxyException(String($0)) }
  }

  /// - Parameters:
  ///   - proxy: the address of a proxy for all requests. Empty or `none` means no proxy, and `nil` means that of the
  ///     environment.
  ///   - exceptions: the hosts that are requested without a proxy. `nil` means those of the environment.
  package init(proxy: String?, exceptions: [String]?, environment: [String: String]) {
    self.init(environment: environment)
    if let exceptions { self.exceptions = exceptions.map(ProxyException.init) }
    guard let proxy else { return }
    do throws(Proxy.Unusable) {
      http = Self.isNone(proxy) ? .none : .proxy(try Proxy(proxy))
    } catch {
      http = .unusable(reason: "proxy \(error.reason)")
    }
    https = http
  }

  private static func isNone(_ proxy: String) -> Bool { proxy.isEmpty || proxy == "none" }

  /// Returns why a proxy of the settings cannot be used, as a predicate, or `nil` if it can. It never contains the
  /// password.
  package static func problem(of proxy: String) -> String? {
    if isNone(proxy) { return nil }
    do throws(Proxy.Unusable) {
      _ = try Proxy(proxy)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Whether the address of a proxy contains a password.
  package static func hasPassword(_ proxy: String) -> Bool {
    (try? Proxy(proxy))?.login?.password.isEmpty == false
  }

  /// Returns the proxy for an address, or `nil` if requests are sent directly. An unusable proxy is a failure: a direct
  /// request could reveal to the network what the user wants to hide.
  func proxy(for address: WebAddress) throws(RequestFailure) -> Proxy? {
    let choice =
      switch address.scheme {
      case .http: http
      case .https: https
      }
    if ProxyException.isThisMachine(address.host) || exceptions.contains(where: { $0.covers(address) }) {
      return nil
    }
    switch choice {
    case .none: return nil
    case .proxy(let proxy): return proxy
    case .unusable(let reason): throw .proxy(reason: reason)
    }
  }
}

/// A proxy server, with the name and password for it.
struct Proxy: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case http
    /// An HTTP proxy that is reached over TLS.
    case https
    /// SOCKS 5 (RFC 1928); names are resolved by the proxy.
    case socks = "socks5h"
  }

  struct Unusable: Error {
    /// The reason, as the predicate of a sentence whose subject is the variable's name.
    var reason: String
  }

  let kind: Kind
  let host: String
  let port: Int
  let login: UserInfo?

  /// The reason to report if the proxy rejects the name and password, or requires them.
  var refusedLogin: String {
    login == nil
      ? "\(host) asks for a name and a password" : "\(host) does not accept the name and the password"
  }

  /// The address in libcurl's form.
  var address: String { "\(kind.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Parses an address in the form of the variables: `http://user:password@host:port`, `socks5h://host`, `host:port`.
  init(_ text: String) throws(Unusable) {
    let full = text.contains("://") ? text : "http://" + text
    guard let parts = URLComponents(string: full), let host = parts.host, !host.isEmpty,
      let scheme = parts.scheme?.lowercased()
    else { throw Unusable(reason: "is not the address of a proxy") }
    let standardPort: Int
    switch scheme {
    case "http":
      kind = .http
      standardPort = 80
    case "https":
      kind = .https
      standardPort = 443
    case "socks", "socks5", "socks5h":
      kind = .socks
      standardPort = 1080
    default:
      throw Unusable(reason: "asks for a proxy over \(scheme); only http, https and socks5 can be used")
    }
    let port = parts.port ?? standardPort
    guard (1...65535).contains(port) else { throw Unusable(reason: "names a port that does not exist") }
    self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    self.port = port
    login = UserInfo(full)
  }
}

extension Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { address }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
