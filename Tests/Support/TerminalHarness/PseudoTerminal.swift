import Foundation
import Glibc
import Synchronization

/// A program in its own terminal: it gets keys, and its output is shown on a ``VirtualScreen``.
///
/// Waiting means reading the program's output, up to a deadline, without sleeping. It is used by one thread at a time;
/// the program is killed with the object.
package final class PseudoTerminal {
  package enum Exit: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  /// The terminal's modes, for a comparison before and after.
  package struct Modes: Hashable, Sendable {
    package let input, output, control, local: UInt
    package let characters: [UInt8]
  }

  /// Everything that the program wrote.
  package private(set) var bytes: [UInt8] = []
  package private(set) var screen: VirtualScreen
  package private(set) var exit: Exit?
  package private(set) var process: Int32 = 0

  /// The processor time of the program's process until now, of all its threads; `nil` if it has ended.
  package var processorTime: Duration? {
    var clock = clockid_t()
    var time = timespec()
    guard process > 0, clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private var home: AnyObject?
  private var master: Int32
  /// The terminal, which is kept open so that the modes can be read and nothing is lost after the program's end.
  private let terminal: Int32
  private let path: String

  /// The size of a cell in pixels, which the terminal reports; `nil` if it doesn't.
  private let cell: (width: Int, height: Int)?

  package init(
    columns: Int = 80, rows: Int = 24, cell: (width: Int, height: Int)? = nil, hasWideSigns: Bool = false
  ) throws {
    self.cell = cell
    var name = [CChar](repeating: 0, count: 256)
    let ends = forkLock.withLock { _ -> (master: Int32, terminal: Int32)? in
      var ends: (master: Int32, terminal: Int32) = (-1, -1)
      guard openpty(&ends.master, &ends.terminal, &name, nil, nil) == 0 else { return nil }
      _ = fcntl(ends.master, F_SETFD, FD_CLOEXEC)
      _ = fcntl(ends.terminal, F_SETFD, FD_CLOEXEC)
      return ends
    }
    guard let ends else {
      throw PseudoTerminalFailure("there is no pseudo-terminal to be had: errno \(errno)")
    }
    (master, terminal) = ends
    path = name.withUnsafeBufferPointer {
      String(decoding: $0.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
    screen = VirtualScreen(columns: columns, rows: rows, hasWideSigns: hasWideSigns)
    setSize(columns, rows)
  }

  deinit {
    if process > 0, exit == nil {
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    if master >= 0 { close(master) }
    close(terminal)
  }

  // MARK: - The program

  /// Starts a program as the leader of a separate session with this as its controlling terminal.
  /// - Parameters:
  ///   - environment: the whole environment; `TERM` and a UTF-8 locale are added if missing.
  ///   - home: an object that must live as long as the program.
  package func start(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    keeping home: AnyObject? = nil
  ) throws {
    self.home = home
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // The first terminal that a session's leader opens becomes its controlling one.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let basics = [
      "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin",
      // Swift's own crash report would wait for a key.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    let variables = basics.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let code = withCStrings([program] + arguments) { arguments in
      withCStrings(variables) { variables in
        forkLock.withLock { _ in
          posix_spawn(&process, program, &actions, &attributes, arguments, variables)
        }
      }
    }
    guard code == 0 else { throw PseudoTerminalFailure("\(program) does not start: errno \(code)") }
  }

  /// Sends a signal to the program or, with `toForeground`, to the group that has the terminal, which differs if the
  /// program is a shell.
  package func signal(_ signal: Int32, toForeground: Bool = false) {
    kill(toForeground ? -tcgetpgrp(master) : process, signal)
  }

  // MARK: - The terminal

  package func send(_ text: String) { send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
      // A terminal whose output isn't read accepts no more input at some point.
      read(for: 0)
    }
  }

  /// Sends the terminal's responses to the queries for the cursor's position so far.
  package func answerPositions() { send(screen.takePositionAnswers()) }

  /// Shows text that was on the terminal before the program.
  package func pretend(_ text: String) { screen.feed(Array(text.utf8)) }

  package func resize(columns: Int, rows: Int) {
    read(for: 0)
    screen.resize(columns: columns, rows: rows)
    setSize(columns, rows)
  }

  /// Closes the terminal, like its window: the program gets SIGHUP, and then errors.
  package func hangUp() {
    close(master)
    master = -1
  }

  package var modes: Modes {
    var modes = termios()
    tcgetattr(terminal, &modes)
    let characters = withUnsafeBytes(of: modes.c_cc) { Array($0) }
    return Modes(
      input: UInt(modes.c_iflag), output: UInt(modes.c_oflag), control: UInt(modes.c_cflag),
      local: UInt(modes.c_lflag), characters: characters)
  }

  private func setSize(_ columns: Int, _ rows: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    if let cell {
      size.ws_xpixel = UInt16(columns * cell.width)
      size.ws_ypixel = UInt16(rows * cell.height)
    }
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  // MARK: - Reading

  /// Waits up to that many milliseconds for output, without reading it.
  /// - Returns: whether there is any.
  package func hasOutput(within milliseconds: Int32) -> Bool {
    var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    return master >= 0 && poll(&state, 1, milliseconds) == 1 && state.revents & Int16(POLLIN) != 0
  }

  /// Reads the available output, or waits up to that many milliseconds for some.
  /// - Returns: whether there was any.
  @discardableResult
  package func read(for milliseconds: Int32) -> Bool {
    guard master >= 0 else { return false }
    var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    var came = false
    var wait = milliseconds
    while poll(&state, 1, wait) == 1, state.revents & Int16(POLLIN) != 0 {
      guard readPiece() != nil else { break }
      came = true
      wait = 0
    }
    return came
  }

  /// Reads until the given text is in one piece of output, without interpreting it as a screen.
  /// - Returns: the time of that piece, or `nil` if it did not come in time.
  package func time(ofText text: String, within limit: Duration = .seconds(20)) -> ContinuousClock.Instant? {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      guard hasOutput(within: 20) else { continue }
      let now = ContinuousClock.now
      guard let piece = readPiece() else { return nil }
      if String(decoding: piece, as: UTF8.self).contains(text) { return now }
    }
    return nil
  }

  /// Returns the next piece, or `nil` at the end of the output.
  private func readPiece() -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = Foundation.read(master, &buffer, buffer.count)
    guard count > 0 else { return nil }
    bytes.append(contentsOf: buffer.prefix(count))
    screen.feed(buffer.prefix(count))
    return buffer.prefix(count)
  }

  /// Notices the program's end.
  package func checkExit() {
    guard exit == nil, process > 0 else { return }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return }
    let signal = status & 0x7F
    exit = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }
}

package struct PseudoTerminalFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// A lock that prevents other tests from starting a program between the opening of a terminal and its mark as
/// close-on-exec: such a program would keep the terminal open.
private let forkLock = Mutex(())

private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
