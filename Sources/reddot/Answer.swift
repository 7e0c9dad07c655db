import Foundation
import Synchronization

/// A command's answer, on its way to standard output. What cannot be written is a failure of the command.
enum Answer {
  private static let unwritten = Mutex<[UInt8]>([])
  /// As much as is kept before it is written.
  private static let room = 64 << 10

  static func print(_ text: String, terminator: String = "\n") throws(OutputFailure) {
    let isFull = unwritten.withLock { bytes in
      bytes += text.utf8
      bytes += terminator.utf8
      return bytes.count >= room
    }
    if isFull { try flush() }
  }

  /// Writes all that was printed so far.
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
        // Somebody made the terminal's or the pipe's description non-blocking.
        var state = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&state, 1, -1)
      } else if errno != EINTR {
        throw OutputFailure(code: errno)
      }
    }
  }
}

/// Standard output takes no more.
struct OutputFailure: Error {
  /// errno of write(2).
  var code: Int32

  /// Whoever read the pipe has gone: no reason to say anything.
  var isClosedPipe: Bool { code == EPIPE }
}
