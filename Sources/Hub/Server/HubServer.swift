import Basics
package import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// A hub's server, which responds to requests and does periodic work.
package struct HubServer: Sendable {
  private let store: any HubStoring
  private let options: HubOptions
  private let now: @Sendable () -> Date
  private let random: @Sendable () -> UInt64
  private let log: @Sendable (HubLogLine) -> Void
  /// Reports sentences to the hub's administrator.
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - now: returns the current time; `nil` means the store's.
  ///   - random: returns numbers for the ids of requests.
  ///   - log: called for each request.
  ///   - report: called with a sentence when the store becomes unavailable, and when it is back.
  package init(
    store: any HubStoring, options: HubOptions, now: (@Sendable () -> Date)? = nil,
    random: @escaping @Sendable () -> UInt64,
    log: @escaping @Sendable (HubLogLine) -> Void = { _ in },
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.store, self.options, self.log, self.report) = (store, options, log, report)
    self.random = random
    self.now = now ?? { store.now() }
  }

  /// Serves until SIGTERM or SIGINT, or until its task is cancelled. At the end waiting readers get their empty page,
  /// and running requests have ten seconds.
  ///
  /// - Parameter listening: called with the port once it is open, or with `nil` for a Unix socket.
  package func run(listening: @escaping @Sendable (Int?) -> Void) async throws {
    let watch = FeedWatch(waitingLimit: options.waiting)
    let tokens = TokenCache(store)
    let metrics = HubMetrics()
    store.observe { lastIDs in
      watch.grew(Dictionary(uniqueKeysWithValues: lastIDs.map { (.feed($0), $1) }))
    }
    // Writes from here on are noticed by the next check.
    _ = try await store.advance(now: now())
    watch.replace(try await store.feeds())
    var options = options
    let numbers = try await store.numbers(ofHooks: options.hooks.map(\.name))
    for place in options.hooks.indices {
      if let number = numbers[options.hooks[place].name] { options.hooks[place].number = number }
    }
    let api = HubAPI(
      store: store, options: options, watch: watch, tokens: tokens, rates: RateLimits(options.rates),
      metrics: metrics, now: now, random: random, log: log)
    // The server's own log lines would contain addresses and queries.
    let silence = Logger(label: "reddot-hub") { _ in SwiftLogNoOpLogHandler() }
    let address: BindAddress =
      switch options.place {
      case .port(let host, let port): .hostname(host, port: port)
      case .socket(let path): .unixDomainSocket(path: path)
      }
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: Limits.hubHeadBytes, maxHeaderListSize: Limits.hubHeadBytes,
      maxHeaderFieldCount: 100)
    let plain = HTTPServerBuilder.http1(
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [RequestDecoding(), AnsweredBodies()],
        idleTimeout: .seconds(Int64(Limits.hubIdleSeconds)), httpDecoderConfiguration: decoder))
    let application = Application(
      responder: api,
      server: try options.tls.map { try .tls(plain, tlsConfiguration: try $0.configuration()) } ?? plain,
      configuration: ApplicationConfiguration(
        address: address,
        availableConnectionsDelegate: MaximumAvailableConnections(options.connections, logger: silence)),
      onServerRunning: { [options] channel in
        // A service's umask would keep the proxy out.
        if case .socket(let path) = options.place { chmod(path, mode_t(options.socketMode)) }
        listening(channel.localAddress?.port)
      }, logger: silence)
    // The last service ends first, since waiting readers would delay the server's end.
    var configuration = ServiceGroupConfiguration(
      services: [application, Upkeep(server: self, watch: watch, tokens: tokens, metrics: metrics)],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: silence)
    configuration.maximumGracefulShutdownDuration = .seconds(Limits.hubEndSeconds)
    try await ServiceGroup(configuration: configuration).run()
  }

  /// The work that is done each second: it publishes scheduled items, reads changes by other processes, and
  /// responds to readers whose time is up. Each minute it sweeps the store, in slices.
  private struct Upkeep: Service {
    let server: HubServer
    let watch: FeedWatch
    let tokens: TokenCache
    let metrics: HubMetrics

    func run() async throws {
      await withGracefulShutdownHandler {
        await cancelWhenGracefulShutdown {
          var nextSweep = ContinuousClock.now
          while !Task.isCancelled {
            watch.endOverdue(at: .now)
            await round(&nextSweep)
            // The sleep ends early only at the end.
            try? await Task.sleep(for: .seconds(1))
          }
        }
      } onGracefulShutdown: {
        watch.stop()
      }
      watch.stop()
    }

    /// Does the work that is due each second, and a sweep if its time has come.
    private func round(_ nextSweep: inout ContinuousClock.Instant) async {
      do throws(HubFailure) {
        let now = server.now()
        if try await server.store.advance(now: now) {
          watch.replace(try await server.store.feeds())
          let persons = try await server.store.lastChanges(of: watch.waitingPersons)
          watch.grew(Dictionary(uniqueKeysWithValues: persons.map { (.objects(person: $0), $1) }))
          tokens.forget()
        }
        if ContinuousClock.now >= nextSweep {
          nextSweep = .now + .seconds(60)
          let swept = try await server.store.sweep(now: now)
          metrics.count("swept_total", [("act", "ended")], by: swept.ended)
          metrics.count("swept_total", [("act", "deleted")], by: swept.deleted)
          if swept.hasMore { nextSweep = .now }
        }
        let used = tokens.removeUsed()
        if !used.isEmpty { try await server.store.used(tokens: used, at: now) }
        if watch.isStoreAway { server.report("The store is back.") }
        watch.setStoreAway(false, at: .now)
      } catch {
        // Reading is retried in a second, so one report is enough.
        if !watch.isStoreAway, !Task.isCancelled {
          server.report("The store is away: \(server.store.awayReason ?? error.message).")
        }
        watch.setStoreAway(true, at: .now)
      }
    }
  }
}
