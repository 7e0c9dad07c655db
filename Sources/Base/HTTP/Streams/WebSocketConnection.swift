import Basics
import CCurl
import Foundation

/// A WebSocket over a connection of libcurl: the upgrade (RFC 6455 section 4.1), frames, pongs and the close. It runs
/// on the thread of libcurl.
final class WebSocketConnection {
  enum Step {
    case waiting
    case open(StreamListener)
    /// The server refused to open the connection; the body is that of an error.
    case refused(body: Data)
    case ended(RequestFailure?)
    /// libcurl can't read the response to the upgrade.
    case failed(CURLcode)
  }

  private let listener: StreamListener
  private let easy: UnsafeMutableRawPointer
  private let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
  private(set) var head = ResponseHead()
  /// The bytes to send: the request for the upgrade, or the rest of a frame, and a close frame. A pong is added only
  /// once they are sent, since only the last of several pings is answered (RFC 6455, section 5.5.3).
  private var outgoing: [UInt8]
  /// The payload of the ping that is to be answered.
  private var ping: [UInt8]?
  /// The received part of the response to the upgrade.
  private var answer: [UInt8] = []
  private var frames = WebSocketFrames()
  private var isOpen = false
  private var hasClosed = false
  /// The reader of the messages, set when the connection is open.
  var pipe: BodyPipe?
  /// The last time at which the server sent something, or `nil` until the connection is open.
  private(set) var lastHeard: ContinuousClock.Instant?
  /// Whether more bytes arrived than are read at a time.
  private(set) var hasMore = false
  /// Whether the reader of the messages is too far behind to accept more.
  private var isFull = false

  init(_ exchange: Exchange, _ listener: StreamListener, _ easy: UnsafeMutableRawPointer) {
    self.listener = listener
    self.easy = easy
    var lines = ["GET \(exchange.address.target) HTTP/1.1", "Host: \(exchange.address.authority)"]
    lines += exchange.headers.map { "\($0.name): \($0.value)" }
    lines += [
      "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
      "", "",
    ]
    outgoing = Array(lines.joined(separator: "\r\n").utf8)
  }

  /// The descriptor and events that the network thread waits for. It is `nil` while the reader of the messages is
  /// behind, since a connection that the server has closed would end each wait immediately.
  var awaited: curl_waitfd? {
    let reading = isFull ? 0 : Int16(CURL_WAIT_POLLIN)
    let writing = outgoing.isEmpty && ping == nil ? 0 : Int16(CURL_WAIT_POLLOUT)
    let events = reading | writing
    return events == 0 ? nil : curl_waitfd(fd: ccurl_socket(easy), events: events, revents: 0)
  }

