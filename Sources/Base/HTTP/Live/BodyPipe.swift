import Basics
import Dispatch
import Foundation
import Synchronization

/// A reader of the bytes of a body, or of the messages of a WebSocket.
protocol ResponseBody: AnyObject {
  /// Whether this is the body of an error, whose beginning is enough.
  var isError: Bool { get }

  /// Reads the next bytes or the next message.
  ///
  /// - Parameter isStopped: returns whether the rest is no longer wanted.
  /// - Returns: `false` if no more bytes are needed.
  func append(_ piece: UnsafeRawBufferPointer, isStopped: () -> Bool) throws(RequestFailure) -> Bool

  /// Ends the reading, and sets the body of the response. Called once, after the last bytes.
  ///
  /// - Parameter brokenEnd: the error with which the transfer ended, if it did.
  func finish(_ response: inout TransportResponse, brokenEnd: RequestFailure?) throws(RequestFailure)
}

/// Passes the bytes of a body to its reader on a separate thread, so that decompression does not delay other transfers.
final class BodyPipe: Sendable {
  private struct State {
    var waiting = 0
    var isPaused = false
    var isStopped = false
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "reddot.body")
  // Used on the queue only.
  nonisolated(unsafe) private let body: any ResponseBody
  private let response: TransportResponse
  private let resume: @Sendable () -> Void
  private let onEnd: @Sendable (Result<TransportResponse, RequestFailure>) -> Void
  let isError: Bool

  /// - Parameters:
  ///   - response: the response without its body, which is added at the end.
  ///   - resume: called when there is room again after a piece was refused.
  ///   - onEnd: called once, also if the body fails or needs no more bytes.
  init(
    _ body: any ResponseBody, _ response: TransportResponse, resume: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable (Result<TransportResponse, RequestFailure>) -> Void
  ) {
    self.body = body
    isError = body.isError
    self.response = response
    self.resume = resume
    self.onEnd = onEnd
  }

  /// Whether a piece would be refused; `resume` is called when there is room again.
  var isFull: Bool {
    state.withLock { state in
      state.isPaused = state.isPaused || state.waiting >= Limits.bodyAhead
      return state.isPaused
    }
  }

  /// Passes a piece to the reader's thread.
  ///
  /// - Parameter isForced: whether the piece must be accepted even if the reader is too far behind.
  /// - Returns: `false` if the reader is too far behind.
  func append(_ piece: UnsafeRawBufferPointer, isForced: Bool = false) -> Bool {
    guard isForced || !isFull else { return false }
    let bytes = Data(piece)
    // Small pieces, such as chunks of one byte and empty messages, need more memory than their bytes.
    let cost = bytes.count + Limits.bodyPiece
    state.withLock { $0.waiting += cost }
    queue.async { [self] in
      read(bytes)
      let isRoom = state.withLock { state in
        state.waiting -= cost
        guard state.isPaused, state.waiting < Limits.bodyAhead / 2 else { return false }
        state.isPaused = false
        return true
      }
      if isRoom { resume() }
    }
    return true
  }

  /// Ends the body after its last piece. `brokenEnd` is the error with which the transfer ended, if it did.
  func end(brokenEnd: RequestFailure? = nil) {
    queue.async { [self] in
      conclude { (response) throws(RequestFailure) in try body.finish(&response, brokenEnd: brokenEnd) }
    }
  }

  /// Marks the body as no longer wanted.
  func stop() { state.withLock { $0.isStopped = true } }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func read(_ bytes: Data) {
    guard state.withLock({ !$0.isStopped && !$0.hasEnded }) else { return }
    let result = bytes.withUnsafeBytes { piece in
      Result { () throws(RequestFailure) in try body.append(piece, isStopped: { isStopped }) }
    }
    switch result {
    case .success(true): break
    case .success(false):
      conclude { (response) throws(RequestFailure) in try body.finish(&response, brokenEnd: nil) }
    case .failure(let failure): conclude { _ throws(RequestFailure) in throw failure }
    }
  }

  /// Ends the reading with the result of `finish`, once, and calls `onEnd`.
  private func conclude(_ finish: (inout TransportResponse) throws(RequestFailure) -> Void) {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded && !state.isStopped
    }
    guard isFirst else { return }
    var response = response
    do throws(RequestFailure) {
      try finish(&response)
      onEnd(.success(response))
    } catch {
      onEnd(.failure(error))
    }
  }
}

/// Reads the body of a successful response, which is decompressed as it arrives.
final class DocumentBody: ResponseBody {
  private let decoder: ContentDecoder
  private let limit: Int
  let isError = false

  init(_ head: ResponseHead, limit: Int) {
    self.limit = limit
    decoder = ContentDecoder(
      codings: head.fields.list("Content-Encoding"), limit: limit, announced: head.announced ?? 0)
  }

  func append(_ piece: UnsafeRawBufferPointer, isStopped: () -> Bool) throws(RequestFailure) -> Bool {
    do throws(ContentDecoder.Failure) {
      try decoder.append(piece, isStopped: isStopped)
      return true
    } catch {
      throw failure(error)
    }
  }

  func finish(_ response: inout TransportResponse, brokenEnd: RequestFailure?) throws(RequestFailure) {
    do throws(ContentDecoder.Failure) {
      let isWhole = try decoder.finish()
      if let broken = brokenEnd ?? (isWhole ? nil : .cutOff(received: decoder.received)) {
        response.end = .broken(broken)
      }
    } catch {
      throw brokenEnd ?? failure(error)
    }
    response.body = decoder.decoded()
  }

  private func failure(_ failure: ContentDecoder.Failure) -> RequestFailure {
    RequestFailure(failure, limit: limit, received: decoder.received)
  }
}

/// Reads the beginning of the body of an error response. A body that is cut off, damaged or too large must not hide the
/// status.
final class ErrorBody: ResponseBody {
  private let decoder: ContentDecoder
  let isError = true

  init(_ head: ResponseHead) {
    decoder = ContentDecoder(codings: head.fields.list("Content-Encoding"), limit: Limits.errorBodyBytes)
  }

  func append(_ piece: UnsafeRawBufferPointer, isStopped: () -> Bool) -> Bool {
    do throws(ContentDecoder.Failure) {
      try decoder.append(piece, isStopped: isStopped)
      return true
    } catch {
      return false
    }
  }

  func finish(_ response: inout TransportResponse, brokenEnd: RequestFailure?) {
    // The part before the error is enough.
    _ = try? decoder.finish()
    response.body = decoder.decoded()
  }
}
