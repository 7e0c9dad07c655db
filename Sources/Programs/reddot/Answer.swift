import Foundation
import Platform
import Profile
import Screen
import Synchronization

/// Buffers a command's output for standard output. If it cannot be written, the command fails.
enum Answer {
  private static let unwritten = Mutex<[UInt8]>([])
  /// The number of bytes that are buffered before they are written.
  private static let room = 64 << 10

  static func print(_ text: String, terminator: String = "\n") throws(OutputFailure) {
    let isFull = unwritten.withLock { bytes in
      bytes += text.utf8
      bytes += terminator.utf8
      return bytes.count >= room
    }
    if isFull { try flush() }
  }

  /// Prints a line with its styles, if standard output shows any.
  static func print(_ line: StyledText, _ styles: OutputStyles) throws(OutputFailure) {
    try print(styles.text(line))
  }

  static func print(_ lines: [StyledText], _ styles: OutputStyles) throws(OutputFailure) {
    for line in lines { try print(line, styles) }
  }

  /// Prints a report: a line for each row, as text or as JSON.
  static func print<Row>(
    _ report: Report<Row>, json: Bool, _ styles: OutputStyles
  ) throws(OutputFailure) {
    guard json else { return try print(report.lines(forTerminal: styles.areShown), styles) }
    for line in report.jsonLines { try print(line) }
  }

  /// Ends the process when standard output has no reader any more, as a closed pipe ends a program that does not handle
  /// it.
  static func endWithItsReader() throws(ThreadFailure) {
    try SystemThread.start("reddot reader", stackBytes: 256 << 10) {
      // Since no events are waited for, the call returns only when the reader has exited.
      var state = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&state, 1, -1) <= 0 {
        guard errno == EINTR else { return }
      }
      InboxRun.die(of: SIGPIPE)
    }
  }

  /// Writes all buffered output.
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

/// A failure to write standard output.
struct OutputFailure: Error {
  /// The errno of write(2).
  var code: Int32

  /// Whether the reader of the pipe has exited, which needs no message.
  var isClosedPipe: Bool { code == EPIPE }
}
