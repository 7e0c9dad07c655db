import Foundation
import HTTP
import Messages
import Synchronization
import Testing

@testable import Services

/// The secrets in a source's requests to its own server, and to others.
@Suite struct RequestTrustTests {
  private final class Web: HTTPTransport {
    private let requests = Mutex<[TransportRequest]>([])
    var sent: [TransportRequest] { requests.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
      requests.withLock { $0.append(request) }
      throw .cancelled
    }
  }

  private func source(_ address: String) -> Source {
    var source = Source(id: SourceID(1), name: "team", kind: .feed, address: address)
    source.settings.options.caFile = "/ca.pem"
    source.settings.options.clientCertificate = "/c.pem"
    source.settings.options.clientKey = "/c.key"
    source.settings.verifiesCertificates = false
    return source
  }

  private func request(
    _ source: Source, movedTo address: String? = nil
  ) async throws -> TransportRequest {
    let web = Web()
    let position = PollPosition(movedTo: address, movedCount: address == nil ? 0 : 3)
    _ = await Fetcher(transport: web).fetch(
      source, position: position, accept: "*/*", context: PollContext(now: Date(timeIntervalSince1970: 0)))
    return try #require(web.sent.first)
  }

  @Test func theSourcesOwnServerGetsAllOfIt() async throws {
    for moved in [nil, "https://team.example/new"] {
      let trust = try await request(source("https://team.example/feed"), movedTo: moved).trust
      #expect(trust.authorities == "/ca.pem" && trust.certificate == "/c.pem" && trust.key == "/c.key")
      #expect(!trust.verifies)
    }
  }

  @Test func aServerToWhichItMovedForGoodIsTrustedByTheAuthoritiesAlone() async throws {
    let own = source("https://team.example/feed")
    let other = "https://other.example/feed"
    let requests = [try await request(own, movedTo: other), try await request(own.moved(to: other))]
    for trust in requests.map(\.trust) {
      #expect(trust.authorities == "/ca.pem" && trust.certificate == nil && trust.key == nil)
      #expect(trust.verifies)
    }
  }

  @Test func onlyTheSourcesOwnAddressMayBeASocket() async throws {
    let socket = "http+unix://%2Frun%2Fserver.sock/feed"
    #expect(try await request(source(socket)).allowsSocket)
    #expect(try await !request(source("https://team.example/feed"), movedTo: socket).allowsSocket)
    #expect(
      try await !request(source(socket), movedTo: "http+unix://%2Frun%2Fother.sock/feed").allowsSocket)
  }
}
