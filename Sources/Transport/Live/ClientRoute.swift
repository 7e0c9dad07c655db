/// How a request reaches its server. Requests with the same route and timeouts share a client and its connections.
enum ClientRoute: Hashable, Sendable {
  case direct
  /// Through an HTTP proxy's `CONNECT`, or a SOCKS proxy.
  case tunnel(Proxy)
  /// Plain HTTP through an HTTP proxy, with the whole address in the request line (RFC 9112 section 3.2.2):
  /// many proxies allow `CONNECT` to port 443 only.
  case forward(Proxy)

  init(to address: WebAddress, through proxy: Proxy?) {
    guard let proxy else {
      self = .direct
      return
    }
    self = proxy.kind == .http && address.scheme == .http ? .forward(proxy) : .tunnel(proxy)
  }

  var proxy: Proxy? {
    switch self {
    case .direct: nil
    case .tunnel(let proxy), .forward(let proxy): proxy
    }
  }

  /// The host and port to connect to.
  func peer(of address: WebAddress) -> (host: String, port: Int) {
    switch self {
    case .direct: (address.host, address.port)
    case .tunnel(let proxy), .forward(let proxy): (proxy.host, proxy.port)
    }
  }
}
