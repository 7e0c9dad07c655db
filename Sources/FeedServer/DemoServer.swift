package import Foundation
import Hummingbird
import Logging

/// The server of `reddot demo`: native feeds and an Atom feed on loopback, with a fixed sequence of responses.
package struct DemoServer: Sendable {
  private let now: @Sendable () -> Date

  /// The strings of the demo's app by language, for its payloads.
  package static var strings: [String: String] { DemoCampaign.strings }

  package init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onReady: called with the port once the server listens.
  package func run(onReady: @escaping @Sendable (Int) async -> Void) async throws {
    let team = DemoFeed(name: "team", title: "Team news", steps: DemoScript.team, now: now)
    let builds = DemoFeed(name: "builds", title: "Build server", steps: DemoScript.builds, now: now)
    let blog = DemoFeed(name: "blog", title: "The terminal blog", steps: DemoScript.blog, now: now)
    let app = DemoFeed(name: "app", title: "The app", steps: DemoCampaign.steps, now: now)
    let router = Router()
    for feed in [team, builds, app] {
      router.get("/\(feed.name)") { request, _ in
        let query = request.uri.queryParameters
        return try await feed.nativePage(
          sinceID: query["since_id"].flatMap { Int($0) } ?? 0,
          limit: query["limit"].flatMap { Int($0) } ?? 100,
          server: "http://" + (request.head.authority ?? "127.0.0.1"))
      }
    }
    router.get("/blog.atom") { request, _ in
      try await blog.atomDocument(ifNoneMatch: request.headers[.ifNoneMatch])
    }
    router.get("/poster.png") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "image/png"],
        body: .init(byteBuffer: ByteBuffer(bytes: DemoPicture.festival)))
    }
    router.get("/banners/:file") { request, context in
      let server = "http://" + (request.head.authority ?? "127.0.0.1")
      guard let file = DemoBanners.file(context.parameters.get("file") ?? "", server: server) else {
        return Response(status: .notFound)
      }
      return Response(
        status: .ok, headers: [.contentType: file.type],
        body: .init(byteBuffer: ByteBuffer(string: file.text)))
    }
    DemoServices(now: now).add(to: router)
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
