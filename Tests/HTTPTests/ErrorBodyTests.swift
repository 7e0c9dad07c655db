import Basics
import Foundation
import HTTP
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ErrorBodyTests {
  private func response(
    _ answer: Answer, _ change: (inout TransportRequest) -> Void = { _ in }
  ) async throws -> TransportResponse {
    let server = try await LoopbackServer.start { _ in answer }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    request.keepsErrorBody = true
    change(&request)
    let sent = request
    return try await withTransport { try await $0.send(sent) }
  }

  @Test(arguments: [400, 401, 403, 404, 409, 410, 422, 429, 500, 503])
  func whatAServerSaysOfAnErrorIsKept(status: Int) async throws {
    let body = #"{"message":"no"}"#
    let response = try await response(.response("\(status) No", ["Retry-After: 9"], body))
    #expect(response.status == status)
    #expect(response.headers["Retry-After"] == "9")
    #expect(String(decoding: response.body, as: UTF8.self) == body)
  }

  @Test func itIsNotReadWhereNobodyWantsIt() async throws {
    // The body would never end.
    let response = try await response(.drip(Array("HTTP/1.1 500 No\r\n\r\nsorry".utf8))) {
      $0.keepsErrorBody = false
    }
    #expect(response.status == 500)
    #expect(response.body.isEmpty)
  }

  @Test(arguments: ContentDecoderTests.bodies)
  func itIsDecompressed(coding: String, bytes: [UInt8]) async throws {
    let response = try await response(.response("422 No", ["Content-Encoding: \(coding)"], body: bytes))
    #expect(String(decoding: response.body, as: UTF8.self) == Compressed.text)
  }

  @Test(arguments: [0, 1, 1000, 200_000])
  func onlyItsBeginningIsKept(more: Int) async throws {
    let body = String(repeating: "x", count: Limits.errorBodyBytes + more)
    for answer in [Answer.response("500 No", [], body), .raw("HTTP/1.1 500 No\r\n\r\n" + body)] {
      let response = try await response(answer)
      #expect(response.status == 500)
      #expect(response.body.count == Limits.errorBodyBytes)
    }
  }

  @Test func theLimitHoldsAfterDecompression() async throws {
    let response = try await response(
      .response("500 No", ["Content-Encoding: gzip, gzip"], body: Compressed.bomb))
    #expect(response.status == 500)
    #expect(response.body.count <= Limits.errorBodyBytes)
  }

  @Test(arguments: [
    ("HTTP/1.1 403 No\r\nContent-Length: 100\r\n\r\nforbid", "forbid"),
    ("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nforbid\r\n9\r\nden", "forbidden"),
    ("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nforbid\r\nzzz\r\n", "forbid"),
    ("HTTP/1.1 403 No\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n\u{1f}", ""),
    ("HTTP/1.1 403 No\r\nContent-Encoding: lzma\r\nContent-Length: 6\r\n\r\nforbid", ""),
  ])
  func aDamagedOneDoesNotHideTheStatus(answer: String, body: String) async throws {
    let response = try await response(.raw(answer))
    #expect(response.status == 403)
    let kept = String(decoding: response.body, as: UTF8.self)
    // Bytes that arrive together with an invalid chunk may be lost.
    #expect(kept == body || answer.contains("zzz") && kept.isEmpty)
  }

  @Test func aSlowOneDoesNotHideTheStatus() async throws {
    let response = try await response(
      .keptOpen(Array("HTTP/1.1 429 No\r\nContent-Length: 100\r\n\r\nlater".utf8))
    ) { $0.requestTimeout = .seconds(1) }
    #expect(response.status == 429)
    #expect(String(decoding: response.body, as: UTF8.self) == "later")
  }

  @Test func aCancelledTaskDoesNotWaitForIt() async throws {
    let server = try await LoopbackServer.start { _ in
      .keptOpen(Array("HTTP/1.1 429 No\r\nContent-Length: 100\r\n\r\nlater".utf8))
    }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    request.keepsErrorBody = true
    let sent = request
    try await withTransport { transport in
      let task = Task { await transport.failure(sent) }
      await server.received(1)
      task.cancel()
      #expect(await task.value == .cancelled)
    }
  }
}
