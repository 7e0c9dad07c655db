package import Foundation
import Hummingbird
import Logging

/// The server behind `reddot demo`: two native feeds and an Atom feed on loopback, telling a short story.
package struct DemoServer: Sendable {
  private let now: @Sendable () -> Date

  package init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onReady: told the port once the server listens.
  package func run(onReady: @escaping @Sendable (Int) async -> Void) async throws {
    let team = DemoFeed(name: "team", title: "Team news", steps: DemoScript.team, now: now)
    let builds = DemoFeed(name: "builds", title: "Build server", steps: DemoScript.builds, now: now)
    let blog = DemoFeed(name: "blog", title: "The terminal blog", steps: DemoScript.blog, now: now)
    let router = Router()
    for feed in [team, builds] {
      router.get("/\(feed.name)") { request, _ in
        let query = request.uri.queryParameters
        return try await feed.nativePage(
          sinceID: query["since_id"].flatMap { Int($0) } ?? 0,
          limit: query["limit"].flatMap { Int($0) } ?? 100)
      }
    }
    router.get("/blog.atom") { request, _ in
      try await blog.atomDocument(ifNoneMatch: request.headers[.ifNoneMatch])
    }
    var logger = Logger(label: "reddot.demo") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "reddot-demo"),
      onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) },
      logger: logger)
    try await application.run()
  }
}
