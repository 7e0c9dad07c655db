import AsyncHTTPClient
import Dispatch
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The clients of a transport and their one thread, created with the first request. Idle connections are
/// closed after two seconds; then there is no timer left.
final class ClientPool: Sendable {
  /// Timeouts that the library fixes when a client is created, so that each value needs its own client.
  struct Timeouts: Hashable, Sendable {
    /// For name resolution, connection and TLS handshake.
    var connecting: Duration
  }

  private struct Key: Hashable {
    var route: ClientRoute
    var timeouts: Timeouts
  }

  private struct State {
    var group: MultiThreadedEventLoopGroup?
    var clients: [Key: HTTPClient] = [:]
    var isShutDown = false

    /// Starts the thread if there is none yet; nil after the shutdown.
    mutating func runningGroup() -> MultiThreadedEventLoopGroup? {
      guard !isShutDown else { return nil }
      let running = group ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
      group = running
      return running
    }
  }

  let extraTrustRoots: [NIOSSLCertificate]
  let exchanges = ExchangeTable()
  private let state = Mutex(State())

  init(extraTrustRoots: [NIOSSLCertificate]) { self.extraTrustRoots = extraTrustRoots }

  deinit {
    let (group, clients) = takeAll()
    // In case `shutdown()` was not called.
    if let group { Task { await Self.close(group, clients) } }
  }

  /// nil after the shutdown.
  func client(_ route: ClientRoute, _ timeouts: Timeouts) -> HTTPClient? {
    state.withLock { state in
      guard let group = state.runningGroup() else { return nil }
      let key = Key(route: route, timeouts: timeouts)
      let client =
        state.clients[key]
        ?? HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration(route, timeouts))
      state.clients[key] = client
      return client
    }
  }

  /// The thread; nil after the shutdown.
  func loop() -> (any EventLoop)? {
    state.withLock { state in state.runningGroup()?.next() }
  }

  /// A client without connections, for one request: the caller shuts it down. nil after the shutdown.
  func freshClient(_ route: ClientRoute, _ timeouts: Timeouts) -> HTTPClient? {
    state.withLock { state in
      state.group.map {
        HTTPClient(
          eventLoopGroupProvider: .shared($0), configuration: configuration(route, timeouts))
      }
    }
  }

  /// Closes all connections and stops the thread. No request may be in flight; later requests are cancelled.
  func shutdown() async {
    let (group, clients) = takeAll()
    if let group { await Self.close(group, clients) }
  }

  private static func close(_ group: MultiThreadedEventLoopGroup, _ clients: [HTTPClient]) async {
    for client in clients { await close(client) }
    await withCheckedContinuation { done in group.shutdownGracefully(queue: ending) { _ in done.resume() } }
  }

  static func close(_ client: HTTPClient) async {
    await withCheckedContinuation { done in client.shutdown(queue: ending) { _ in done.resume() } }
  }

  /// Not Dispatch's pool, which the libraries would take: it would wake up once a second from then on.
  private static let ending = DispatchQueue(label: "reddot.clients")

  private func takeAll() -> (MultiThreadedEventLoopGroup?, [HTTPClient]) {
    state.withLock { state in
      defer { state = State(isShutDown: true) }
      return (state.group, Array(state.clients.values))
    }
  }

  func configuration(_ route: ClientRoute, _ timeouts: Timeouts) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tlsConfiguration, redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(timeouts.connecting)),
      decompression: .disabled)
    configuration.connectionPool.idleTimeout = .seconds(2)
    // The poller decides when to retry; a refused connection should be reported at once.
    configuration.connectionPool.retryConnectionEstablishment = false
    let exchanges = exchanges
    var isForwarded = false
    switch route {
    case .direct: break
    case .tunnel(let proxy):
      switch proxy.kind {
      case .http:
        // AsyncHTTPClient takes the credential without its scheme.
        let token = proxy.authorization?.dropFirst("Basic ".count)
        configuration.proxy = .server(
          host: proxy.host, port: proxy.port, authorization: token.map { .basic(credentials: String($0)) })
      case .socks: configuration.proxy = .socksServer(host: proxy.host, port: proxy.port)
      }
    case .forward: isForwarded = true
    }
    configuration.http1_1ConnectionDebugInitializer = { [isForwarded] in
      RequestHeadHandler.install(on: $0, exchanges, isForwarded: isForwarded)
    }
    configuration.http2StreamChannelDebugInitializer = { RequestHeadHandler.install(onStream: $0, exchanges) }
    return configuration
  }

  /// Trusts the system's roots and `extraTrustRoots`.
  var tlsConfiguration: TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if !extraTrustRoots.isEmpty { tls.additionalTrustRoots = [.certificates(extraTrustRoots)] }
    return tls
  }
}
