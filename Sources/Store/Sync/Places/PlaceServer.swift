import Basics
package import Foundation
import Platform

/// Serves a sync location over two descriptors, as the other end of a ``PipePlace``.
///
/// A missing folder is reported like an empty one, since the missing marker shows the same: that nothing is set up.
/// SIGPIPE must be ignored, since the other end may have closed.
package struct PlaceServer {
  private let place: any Place
  private let input: Int32
  private let output: Int32

  package init(_ place: any Place, input: Int32, output: Int32) {
    (self.place, self.input, self.output) = (place, input, output)
  }

  /// Responds until the end of the input, or until the output is closed; blocks the thread.
  ///
  /// - Throws: if the input or the output can't be used.
  package func run() throws(POSIXError) {
    var decoder = FrameDecoder()
    guard try send(Array(Greeting.line.utf8)) else { return }
    while true {
      let frame: [UInt8]?
      do throws(FrameDecoder.Unreadable) {
        frame = try decoder.next()
      } catch {
        // The start of the next frame isn't known.
        _ = try send(
          PlaceAnswer.failed(.notUnderstood, sentence: "a frame cannot have \(error.length) bytes").frame)
        return
      }
      guard let frame else {
        let bytes = try receive()
        if bytes.isEmpty { return }
        decoder.append(bytes)
        continue
      }
      guard try send(answer(to: frame, isLast: decoder.isEmpty).frame) else { return }
    }
  }

  /// - Parameter isLast: whether nothing of a further request has been read yet.
  private func answer(to frame: [UInt8], isLast: Bool) -> PlaceAnswer {
    guard let request = PlaceRequest(frame: frame) else {
      return .failed(.notUnderstood, sentence: "this is not a request")
    }
    do throws(PlaceFailure) {
      switch request {
      case .list: return .names(try place.list())
      case .get(let name): return try place.get(name).map { .bytes($0) } ?? .nothing
      case .put(let name, let bytes):
        switch try place.put(name, bytes) {
        case .done: return .done
        case .anotherIsThere: return .anotherIsThere
        }
      case .delete(let name):
        try place.delete(name)
        return .done
      case .changed(let seconds):
        return .changed(
          isLast
            ? try place.changed(seconds: Int(seconds), unlessInput: input)
            : try place.changed(seconds: 0, unlessInput: nil))
      }
    } catch {
      return Self.answer(error, to: request)
    }
  }

  private static func answer(_ failure: PlaceFailure, to request: PlaceRequest) -> PlaceAnswer {
    switch (failure, request) {
    case (.missing, .list): .names([])
    case (.missing, .get): .nothing
    case (.missing, .delete): .done
    case (.missing, _): .failed(.broken, sentence: "there is no such folder")
    case (.notAllowed(_, let reason), _): .failed(.notAllowed, sentence: reason)
    case (.full, _): .failed(.full, sentence: failure.description)
    case (.broken(_, let reason), _): .failed(.broken, sentence: reason)
    case _: .failed(.broken, sentence: failure.description)
    }
  }

  // MARK: Bytes

  /// Returns the received bytes; empty at the end.
  private func receive() throws(POSIXError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count >= 0 { return Array(buffer.prefix(count)) }
      try waitAfter(errno, for: input, Int16(POLLIN))
    }
  }

  /// - Returns: `false` if the output is closed.
  private func send(_ bytes: [UInt8]) throws(POSIXError) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        return false
      } else {
        try waitAfter(errno, for: output, Int16(POLLOUT))
      }
    }
    return true
  }

  /// Waits until a descriptor is ready, after a call on it has failed with the error `code` because it is
  /// non-blocking. Throws for other errors.
  private func waitAfter(_ code: Int32, for descriptor: Int32, _ events: Int16) throws(POSIXError) {
    if code == EINTR { return }
    guard code == EAGAIN else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    var states = [pollfd(fd: descriptor, events: events, revents: 0)]
    _ = Descriptors.wait(for: &states, until: nil)
  }
}
