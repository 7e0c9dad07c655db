import Basics
import Foundation
import TestBasics
import Testing

@testable import HTTP

/// HTTP that is slightly wrong, and transfers that end wrongly.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct LenientTests {
  private func send(
    _ answer: Answer, _ change: (inout TransportRequest) -> Void = { _ in }
  ) async throws -> Result<TransportResponse, RequestFailure> {
    let server = try await LoopbackServer.start { _ in answer }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    change(&request)
    let sent = request
    return try await withTransport { transport in
      do throws(RequestFailure) { return .success(try await transport.send(sent)) } catch {
        return .failure(error)
      }
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\nContent-Length: 2\nX-Last: 1\n\nok",
    "HTTP/1.1 200\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok",
    "HTTP/1.1 200 \r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok",
    "HTTP/1.1 200  OK\r\nContent-Length:2\r\nX-Last:1\r\n\r\nok",
    "http/1.1 200 OK\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok",
    "HTTP/1.0 200 OK\r\nX-Last: 1\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nX-Folded: one,\r\n two\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nContent-Length : 2\r\nX-Last : 1\r\n\r\nok",
    "HTTP/1.1 200 OK\r\ncONTENT-lENGTH: 2\r\nx-lAST: 1\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Last: 1\r\n\r\n2;name=value\r\nok\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nX-Last: 1\r\n\r\n0002  \r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Last: 1\r\n\r\n2\nok\n0\n\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\nX-Last: 1\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok and more than was announced",
  ])
  func whatIsSlightlyWrongIsRead(answer: String) async throws {
    let response = try await send(.raw(answer)).get()
    #expect(response.status == 200)
    #expect(response.headers["X-Last"] == "1")
    #expect(String(decoding: response.body, as: UTF8.self) == "ok")
    if answer.contains("Folded") { #expect(response.headers["X-Folded"] == "one, two") }
  }

  /// libcurl 7 accepts it, libcurl 8.5 (Ubuntu 24.04) refuses it; RFC 9112 section 4 requires one space.
  @Test func twoSpacesBeforeTheStatusAreReadOrNamed() async throws {
    let result = try await send(.raw("HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok"))
    switch result {
    case .success(let response): #expect(response.status == 200 && response.body == Data("ok".utf8))
    case .failure(let failure): #expect(failure == .malformed(reason: "the response is not HTTP"))
    }
  }

  @Test(arguments: [
    "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok", "ICY 200 OK\r\n\r\nok",
  ])
  func whatIsTooWrongIsNamed(answer: String) async throws {
    #expect(try await send(.raw(answer)).failure == .malformed(reason: "the response is not HTTP"))
  }

  @Test func informationalAnswersWithoutEndAreTooLarge() async throws {
    let one = "HTTP/1.1 103 Early Hints\r\nLink: </\(String(repeating: "x", count: 1000))>\r\n\r\n"
    let answer = String(repeating: one, count: Limits.headerBytes / one.utf8.count + 1)
    #expect(
      try await send(.raw(answer + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")).failure
        == .malformed(reason: "the header is too large"))
  }

  // MARK: Broken ends

  private static let broken: [(Answer, RequestFailure)] = {
    var wrong = Compressed.gzip
    wrong[wrong.count - 6] ^= 0x55
    let text = Array(Compressed.text.utf8)
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(text.count + 9)\r\n\r\n"
    let size = String(text.count, radix: 16)
    let chunk = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n".utf8) + text
    let cut = RequestFailure.cutOff(received: text.count)
    return [
      (.bytes(Array(head.utf8) + text), cut), (.reset(Array(head.utf8) + text), cut),
      (.bytes(chunk + Array("\r\n".utf8)), cut), (.bytes(chunk + Array("\r\n0\r\n".utf8)), cut),
      (.response("200 OK", ["Content-Encoding: gzip"], body: wrong), .cutOff(received: wrong.count)),
    ]
  }()

  @Test(arguments: 0..<5)
  func aBodyWithAWrongEndIsHandedOverWhereThatIsWanted(index: Int) async throws {
    let (answer, failure) = Self.broken[index]
    let response = try await send(answer) { $0.acceptsBrokenEnd = true }.get()
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == Compressed.text)
    #expect(response.end == .broken(failure))
    #expect(try await send(answer).failure == failure)
  }

  @Test func aWrongChunkEndsABodyThatWasBegun() async throws {
    let answer = Answer.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n")
    let response = try await send(answer) { $0.acceptsBrokenEnd = true }.get()
    #expect(response.end == .broken(.malformed(reason: "the response is not HTTP")))
  }

  @Test func aWholeBodyHasACompleteEnd() async throws {
    let response = try await send(.response("200 OK", [], "ok")) { $0.acceptsBrokenEnd = true }.get()
    #expect(response.end == .complete)
  }
}