  /// Sends and reads as much as possible now.
  func serve(at now: ContinuousClock.Instant) -> Step {
    hasMore = false
    send()
    let room = 16 << 10
    return withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer in
      // The limit gives other transfers their turn.
      for _ in 0..<16 {
        isFull = pipe?.isFull ?? false
        guard !isFull, let start = buffer.baseAddress else { return .waiting }
        var count = 0
        let code = ccurl_receive(easy, start, room, &count)
        switch code {
        case CURLE_AGAIN: return .waiting
        case CURLE_OK where count > 0: break
        case CURLE_OK: return closed(nil)
        default: return isOpen || head.isComplete ? closed(.cutOff(received: 0)) : .failed(code)
        }
        if isOpen { lastHeard = now }
        let step = read(UnsafeRawBufferPointer(start: start, count: count), at: now)
        if case .waiting = step { continue }
        return step
      }
      hasMore = true
      return .waiting
    }
  }

  /// Reads the frames that arrived together with the response to the upgrade; called once the connection is open.
  func readRest() -> Step {
    let rest = answer
    answer = []
    return rest.withUnsafeBytes { readFrames($0) }
  }

  /// Closes the connection from our side, for example after a cancellation. The server is notified if that needs no
  /// waiting.
  func close() { sendClose(Self.code(1001)) }

  // MARK: Reading

  private func read(_ bytes: UnsafeRawBufferPointer, at now: ContinuousClock.Instant) -> Step {
    guard !isOpen else { return readFrames(bytes) }
    answer += bytes
    return readAnswer(at: now)
  }

  /// Reads the received part of the response to the upgrade.
  private func readAnswer(at now: ContinuousClock.Instant) -> Step {
    guard answer.starts(with: Array("HTTP/".utf8).prefix(answer.count)) else {
      return .ended(.malformed(reason: "the response is not HTTP"))
    }
    var place = 0
    while !head.isComplete, let end = answer[place...].firstIndex(of: 10) {
      let step = answer[place...end].withUnsafeBytes { head.add($0) }
      place = end + 1
      if case .tooLarge = step { return .ended(.malformed(reason: "the header is too large")) }
    }
    answer.removeFirst(place)
    guard head.isComplete else {
      return answer.count > Limits.headerBytes
        ? .ended(.malformed(reason: "the header is too large")) : .waiting
    }
    guard head.status == 101 else { return readRefusal(isLast: false) }
    let isUpgraded =
      head.fields["Upgrade"]?.lowercased() == "websocket"
      && head.fields["Sec-WebSocket-Accept"] == Self.accepted(key)
    guard isUpgraded else { return .ended(.malformed(reason: "the response is not a WebSocket")) }
    isOpen = true
    lastHeard = now
    return .open(listener)
  }

  /// Reads the body of an error, of which the beginning is enough.
  private func readRefusal(isLast: Bool) -> Step {
    guard head.status >= 400 else { return .refused(body: Data()) }
    let (body, isWhole) =
      head.isChunked ? Self.unchunked(answer) : (answer, answer.count >= head.announced ?? .max)
    return isLast || isWhole || answer.count >= Limits.errorBodyBytes
      ? .refused(body: Data(body.prefix(min(head.announced ?? .max, Limits.errorBodyBytes)))) : .waiting
  }

  /// Returns the received chunks, up to an error (RFC 9112 section 7.1).
  private static func unchunked(_ bytes: [UInt8]) -> (body: [UInt8], isWhole: Bool) {
    var (body, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while let end = rest.firstIndex(of: 10) {
      let digits = String(decoding: rest[..<end], as: UTF8.self).prefix(while: \.isHexDigit)
      guard let size = Int(digits, radix: 16), size > 0 else { return (body, true) }
      body += rest[(end + 1)...].prefix(size)
      rest = rest[(end + 1)...].dropFirst(size).dropFirst(2)
    }
    return (body, false)
  }

  /// Handles the end of the connection.
  private func closed(_ failure: RequestFailure?) -> Step {
    if isOpen { return .ended(hasClosed ? nil : failure) }
    return head.isComplete ? readRefusal(isLast: true) : .ended(.cutOff(received: 0))
  }

  /// Reads frames: passes messages on, and answers pings and a close.
  private func readFrames(_ bytes: UnsafeRawBufferPointer) -> Step {
    var isOver = false
    do throws(WebSocketFrames.Mistake) {
      try frames.add(bytes) { event in
        guard !isOver else { return }
        switch event {
        case .message(let text): _ = text.withUnsafeBytes { pipe?.append($0, isForced: true) }
        case .ping(let payload): ping = payload
        case .close(let code):
          // The server's code is returned; then the connection is closed.
          sendClose(code)
          isOver = true
        }
      }
    } catch {
      if isOver { return .ended(nil) }
      sendClose(Self.code(error.rawValue))
      return .ended(
        error == .tooLarge
          ? .tooLarge(limit: Limits.streamMessageBytes)
          : .malformed(reason: "the server violates the WebSocket protocol"))
    }
    if isOver { return .ended(nil) }
    send()
    return .waiting
  }

  // MARK: Sending

  /// Sends outgoing bytes until nothing is left or the connection accepts no more. If sending fails, drops them:
  /// data that the server sent before it closed is read first.
  private func send() {
    while true {
      if outgoing.isEmpty, let payload = ping {
        outgoing = WebSocketFrames.frame(10, payload)
        ping = nil
      }
      guard !outgoing.isEmpty else { return }
      var sent = 0
      switch ccurl_send(easy, outgoing, outgoing.count, &sent) {
      case CURLE_OK: outgoing.removeFirst(sent)
      case CURLE_AGAIN: return
      default:
        (outgoing, ping) = ([], nil)
        return
      }
    }
  }

  /// Sends a close frame, unless one was sent or the connection is not open.
  private func sendClose(_ code: [UInt8]) {
    guard isOpen, !hasClosed else { return }
    hasClosed = true
    ping = nil
    outgoing += WebSocketFrames.frame(8, code)
    send()
  }

  /// Returns a close code as two bytes.
  private static func code(_ code: UInt16) -> [UInt8] { [UInt8(code >> 8), UInt8(code & 255)] }

  /// Returns the value of `Sec-WebSocket-Accept` (RFC 6455, section 4.2.2).
  private static func accepted(_ key: String) -> String {
    Data(SHA1.digest(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")).base64EncodedString()
  }
}
