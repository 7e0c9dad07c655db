import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The clients of a transport and the one thread that they share. Nothing of it exists before the first
/// request; connections that nobody uses are closed after two seconds, and then nothing ticks.
final class ClientPool: Sendable {
  /// What clients differ in: the library fixes these when a client is made.
  struct Pace: Hashable, Sendable {
    /// From the name to a connection, its TLS handshake included.
    var connecting: Duration
  }

  private struct Key: Hashable {
    var route: ClientRoute
    var pace: Pace
  }

  private struct State {
    var group: MultiThreadedEventLoopGroup?
    var clients: [Key: HTTPClient] = [:]
    var isShutDown = false
  }

  let extraTrustRoots: [NIOSSLCertificate]
  let book = ExchangeBook()
  private let state = Mutex(State())

  init(extraTrustRoots: [NIOSSLCertificate]) { self.extraTrustRoots = extraTrustRoots }

  deinit {
    let (group, clients) = takeAll()
    // Whoever forgot to shut down gets it done here.
    if let group { Task { await Self.close(group, clients) } }
  }

  /// Nil after the shutdown.
  func client(_ route: ClientRoute, _ pace: Pace) -> (client: HTTPClient, loop: any EventLoop)? {
    state.withLock { state in
      guard !state.isShutDown else { return nil }
      let group = state.group ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
      state.group = group
      let key = Key(route: route, pace: pace)
      let client =
        state.clients[key]
        ?? HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration(route, pace))
      state.clients[key] = client
      return (client, group.next())
    }
  }

  /// A client that has no connections yet, for one request: the caller shuts it down. Nil after the shutdown.
  func freshClient(_ route: ClientRoute, _ pace: Pace) -> HTTPClient? {
    state.withLock { state in
      state.group.map {
        HTTPClient(
          eventLoopGroupProvider: .shared($0), configuration: configuration(route, pace))
      }
    }
  }

  /// Closes all connections and stops the thread. Nothing may be in flight; requests after it are cancelled.
  func shutdown() async {
    let (group, clients) = takeAll()
    if let group { await Self.close(group, clients) }
  }

  private static func close(_ group: MultiThreadedEventLoopGroup, _ clients: [HTTPClient]) async {
    for client in clients { await close(client) }
    await withCheckedContinuation { done in group.shutdownGracefully { _ in done.resume() } }
  }

  static func close(_ client: HTTPClient) async {
    await withCheckedContinuation { done in client.shutdown { _ in done.resume() } }
  }

  private func takeAll() -> (MultiThreadedEventLoopGroup?, [HTTPClient]) {
    state.withLock { state in
      defer { state = State(isShutDown: true) }
      return (state.group, Array(state.clients.values))
    }
  }

  func configuration(_ route: ClientRoute, _ pace: Pace) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tlsConfiguration, redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(pace.connecting)),
      decompression: .disabled)
    configuration.connectionPool.idleTimeout = .seconds(2)
    // The poller knows when to try again; a refused connection should be told at once.
    configuration.connectionPool.retryConnectionEstablishment = false
    let book = book
    var isForwarded = false
    switch route {
    case .direct: break
    case .tunnel(let proxy):
      switch proxy.kind {
      case .http:
        // AsyncHTTPClient takes the credential with its scheme cut off.
        let token = proxy.authorization?.dropFirst("Basic ".count)
        configuration.proxy = .server(
          host: proxy.host, port: proxy.port, authorization: token.map { .basic(credentials: String($0)) })
      case .socks: configuration.proxy = .socksServer(host: proxy.host, port: proxy.port)
      }
    case .forward: isForwarded = true
    }
    configuration.http1_1ConnectionDebugInitializer = { [isForwarded] in
      RequestHeadHandler.install(on: $0, book, isForwarded: isForwarded)
    }
    configuration.http2StreamChannelDebugInitializer = { RequestHeadHandler.install(onStream: $0, book) }
    return configuration
  }

  /// The system's roots, and those that were handed in.
  var tlsConfiguration: TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if !extraTrustRoots.isEmpty { tls.additionalTrustRoots = [.certificates(extraTrustRoots)] }
    return tls
  }
}
