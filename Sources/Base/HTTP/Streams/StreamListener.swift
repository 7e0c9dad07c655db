import Basics
import Foundation

/// The listener of a stream, and the maximum time without data.
struct StreamListener: Sendable {
  let form: StreamForm
  let silence: Duration
  /// Called if the response has a good status. From then on only silence ends the connection.
  let open: @Sendable () -> Void
  let onMessage: @Sendable (String) -> Void

  /// Returns why this response is not a stream of the form, or `nil` if it is one.
  func refusal(_ fields: HeaderFields) -> RequestFailure? {
    if let coding = fields.list("Content-Encoding").first, coding.lowercased() != "identity" {
      return .malformed(reason: "it is compressed as \(coding.prefix(40)), which the request did not accept")
    }
    let type = fields["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    if form == .events, type != "text/event-stream" {
      return .malformed(reason: "the response is not a stream of events")
    }
    return nil
  }
}

/// Passes on the lines or events of a stream.
final class StreamBody: ResponseBody {
  private let listener: StreamListener
  private var lines: LineSplitter
  private var events = EventStreamReader(limit: Limits.streamMessageBytes)
  let isError = false

  init(_ listener: StreamListener) {
    self.listener = listener
    lines = LineSplitter(listener.form == .events ? .any : .lineFeed, limit: Limits.streamMessageBytes)
  }

  func append(_ piece: UnsafeRawBufferPointer, isStopped: () -> Bool) throws(RequestFailure) -> Bool {
    do throws(LineSplitter.TooLong) {
      try lines.append(piece) { (line) throws(LineSplitter.TooLong) in
        if isStopped() { return }
        if listener.form == .events {
          if let data = try events.read(line) { listener.onMessage(data) }
        } else if !line.isEmpty {
          listener.onMessage(String(decoding: line, as: UTF8.self))
        }
      }
      return true
    } catch {
      throw .tooLarge(limit: Limits.streamMessageBytes)
    }
  }

  func finish(_ response: inout TransportResponse, brokenEnd: RequestFailure?) throws(RequestFailure) {
    if let brokenEnd { throw brokenEnd }
  }
}

/// Passes on the messages of a WebSocket; each piece is a message.
final class MessageBody: ResponseBody {
  private let listener: StreamListener
  let isError = false

  init(_ listener: StreamListener) { self.listener = listener }

  func append(_ piece: UnsafeRawBufferPointer, isStopped: () -> Bool) -> Bool {
    listener.onMessage(String(decoding: piece, as: UTF8.self))
    return true
  }

  func finish(_ response: inout TransportResponse, brokenEnd: RequestFailure?) throws(RequestFailure) {
    if let brokenEnd { throw brokenEnd }
  }
}
