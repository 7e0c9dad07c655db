import Foundation
import Hub
import StandIns
import Synchronization
import Testing

/// A hub on loopback with the private feed `ops` and the public feed `news`, and tokens for them.
final class RunningHub: Sendable {
  let premises: HubPremises
  let client: LoopbackClient
  /// May publish to `ops` and `news`; is called "backup".
  let publisher: String
  /// May read `ops`.
  let reader: String
  private let lines: Lines

  /// The request lines of the log.
  var log: [String] { lines.all.withLock { $0 } }

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private init(premises: HubPremises, client: LoopbackClient, publisher: String, reader: String, lines: Lines)
  {
    (self.premises, self.client, self.publisher, self.reader) = (premises, client, publisher, reader)
    self.lines = lines
  }

  /// Runs a hub while `body` runs.
  ///
  /// - Parameters:
  ///   - premises: the store; `nil` for a separate file.
  ///   - given: the served store; `nil` for that of the premises.
  static func with(
    _ premises: HubPremises? = nil, serving given: (any HubStoring)? = nil,
    _ configure: (inout HubOptions) -> Void = { _ in }, _ body: (RunningHub) async throws -> Void
  ) async throws {
    let premises = try premises ?? HubPremises(.file)
    let store = try premises.open(serves: true)
    let (publisher, reader) = try tokens(store)
    var options = HubOptions(place: .port("127.0.0.1", 0), address: "https://hub.example")
    configure(&options)
    let lines = Lines()
    let server = HubServer(
      store: try given ?? store.hub(), options: options, random: { .random(in: .min ... .max) },
      log: { line in lines.all.withLock { $0.append(line.text + "\n" + line.json) } })
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    let running = Task {
      defer { found.finish() }
      try await server.run { port in if let port { found.yield(port) } }
    }
    var port: Int?
    for await found in ports {
      port = found
      break
    }
    let hub = RunningHub(
      premises: premises, client: LoopbackClient(port: try #require(port)), publisher: publisher,
      reader: reader,
      lines: lines)
    let result: Result<Void, any Error>
    do { result = .success(try await body(hub)) } catch { result = .failure(error) }
    running.cancel()
    _ = await running.result
    try result.get()
    withExtendedLifetime(store) {}
  }

  /// Creates the tokens; each hub of a database has separate ones.
  private static func tokens(_ store: any HubAdministering) throws -> (publisher: String, reader: String) {
    let news = try #require(FeedName("news"))
    if try !store.feeds().contains(where: { $0.name == news }) {
      try store.add(HubFeed(name: news, title: "News", isPublic: true))
    }
    let number = try store.tokens().count
    let suffix = number == 0 ? "" : "\(number)"
    return (
      try store.addToken(
        "backup\(suffix)", reads: [], publishes: [HubPremises.ops, news], expires: nil, now: Date()),
      try store.addToken("desk\(suffix)", reads: [HubPremises.ops], publishes: [], expires: nil, now: Date())
    )
  }

  func read(_ query: String = "", _ fields: String...) async throws -> LoopbackClient.Answer {
    try await client.answer("GET", "/v1/feeds/ops\(query)", ["Authorization: Bearer \(reader)"] + fields)
  }

  func publish(
    _ json: String, to feed: String = "ops", _ fields: String...
  ) async throws -> LoopbackClient.Answer {
    try await client.answer(
      "POST", "/v1/feeds/\(feed)",
      ["Authorization: Bearer \(publisher)", "Content-Type: application/json"] + fields, body: json)
  }
}
