package import Foundation

/// The server of `reddot demo`: native feeds and an Atom feed on loopback, with a fixed sequence of responses.
package struct DemoServer: Sendable {
  private let team: DemoFeed
  private let builds: DemoFeed
  private let blog: DemoFeed
  private let app: DemoFeed
  private let services: DemoServices

  /// The strings of the demo's app by language, for its payloads.
  package static var strings: [String: String] { DemoCampaign.strings }

  /// - Parameter timer: waits before slow responses.
  package init(now: @escaping @Sendable () -> Date, timer: any Clock<Duration>) {
    func feed(_ name: String, _ title: String, _ steps: [DemoStep]) -> DemoFeed {
      DemoFeed(name: name, title: title, steps: steps, now: now, timer: timer)
    }
    team = feed("team", "Team news", DemoScript.team)
    builds = feed("builds", "Build server", DemoScript.builds)
    blog = feed("blog", "The terminal blog", DemoScript.blog)
    app = feed("app", "The app", DemoCampaign.steps)
    services = DemoServices(now: now)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onReady: called with the port once the server listens.
  /// - Throws: ``POSIXError`` if it can't listen, or can no longer accept connections.
  package func run(onReady: @escaping @Sendable (Int) async -> Void) async throws {
    let server = try LoopbackServer()
    await onReady(server.port)
    let address = server.address
    try await server.run { await answer($0, address) }
  }

  /// - Parameter server: this server's URL, which some responses contain.
  private func answer(_ request: HTTPRequest, _ server: String) async -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/team"): await page(of: team, request, server)
    case ("GET", "/builds"): await page(of: builds, request, server)
    case ("GET", "/app"): await page(of: app, request, server)
    case ("GET", "/blog.atom"): await blog.atomDocument(ifNoneMatch: request["if-none-match"])
    case ("GET", "/poster.png"): HTTPResponse(DemoPicture.festival, type: "image/png")
    case ("GET", let path) where path.hasPrefix("/banners/"):
      DemoBanners.file(String(path.dropFirst("/banners/".count)), server: server)
        .map { HTTPResponse($0.text, type: $0.type) } ?? HTTPResponse(404)
    case _: await services.answer(request) ?? HTTPResponse(404)
    }
  }

  private func page(of feed: DemoFeed, _ request: HTTPRequest, _ server: String) async -> HTTPResponse {
    await feed.nativePage(
      sinceID: request.query["since_id"].flatMap { Int($0) } ?? 0,
      limit: request.query["limit"].flatMap { Int($0) } ?? 100, server: server)
  }
}
