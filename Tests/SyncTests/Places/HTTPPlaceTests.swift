import Foundation
import Profile
import Sync
import Synchronization
import TestBasics
import Testing

/// A hub that doesn't work correctly. ``PlaceContractTests`` test a correct one.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HTTPPlaceTests {
  @Test(arguments: [
    (
      "401 Unauthorized", #"{"error": {"code": "bad_token", "message": "the token has ended"}}"#,
      "HUB may not be written: the token has ended"
    ),
    (
      "404 Not Found", #"{"error": {"code": "not_found", "message": "nothing"}}"#,
      "HUB may not be written: its token is not for sync; create one with reddot-hub token add NAME --person NAME"
    ),
    (
      "503 Service Unavailable",
      #"{"error": {"code": "busy", "message": "too many requests wait to be stored"}}"#,
      "HUB cannot be used: too many requests wait to be stored"
    ),
    ("502 Bad Gateway", "<html>nginx</html>", "HUB cannot be used: HTTP 502"),
    ("507 Insufficient Storage", "{}", "HUB is full"),
    (
      "200 OK", "<html>Welcome</html>", "HUB cannot be used: the server is not a hub that stores sync objects"
    ),
    (
      "200 OK", #"{"objects": [], "last": 1e99, "has_more": false}"#,
      "HUB cannot be used: the server is not a hub that stores sync objects"
    ),
    (
      "302 Found\r\nLocation: https://evil.example/", "",
      "HUB cannot be used: badRedirect(\"https://evil.example/\")"
    ),
  ])
  func whatItAnswersIsASentence(status: String, body: String, sentence: String) throws {
    let hub = try AnsweringHub { _ in (status, body) }
    let place = try hubPlace(hub.address) { "t" }
    let failure = #expect(throws: PlaceFailure.self) { try place.list() }
    #expect(failure?.description == sentence.replacing("HUB", with: hub.address))
    place.close()
  }

  @Test func aTokenThatWasReplacedIsAskedForAgain() throws {
    let isReplaced = Mutex(false)
    let hub = try AnsweringHub { request in
      request.contains(isReplaced.withLock { $0 } ? "Bearer second" : "Bearer first")
        ? ("200 OK", #"{"objects": [], "last": 0, "has_more": false}"#) : ("401 Unauthorized", "{}")
    }
    let tokens = Mutex(["second", "first"])
    let place = try hubPlace(hub.address) { tokens.withLock { $0.popLast() ?? "" } }
    for _ in 1...2 {
      #expect(try place.list() == [])
      isReplaced.withLock { $0 = true }
    }
    place.close()
  }

  @Test func whatIsNoObjectIsNotNamed() throws {
    let device = String(repeating: "ab", count: 16)
    let entry = { (name: String, seq: Int) in
      #"{"device": "\#(device)", "name": "\#(name)", "size": 1, "seq": \#(seq)}"#
    }
    let names = ["000000000001-000000000002.ops", "../../etc/passwd", "000000000002-000000000001.ops", ""]
    let list = names.enumerated().map { entry($1, $0 + 1) }.joined(separator: ",")
    let hub = try AnsweringHub { _ in ("200 OK", #"{"objects": [\#(list)], "last": 9, "has_more": false}"#) }
    let place = try hubPlace(hub.address) { "t" }
    #expect(try place.list().map(\.path) == ["\(device)/000000000001-000000000002.ops"])
    place.close()
  }

  /// The hub always reports that there is more.
  @Test func aListWithoutEndEnds() throws {
    let hub = try AnsweringHub { _ in ("200 OK", #"{"objects": [], "last": 9, "has_more": true}"#) }
    let place = try hubPlace(hub.address) { "t" }
    #expect(try place.list() == [])
    #expect(hub.count == 1)
    place.close()
  }

  /// A proxy may end waiting requests.
  @Test func aHubThatAnswersTooEarlyIsNotAskedInATightLoop() throws {
    let hub = try AnsweringHub { _ in ("200 OK", #"{"objects": [], "last": 0, "has_more": false}"#) }
    let place = try hubPlace(hub.address) { "t" }
    #expect(try place.list() == [])
    #expect(try !place.changed(seconds: 2))
    #expect(hub.count <= 8)
    place.close()
  }

  @Test func whatWaitsEndsForWhatIsToBeSent() throws {
    let hub = try AnsweringHub { request in
      request.contains("wait=") ? nil : ("200 OK", #"{"objects": [], "last": 0, "has_more": false}"#)
    }
    let place = try hubPlace(hub.address) { "t" }
    #expect(try place.list() == [])
    let input = Pipe()
    let waiting = Background { [descriptor = input.fileHandleForReading.fileDescriptor] in
      try place.changed(seconds: longest, unlessInput: descriptor)
    }
    try input.fileHandleForWriting.write(contentsOf: [1])
    #expect(try !waiting.value())
    place.close()
  }
}

/// A server that responds to each request of a connection as a test specifies, or never.
private final class AnsweringHub: Sendable {
  private final class Requests: Sendable {
    let count = Mutex(0)
  }

  let address: String
  private let listener: Int32
  private let requests = Requests()

  /// The number of requests so far.
  var count: Int { requests.count.withLock { $0 } }

  /// - Parameter answer: returns the status and the body, or `nil` for no response.
  init(_ answer: @escaping @Sendable (_ request: String) -> (status: String, body: String)?) throws {
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Bool in
        bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard port else { throw POSIXError(.EADDRINUSE) }
    self.listener = listener
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    Thread.detachNewThread { [requests] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { Self.serve(connection, requests, answer) }
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(
    _ connection: Int32, _ requests: Requests, _ answer: (String) -> (status: String, body: String)?
  ) {
    defer { close(connection) }
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = read(connection, &bytes, bytes.count), count > 0 {
      text += String(decoding: bytes[..<count], as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let request = String(text[..<end.lowerBound])
      text = String(text[end.upperBound...])
      requests.count.withLock { $0 += 1 }
      guard let (status, body) = answer(request) else { continue }
      let head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      let answered = Array((head + body).utf8)
      guard write(connection, answered, answered.count) == answered.count else { return }
    }
  }
}
