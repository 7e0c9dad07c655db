import Foundation
import Platform
import Synchronization

/// Buffers a command's output for standard output. If it cannot be written, the command fails.
enum Answer {
  private static let unwritten = Mutex<[UInt8]>([])
  /// Bytes that are buffered before they are written.
  private static let room = 64 << 10

  static func print(_ text: String, terminator: String = "\n") throws(OutputFailure) {
    let isFull = unwritten.withLock { bytes in
      bytes += text.utf8
      bytes += terminator.utf8
      return bytes.count >= room
    }
    if isFull { try flush() }
  }

  /// Ends the process as soon as nobody reads standard output any more, like a program that does not handle closed pipes.
  static func endWithItsReader() throws(ThreadFailure) {
    try SystemThread.start("reddot reader", stackBytes: 256 << 10) {
      // Without events to wait for, the call returns only when the reader has ended.
      var state = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&state, 1, -1) <= 0 {
        guard errno == EINTR else { return }
      }
      InboxRun.die(of: SIGPIPE)
    }
  }

  /// Writes everything printed so far.
  static func flush() throws(OutputFailure) {
    let bytes = unwritten.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process made the terminal or the pipe non-blocking.
        var state = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&state, 1, -1)
      } else if errno != EINTR {
        throw OutputFailure(code: errno)
      }
    }
  }
}

/// Standard output cannot be written.
struct OutputFailure: Error {
  /// errno of write(2).
  var code: Int32

  /// Whether the reader of the pipe has ended, which needs no message.
  var isClosedPipe: Bool { code == EPIPE }
}
