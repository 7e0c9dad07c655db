import Glibc
import Screen

/// Our own descriptors and `FILE`s of standard input and output, so that libraries' use of the originals (closing them,
/// printing into a buffer) does not affect ours.
@MainActor
final class TerminalStreams {
  let inputDescriptor: Int32
  /// The descriptor of the terminal for output. `output` has a separate descriptor, which `frames` redirects
  /// for a moment.
  let outputDescriptor: Int32
  let input: UnsafeMutablePointer<FILE>
  let output: UnsafeMutablePointer<FILE>
  /// The original modes of the terminal.
  private(set) var modes: termios
  private let frames: FrameBuffer
  /// The number of Dispatch sources that still watch the input, which must stay open while they do.
  private var watchers = 0
  private var isClosing = false

  init() throws(TerminalFailure) {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { throw .notATerminal(.input) }
    guard isatty(STDOUT_FILENO) == 1 else { throw .notATerminal(.output) }
    self.modes = modes
    inputDescriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    outputDescriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let drawn = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard let input = fdopen(inputDescriptor, "r"), let output = fdopen(drawn, "w") else {
      throw .system(code: errno)
    }
    (self.input, self.output) = (input, output)
    frames = FrameBuffer(terminal: outputDescriptor)
  }

  /// The size that the terminal reports, or `nil` if it does not know.
  var size: Size? {
    var window = winsize()
    guard ioctl(outputDescriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0
    else { return nil }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// The pixels of a cell that the terminal reports, or `nil` if it does not know.
  var cellPixels: Size? {
    var window = winsize()
    guard ioctl(outputDescriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0
    else { return nil }
    let cell = Size(
      columns: Int(window.ws_xpixel) / Int(window.ws_col), rows: Int(window.ws_ypixel) / Int(window.ws_row))
    return cell.isEmpty ? nil : cell
  }

  /// Whether the terminal was closed: it stays readable, but returns no bytes.
  var isHungUp: Bool {
    var state = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// Writes without curses: only between two refreshes, when its buffer is empty.
  ///
  /// - Returns: whether the terminal accepted everything.
  @discardableResult
  func send(_ sequence: String) -> Bool { send(Array(sequence.utf8)) }

  @discardableResult
  func send(_ sequence: [UInt8]) -> Bool {
    sequence.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return true }
      return Restoration.write(first, bytes.count, to: fileno(output))
    }
  }

  /// Sends everything that curses and `send` write during `draw` to the terminal in one piece.
  /// - Parameter begin: precedes it, and `end` follows it, unless it is empty.
  /// - Returns: whether the terminal accepted everything.
  func frame(begin: String, end: String, _ draw: () -> Void) -> Bool {
    frames.collect(from: fileno(output), begin: begin, end: end, draw)
  }

  /// Turns Ctrl-S, Ctrl-Q, Ctrl-V and Ctrl-O into normal keys. Ctrl-C, Ctrl-Z and Ctrl-\ stay signals, so that they
  /// also reach children and work while the program is busy.
  func freeKeys() {
    var modes = termios()
    guard tcgetattr(inputDescriptor, &modes) == 0 else { return }
    modes.c_iflag &= ~tcflag_t(IXON | IXOFF)
    modes.c_lflag &= ~tcflag_t(IEXTEN)
    tcsetattr(inputDescriptor, TCSANOW, &modes)
  }

  func restoreModes() {
    tcsetattr(inputDescriptor, TCSADRAIN, &modes)
  }

  func watcherBegan() { watchers += 1 }

  func watcherEnded() {
    watchers -= 1
    closeIfUnused()
  }

  /// Closes the streams now, or when the last watcher has ended.
  func close() {
    isClosing = true
    closeIfUnused()
  }

  private func closeIfUnused() {
    guard isClosing, watchers == 0 else { return }
    fclose(input)
    fclose(output)
    frames.close()
    closeDescriptor(outputDescriptor)
  }
}
