import Basics
import CCurl
import Foundation

/// One running exchange, on the thread of libcurl: an easy handle, the received header, and the reader of the body.
final class Transfer {
  let exchange: Exchange
  /// The number by which commands refer to the transfer.
  let number: Int
  /// libcurl's easy handle, or `nil` if libcurl can't be opened or the transfer has ended.
  private(set) var easy: UnsafeMutableRawPointer?
  private let finish: (ExchangeOutcome) -> Void
  private let command: @Sendable (@escaping NetworkThread.Command) -> Void
  /// libcurl's message for a failure.
  let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var lists: [UnsafeMutablePointer<curl_slist>] = []

  /// The state of the transfer.
  private enum State {
    /// No body yet.
    case waiting
    case body(BodyPipe)
    /// The required part of the body has arrived, and is being decoded.
    case decoding(BodyPipe)
    /// A WebSocket is being opened.
    case handshake(WebSocketConnection)
    case messages(WebSocketConnection, BodyPipe)
    case ended
  }

  private var state = State.waiting {
    // libcurl may still call back after the end.
    didSet { if case .ended = oldValue { state = .ended } }
  }
  var head = ResponseHead()
  private var stage = RequestFailure.Stage.connecting
  /// The sockets of the connection that is being made, one for each address of the server. After libcurl has closed
  /// one, its descriptor may be reused for another socket, which has another inode.
  private var sockets: [(descriptor: Int32, inode: UInt64)] = []
  /// The time at which the request times out.
  private var end: ContinuousClock.Instant?
  /// The last time at which the server of an open stream sent something.
  private var lastHeard: ContinuousClock.Instant?
  /// The received bytes of the body.
  private(set) var received = 0
  /// Whether libcurl worked on the transfer when it last ran.
  private var hasMoved = false
  /// Whether libcurl worked on the transfer in the turn before, so that it may be able to continue without a new event.
  private var mayMove = false
  private let clock = ContinuousClock()

  /// - Parameters:
  ///   - command: runs a command on the thread of libcurl.
  ///   - finish: called once, on the thread of libcurl.
  init(
    _ exchange: Exchange, number: Int, command: @escaping @Sendable (@escaping NetworkThread.Command) -> Void,
    finish: @escaping (ExchangeOutcome) -> Void
  ) {
    self.exchange = exchange
    self.number = number
    self.command = command
    self.finish = finish
    end = exchange.end
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { words.deallocate() }

  /// Creates the handle with its options; called once, before the transfer is added.
  func prepare() -> UnsafeMutableRawPointer? {
    easy = CurlOptions.handle(for: self, exchange, lists: &lists)
    return easy
  }

  func free() {
    if let easy { ccurl_free(easy) }
    easy = nil
    for list in lists { ccurl_free_list(list) }
    lists = []
  }

  /// Ends the transfer with a timeout if earlier exchanges of the request have used all of its time.
  func begin(at now: ContinuousClock.Instant) {
    if let end, end <= now { fail(.timedOut(stage, seconds: exchange.requestTimeout.seconds)) }
  }

  var hasEnded: Bool {
    if case .ended = state { true } else { false }
  }

  private var pipe: BodyPipe? {
    switch state {
    case .body(let pipe), .decoding(let pipe), .messages(_, let pipe): pipe
    case .waiting, .handshake, .ended: nil
    }
  }

  private var socket: WebSocketConnection? {
    switch state {
    case .handshake(let socket), .messages(let socket, _): socket
    case .waiting, .body, .decoding, .ended: nil
    }
  }

  // MARK: What libcurl says

  /// Records a socket that is about to connect.
  func opened(_ socket: Int32) {
    if let inode = Self.inode(socket) { sockets.append((socket, inode)) }
  }

  /// Records that the request is about to be written.
  func sending() {
    hasMoved = true
    stage = .waiting
    if end == nil { end = clock.now + exchange.requestTimeout }
  }

  /// - Returns: whether the transfer continues.
  func receivedHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard !hasEnded else { return false }
    hasMoved = true
    switch head.add(line) {
    case .more: return true
    case .tooLarge:
      fail(.malformed(reason: "the header is too large"))
      return false
    case .complete: return beginBody()
    }
  }

