import Basics
import Foundation
import TestBasics
import Testing

@testable import Session

/// The demo's server, as programs on this machine meet it.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct DemoServerTests {
  /// Runs the server, and the closure with its clients on a separate thread, since clients block.
  private func serve<Value: Sendable>(_ clients: @escaping @Sendable (_ port: Int) throws -> Value)
    async throws
    -> Value
  {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let server = DemoServer(now: { Date(timeIntervalSince1970: 1_795_000_000) }, timer: StoppedClock())
    let serving = Task { try await server.run { continuation.yield($0) } }
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())
    let result = await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: Result { try clients(port) }) }
    }
    serving.cancel()
    try await serving.value
    #expect(throws: Client.Failed(code: ECONNREFUSED)) { try Client(port) }
    return try result.get()
  }

  @Test func severalRequestsOfOneConnectionAreAnswered() async throws {
    try await serve { port in
      let client = try Client(port)
      let page = try client.get("/team?since_id=0&limit=2")
      #expect(page.status == 200)
      #expect(page.head.contains("Content-Type: application/json; charset=utf-8"))
      #expect(page.body.contains(#""has_more":true"#))
      let rest = try client.get("/team?since_id=2")
      #expect(rest.body.contains("Release 4.2 is out"))
      #expect(try client.get("/banners/control.json").body.contains("http://127.0.0.1:\(port)/banners/"))
      #expect(try client.get("/banners/none").status == 404)
      #expect(try client.get("/").status == 404)
      // Two that are sent at once.
      try client.send("GET /poster HTTP/1.1\r\n\r\nGET /team HTTP/1.1\r\n\r\n")
      #expect(try client.answer().status == 404)
      #expect(try client.answer().status == 200)
      let last = try client.get("/app", "Connection: close")
      #expect(last.status == 200)
      #expect(client.waitForClose())
    }
  }

  @Test func theBlogIsNotSentAgainWhileItIsTheSame() async throws {
    try await serve { port in
      let client = try Client(port)
      let blog = try client.get("/blog.atom")
      #expect(blog.head.contains("Content-Type: application/atom+xml; charset=utf-8"))
      #expect(blog.head.contains(#"ETag: "demo-2""#))
      let same = try client.get("/blog.atom", #"If-None-Match: "demo-2""#)
      #expect(same.status == 304)
      #expect(same.head.contains(#"ETag: "demo-2""#))
      // It has no body that the client would take for the next response.
      let held = try client.get("/blog.atom")
      #expect(held.status == 429)
      #expect(held.head.contains("Retry-After: 15"))
    }
  }

  @Test func actsArePassedToTheServices() async throws {
    try await serve { port in
      let client = try Client(port)
      #expect(try client.get("/hub/api/v3/notifications").body.contains("Colours are lost over mosh"))
      try client.send("PATCH /hub/api/v3/notifications/threads/101 HTTP/1.1\r\n\r\n")
      #expect(try client.answer().status == 205)
      try client.send("DELETE /hub/api/v3/notifications/threads/102 HTTP/1.1\r\n\r\n")
      #expect(try client.answer().status == 204)
      // A body is dropped; it comes in two parts.
      try client.send(
        "PUT /hub/api/v3/notifications/threads/103/subscription HTTP/1.1\r\nContent-Length: 4\r\n\r\n{")
      try client.send("  }")
      #expect(try client.answer().body == "{}")
      let left = try client.get("/hub/api/v3/notifications").body
      #expect(
        !left.contains("Colours are lost") && !left.contains("Snooze") && left.contains("What should A do"))
      let alerts = try client.get("/push/alerts/json?since=1794999600").body
      #expect(alerts.split(separator: "\n").count == 1)
      for request in ["PUT /push/alerts/backup000001/clear", "DELETE /push/alerts/backup000001"] {
        try client.send("\(request) HTTP/1.1\r\n\r\n")
        #expect(try client.answer().body == "{}")
      }
    }
  }

  @Test(arguments: [
    ("\0\u{1}\u{2}\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\n\r\n", 505), ("GET /  HTTP/1.1\r\n\r\n", 400), ("\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n", 413),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
  ])
  func whatIsNotARequestIsRefusedAndTheConnectionClosed(_ text: String, status: Int) async throws {
    try await expectRefusal(of: text, status: status)
  }

  @Test func aHeadWithoutAnEndIsRefused() async throws {
    try await expectRefusal(
      of: "GET /team HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 11_000), status: 431)
  }

  private func expectRefusal(of text: String, status: Int) async throws {
    try await serve { port in
      let client = try Client(port)
      try client.send(text)
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect(answer.head.contains("Connection: close"))
      #expect(client.waitForClose())
      #expect(try Client(port).get("/team").status == 200)
    }
  }

  @Test func nobodyWaitsForAnother() async throws {
    try await serve { port in
      let halfway = try Client(port)
      try halfway.send("GET /team HT")
      // The second response of the build server is slow: on this clock it never comes.
      let waiting = try Client(port)
      #expect(try waiting.get("/builds").status == 200)
      try waiting.send("GET /builds HTTP/1.1\r\n\r\n")
      #expect(try Client(port).get("/blog.atom").status == 200)
      try halfway.send("TP/1.1\r\n\r\n")
      #expect(try halfway.answer().status == 200)
    }
  }

  @Test func clientsThatCloseInTheMiddleLeaveTheOthersAlone() async throws {
    try await serve { port in
      let other = try Client(port)
      #expect(try other.get("/builds").status == 200)
      for text in ["GET /te", "PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{", "GET /builds HTTP/1.1\r\n\r\n"]
      {
        try Client(port).send(text)
      }
      // Gone while their responses are sent.
      for _ in 0..<20 { try Client(port).send("GET /banners/tour.html HTTP/1.1\r\n\r\n") }
      #expect(try other.get("/team").status == 200)
    }
  }

  @Test func moreConnectionsThanItKeepsCloseTheOldestThatWaitsForNothing() async throws {
    try await serve { port in
      let waiting = try Client(port)
      #expect(try waiting.get("/builds").status == 200)
      try waiting.send("GET /builds HTTP/1.1\r\n\r\n")
      let silent = try (0..<Limits.demoConnections).map { _ in try Client(port) }
      #expect(try Client(port).get("/team").status == 200)
      #expect(silent[0].waitForClose())
      #expect(try silent[Limits.demoConnections - 1].get("/team").status == 200)
    }
  }
}
