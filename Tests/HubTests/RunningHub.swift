import Foundation
import HubItems
import HubServer
import HubStore
import StandIns
import Synchronization
import Testing

/// A hub on loopback with the private feed `ops` and the public feed `news`, and tokens for them.
final class RunningHub: Sendable {
  let file: HubFile
  let client: LoopbackClient
  /// May publish to `ops` and `news`; is called "backup".
  let publisher: String
  /// May read `ops`.
  let reader: String
  private let lines: Lines

  /// Request lines of the log.
  var log: [String] { lines.all.withLock { $0 } }

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private init(file: HubFile, client: LoopbackClient, publisher: String, reader: String, lines: Lines) {
    (self.file, self.client, self.publisher, self.reader) = (file, client, publisher, reader)
    self.lines = lines
  }

  /// Serves while `body` runs.
  static func with(
    _ configure: (inout HubOptions) -> Void = { _ in }, _ body: (RunningHub) async throws -> Void
  ) async throws {
    let folder = try HubFolder()
    let file = try HubFile(path: folder.database, serves: true)
    let news = try #require(FeedName("news"))
    try file.add(HubFeed(name: news, title: "News", isPublic: true))
    let publisher = try file.addToken(
      "backup", reads: [], publishes: [HubFolder.ops, news], expires: nil, now: Date())
    let reader = try file.addToken("desk", reads: [HubFolder.ops], publishes: [], expires: nil, now: Date())
    var options = HubOptions(place: .port("127.0.0.1", 0), address: "https://hub.example")
    configure(&options)
    let lines = Lines()
    let server = HubServer(
      store: SQLiteHub(file), options: options,
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
      file: file, client: LoopbackClient(port: try #require(port)), publisher: publisher, reader: reader,
      lines: lines)
    let result: Result<Void, any Error>
    do { result = .success(try await body(hub)) } catch { result = .failure(error) }
    running.cancel()
    _ = await running.result
    try result.get()
    withExtendedLifetime(folder) {}
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