  /// - Returns: the number of bytes used, or the value that makes libcurl wait.
  func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch state {
    case .ended: return 0
    // libcurl discards the body of a response if it repeats the request with a name and a password.
    case .waiting, .decoding, .handshake, .messages: return bytes.count
    case .body(let pipe):
      guard pipe.append(bytes) else { return ccurl_pause_writing }
      hasMoved = true
      received += bytes.count
      if lastHeard != nil { lastHeard = clock.now }
      return bytes.count
    }
  }

  /// Handles the end of the transfer in libcurl.
  func ended(_ code: CURLcode) {
    guard let easy else { return }
    switch state {
    case .waiting, .body: break
    case .decoding, .handshake, .messages, .ended: return
    }
    let failure =
      code == CURLE_OK
      ? nil : CurlFailure(code, self, easy, stage: stage).failure
    switch exchange.form {
    case .certificates:
      // A handshake that fails for another reason than the certificate also shows the certificates.
      finish(.failure(failure ?? .known(.cancelled)), certificates: CurlOptions.certificates(of: easy))
    case .webSocket(let listener):
      if let failure { return finish(.failure(failure)) }
      sending()
      state = .handshake(WebSocketConnection(exchange, listener, easy))
    case .document, .stream:
      guard let pipe else {
        if let failure { return finish(.failure(failure)) }
        // The response has no body.
        return finish(head.isComplete ? .success(response()) : .failure(.known(.cutOff(received: 0))))
      }
      state = .decoding(pipe)
      if case .known(let broken)? = failure { pipe.end(brokenEnd: broken) } else { pipe.end() }
    }
  }

  // MARK: The body

  /// Decides by the header whether and how the body is read; returns whether the transfer continues.
  private func beginBody() -> Bool {
    stage = .reading
    if exchange.digest != nil, head.status == 401 { return true }
    if case .stream(let listener) = exchange.form, head.status == 200 {
      if let refusal = listener.refusal(head.fields) {
        fail(refusal)
        return false
      }
      end = nil
      lastHeard = clock.now
      listener.open()
      state = .body(makePipe(StreamBody(listener)))
      return true
    }
    switch head.status {
    case 200..<300:
      if case .stream = exchange.form { return enough() }
      if let announced = head.announced, announced > exchange.limit {
        fail(.tooLarge(limit: exchange.limit))
        return false
      }
      // Without a length the response would end with the connection, which a server may keep open. A 205 has no body
      // (RFC 9110 section 15.3.6).
      if head.status == 205, head.bodyEnd == .unmarked { return enough() }
      state = .body(
        makePipe(DocumentBody(head, limit: exchange.limit)))
      return true
    case 400... where exchange.keepsErrorBody:
      state = .body(makePipe(ErrorBody(head)))
      return true
    // The bodies of redirects and other errors are not needed. Ending here closes the connection, unless the response
    // has no body.
    default: return head.hasNoBody ? true : enough()
    }
  }

  private func makePipe(_ body: any ResponseBody) -> BodyPipe {
    let (command, number) = (command, number)
    return BodyPipe(
      body, response(),
      resume: { command { $0.transfer(number)?.resume() } },
      onEnd: { result in command { $0.transfer(number)?.bodyEnded(result) } })
  }

  private func resume() {
    if let easy { ccurl_pause(easy, CURLPAUSE_CONT) }
  }

  /// Ends the transfer, since the required part has arrived.
  private func enough() -> Bool {
    finish(.success(response()))
    return false
  }

  /// Ends the transfer after the body was read.
  private func bodyEnded(_ result: Result<TransportResponse, RequestFailure>) {
    switch result {
    case .success(let response):
      if case .broken(let broken) = response.end, !exchange.acceptsBrokenEnd { return fail(broken) }
      finish(.success(response))
    case .failure(let failure): fail(failure)
    }
  }

  private func response() -> TransportResponse {
    var response = TransportResponse(
      status: head.status, headers: head.fields, finalURL: exchange.address.text)
    response.end = head.bodyEnd
    return response
  }

  // MARK: Time

  /// The time at which the transfer must run without a new event. After each step it runs again immediately: libcurl
  /// 7.88 can forget that more of the response has already arrived, and would wait until the connection times out.
  var wake: ContinuousClock.Instant? { socket?.hasMore == true || mayMove ? clock.now : deadline }

  /// The time at which the transfer fails if no data arrives.
  private var deadline: ContinuousClock.Instant? {
    let silence = (socket?.lastHeard ?? lastHeard).flatMap { heard in silenceLimit.map { heard + $0 } }
    return silence ?? end
  }

  private var silenceLimit: Duration? {
    switch exchange.form {
    case .stream(let listener), .webSocket(let listener): listener.silence
    case .document, .certificates: nil
    }
  }

  /// The descriptor that the thread must watch, since libcurl does not.
  var awaited: curl_waitfd? { hasEnded ? nil : socket?.awaited }

  /// Updates the stage, serves the WebSocket, and fails if a timeout has passed.
  func serve(at now: ContinuousClock.Instant) {
    (mayMove, hasMoved) = (hasMoved, false)
    guard !hasEnded else { return }
    observeConnection()
    if let socket {
      serve(socket, at: now)
      if hasEnded { return }
    }
    guard let deadline, deadline <= now else { return }
    if let silenceLimit, socket?.lastHeard ?? lastHeard != nil {
      fail(.timedOut(.reading, seconds: silenceLimit.seconds))
    } else if let pipe, pipe.isError {
      // At the timeout the status matters more than the rest of its body.
      end = nil
      state = .decoding(pipe)
      pipe.end()
    } else {
      fail(.timedOut(stage, seconds: exchange.requestTimeout.seconds))
    }
  }

  private func serve(_ socket: WebSocketConnection, at now: ContinuousClock.Instant) {
    handle(socket.serve(at: now), of: socket)
  }

  /// Handles a change of the WebSocket's state.
  private func handle(_ step: WebSocketConnection.Step, of socket: WebSocketConnection) {
    switch step {
    case .waiting: break
    case .open(let listener):
      head = socket.head
      stage = .reading
      end = nil
      listener.open()
      let pipe = makePipe(MessageBody(listener))
      state = .messages(socket, pipe)
      socket.pipe = pipe
      // These bytes arrived together with the header.
      handle(socket.readRest(), of: socket)
    case .refused(let body):
      head = socket.head
      var response = response()
      response.body = body
      finish(.success(response))
    case .failed(let code):
      guard let easy else { return }
      finish(.failure(CurlFailure(code, self, easy, stage: stage).failure))
    case .ended(let failure):
      guard let pipe else { return fail(failure ?? .cutOff(received: 0)) }
      state = .decoding(pipe)
      lastHeard = nil
      // Messages received before the end are still passed on.
      pipe.end(brokenEnd: failure)
    }
  }

  /// Finds out whether the connection has been established. libcurl has one timeout for the connection and the
  /// handshake, and reports nothing between them. The system knows whether a socket is connected, until libcurl closes
  /// it.
  private func observeConnection() {
    guard stage == .connecting, exchange.address.scheme == .https, exchange.proxy == nil,
      sockets.contains(where: { Self.inode($0.descriptor) == $0.inode && Self.isConnected($0.descriptor) })
    else { return }
    stage = .handshake
  }

  /// Returns the inode of a socket, or `nil` if the descriptor is closed.
  private static func inode(_ socket: Int32) -> UInt64? {
    var facts = stat()
    return fstat(socket, &facts) == 0 ? UInt64(facts.st_ino) : nil
  }

  private static func isConnected(_ socket: Int32) -> Bool {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &address) {
      guard let start = $0.baseAddress else { return false }
      return getpeername(socket, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
    }
  }

  // MARK: The end

  func fail(_ failure: RequestFailure) { finish(.failure(.known(failure))) }

  private func finish(
    _ result: Result<TransportResponse, ExchangeFailure>, certificates: [[String: String]] = []
  ) {
    guard !hasEnded else { return }
    let (pipe, socket) = (pipe, socket)
    state = .ended
    pipe?.stop()
    socket?.close()
    let cookies = exchange.cookies == nil ? nil : easy.map(CurlOptions.cookies)
    finish(ExchangeOutcome(result: result, end: end, cookies: cookies, certificates: certificates))
  }
}
