import Foundation
import NIOCore
import TestBasics
import Testing

@testable import HTTP

/// Each kind of broken server or network causes its own failure.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct LiveTransportFailureTests {
  private func failure(
    _ answer: Answer, _ change: (inout TransportRequest) -> Void = { _ in }
  ) async throws -> RequestFailure? {
    let server = try await LoopbackServer.start { _ in answer }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    change(&request)
    let sent = request
    return try await withTransport { await $0.failure(sent) }
  }

  @Test func aNameThatDoesNotExistIsNamed() async throws {
    let failure = try await withTransport { await $0.failure("http://no-such-host.invalid/feed") }
    #expect(failure == .nameNotFound(host: "no-such-host.invalid"))
  }

  @Test func aPortWithoutAServerRefuses() async throws {
    let server = try await LoopbackServer.start { _ in .nothing }
    server.stop()
    try await withTransport { transport in
      // Closing takes a moment.
      var failure = await transport.failure(server.url("/"))
      while failure == .cutOff(received: 0), !Task.isCancelled {
        failure = await transport.failure(server.url("/"))
      }
      #expect(failure == .refused(host: "127.0.0.1", port: server.port))
      let named = await transport.failure(server.url("/", host: "localhost"))
      #expect(named == .refused(host: "localhost", port: server.port))
    }
  }

  @Test(arguments: [
    "", "feed", "ftp://h/", "file:///etc/passwd", "http://", "http:///x", "http://h:0/", "http://h:65536/",
    "http://a b/",
    "//h/x", "http://h\u{0}/",
  ])
  func otherAddressesThanWebAddressesAreNotRequested(address: String) async throws {
    #expect(try await withTransport { await $0.failure(address) } == .invalidAddress(address))
  }

  @Test func anAddressWithAPasswordIsNotShown() async throws {
    let failure = try await withTransport { await $0.failure("ftp://me:secret@h/") }
    #expect(failure == .invalidAddress("an address with a name or a password"))
  }

  @Test func aCredentialWithALineEndIsRefused() async throws {
    let failure = try await failure(.response()) {
      $0.credential = .configured(token: "a\nb", address: $0.url)
    }
    #expect(failure == .unusableCredential)
  }

  @Test func aServerThatClosesAtOnceCutsOff() async throws {
    #expect(try await failure(.nothing) == .cutOff(received: 0))
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789", 10),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", 5),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabcde", 5),
    ("HTTP/1.1 200 OK\r\nContent-Le", 0),
  ])
  func aBodyThatEndsEarlyIsCutOff(answer: String, received: Int) async throws {
    #expect(try await failure(.raw(answer)) == .cutOff(received: received))
  }

  @Test(arguments: ContentDecoderTests.bodies)
  func compressedBytesThatEndEarlyAreCutOff(coding: String, bytes: [UInt8]) async throws {
    let half = Array(bytes.prefix(bytes.count / 2))
    let failure = try await failure(.response("200 OK", ["Content-Encoding: \(coding)"], body: half))
    #expect(failure == .cutOff(received: half.count))
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "<html>hello</html>\r\n\r\n", "\u{1}\u{2}\u{3}\r\n\r\n"])
  func whatIsNotHTTPIsSaidToBe(answer: String) async throws {
    #expect(try await failure(.raw(answer)) == .malformed(reason: "the response is not HTTP"))
  }

  @Test func damagedOrUnknownCompressionIsMalformed() async throws {
    var damaged = Compressed.gzip
    damaged[damaged.count / 2] ^= 0x55
    let broken = try await failure(.response("200 OK", ["Content-Encoding: gzip"], body: damaged))
    #expect(broken == .malformed(reason: "its compression is damaged"))
    let unknown = try await failure(.response("200 OK", ["Content-Encoding: lzma"], "xx"))
    #expect(unknown == .malformed(reason: "it is compressed as lzma, which the request did not accept"))
    let many = try await failure(
      .response("200 OK", ["Content-Encoding: gzip, gzip", "Content-Encoding: gzip"], body: Compressed.bomb))
    #expect(many == .malformed(reason: "it is compressed 3 times; 2 are allowed"))
    let bomb = try await failure(.response("200 OK", ["Content-Encoding: zstd"], body: Compressed.zstdBomb))
    #expect(bomb == .malformed(reason: "it decompresses to more than 128 times its size"))
  }

  @Test func aBodyOverTheLimitIsRefusedInAnyForm() async throws {
    let body = String(repeating: "x", count: 5000)
    let announced = Answer.response("200 OK", [], body)
    let unannounced = Answer.raw("HTTP/1.1 200 OK\r\n\r\n" + body)
    for answer in [announced, unannounced] {
      #expect(try await failure(answer) { $0.responseLimit = 4999 } == .tooLarge(limit: 4999))
      #expect(try await failure(answer) { $0.responseLimit = 5000 } == nil)
    }
  }

  @Test func aGzipBombCostsNoMoreThanTheLimit() async throws {
    let bomb = Answer.response("200 OK", ["Content-Encoding: gzip, gzip"], body: Compressed.bomb)
    #expect(try await failure(bomb) { $0.responseLimit = 1 << 20 } == .tooLarge(limit: 1 << 20))
    #expect(try await failure(bomb) { $0.responseLimit = 4 << 20 } == nil)
  }

  @Test func aSilentServerHasTheWholeRequestTimeoutAndNoMore() async throws {
    let failure = try await failure(.hang) {
      $0.connectTimeout = .seconds(15)
      $0.requestTimeout = .milliseconds(200)
    }
    #expect(failure == .timedOut(.waiting, seconds: 0.2))
  }

  /// A hundredth of the two minutes: only the request's own timeout may end it.
  @Test func twoMinutesOfSilenceAreNotTooLongWhereTheSettingsAllowThem() async throws {
    let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    #expect(try await failure(.late(.milliseconds(1200), whole)) == nil)
  }

  @Test func aServerThatStopsInTheMiddleHasTheSameTime() async throws {
    let failure = try await failure(.keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab".utf8))) {
      $0.requestTimeout = .seconds(1)
    }
    // On a busy machine the second may pass before the first byte.
    let stages: [RequestFailure.Stage] = [.reading, .waiting]
    #expect(stages.map { .timedOut($0, seconds: 1) }.contains(failure))
  }

  @Test func aSlowDripEndsWithTheRequestsTime() async throws {
    let failure = try await failure(.drip(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))) {
      $0.requestTimeout = .seconds(1)
    }
    // On a busy machine the second may pass before the first byte.
    let stages: [RequestFailure.Stage] = [.reading, .waiting]
    #expect(stages.map { .timedOut($0, seconds: 1) }.contains(failure))
  }

  @Test func aHeaderWithoutEndEndsToo() async throws {
    let failure = try await failure(.drip(Array("HTTP/1.1 200 OK\r\nX-Long: ".utf8))) {
      $0.requestTimeout = .seconds(1)
    }
    #expect(failure == .timedOut(.waiting, seconds: 1))
  }

  @Test func aServerThatNeverShakesHandsTimesOutThere() async throws {
    let server = try await LoopbackServer.start { _ in .hang }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/", scheme: "https"))
    request.connectTimeout = .milliseconds(200)
    let sent = request
    let failure = try await withTransport { await $0.failure(sent) }
    #expect(failure == .timedOut(.handshake, seconds: 0.2))
  }

  @Test func aServerWithAFullQueueTimesOutConnecting() async throws {
    let full = try FullQueue()
    defer { full.close() }
    for scheme in ["http", "https"] {
      var request = TransportRequest(url: "\(scheme)://127.0.0.1:\(full.port)/")
      request.connectTimeout = .milliseconds(200)
      let sent = request
      let failure = try await withTransport { await $0.failure(sent) }
      #expect(failure == .timedOut(.connecting, seconds: 0.2))
    }
  }

  @Test func aCancelledTaskEndsAtOnce() async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/hang"
        ? .hang : .keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab".utf8))
    }
    defer { server.stop() }
    try await withTransport { transport in
      for (path, count) in [("/hang", 1), ("/half", 2)] {
        let task = Task { await transport.failure(server.url(path)) }
        await server.received(count)
        task.cancel()
        #expect(await task.value == .cancelled)
      }
    }
  }
}
