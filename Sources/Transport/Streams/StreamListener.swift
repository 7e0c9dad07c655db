import AsyncHTTPClient
import Foundation
import Limits
import NIOCore
import Synchronization

/// Who listens to a stream, and how long its server may be silent.
final class StreamListener: Sendable {
  let form: StreamForm
  private let silence: Duration
  private let loop: any EventLoop
  private let onOpen: @Sendable () -> Void
  let onMessage: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var timer: SilenceTimer?
    /// Ends the request.
    var cancel: (@Sendable () -> Void)?
  }

  /// - Parameter loop: runs the timer.
  init(
    _ form: StreamForm, silence: Duration, on loop: any EventLoop, onOpen: @escaping @Sendable () -> Void,
    onMessage: @escaping @Sendable (String) -> Void
  ) {
    self.form = form
    self.silence = silence
    self.loop = loop
    self.onOpen = onOpen
    self.onMessage = onMessage
  }

  /// What is done after too long a silence.
  func onSilence(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

  /// The answer has a good status. From now on only silence ends the connection.
  func open() {
    let timer = SilenceTimer(limit: TimeAmount(silence), loop: loop) { [weak self] in
      self?.state.withLock { $0.cancel }?()
    }
    state.withLock { $0.timer = timer }
    onOpen()
  }

  func heard() { state.withLock { $0.timer }?.heard() }

  /// The connection has ended.
  func end() { state.withLock { $0.timer }?.end() }

  /// The failure of a connection that was ended because of its silence.
  var failure: RequestFailure? {
    state.withLock { $0.timer }?.isOver == true ? .timedOut(.reading, seconds: silence.seconds) : nil
  }

  /// Why this response is not a stream of the form; nil if it is one.
  func refusal(_ fields: HeaderFields) -> RequestFailure? {
    if let coding = fields.list("Content-Encoding").first, coding.lowercased() != "identity" {
      return .malformed(reason: "it is compressed as \(coding.prefix(40)), which the request did not accept")
    }
    let type = fields["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    if form == .events, type != "text/event-stream" {
      return .malformed(reason: "the answer is not a stream of events")
    }
    return nil
  }

  /// Calls `onMessage` until the response ends.
  func read(_ body: HTTPClientResponse.Body, _ progress: RequestProgress) async throws {
    var lines = LineSplitter(form == .events ? .any : .lineFeed, limit: Limits.streamMessageBytes)
    var events = EventStreamReader(limit: Limits.streamMessageBytes)
    var received = 0
    do {
      for try await piece in body {
        heard()
        received += piece.readableBytes
        progress.received(received)
        try piece.withUnsafeReadableBytes { bytes in
          try lines.append(bytes) { line in
            switch form {
            case .lines: if !line.isEmpty { onMessage(String(decoding: line, as: UTF8.self)) }
            case .events: if let data = try events.take(line) { onMessage(data) }
            case .webSocket: break
            }
          }
        }
      }
    } catch is LineSplitter.TooLong {
      throw RequestFailure.tooLarge(limit: Limits.streamMessageBytes)
    }
    // If the task is cancelled, the loop ends as after the end of the connection.
    try Task.checkCancellation()
  }
}
