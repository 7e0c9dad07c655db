import Foundation
import TerminalHarness
import TestBasics

/// A command's exit status and output.
struct Ran: Hashable, Sendable {
  var exit: PseudoTerminal.Exit
  var outputBytes: [UInt8]
  var errorBytes: [UInt8]

  var output: String { String(decoding: outputBytes, as: UTF8.self) }
  var errors: String { String(decoding: errorBytes, as: UTF8.self) }
}

/// A command while it runs, on pipes. Waiting is reading, up to a deadline; it is killed with the object.
final class Running {
  let process: Int32
  private var output: Int32
  private var errors: Int32
  private(set) var outputBytes: [UInt8] = []
  private(set) var errorBytes: [UInt8] = []
  private var exit: PseudoTerminal.Exit?
  private let home: AnyObject?

  /// - Parameter home: an object that must live as long as the command.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], input: String = "/dev/null",
    keeping home: AnyObject? = nil
  ) throws {
    self.home = home
    let (output, outputEnd) = try Self.pipe()
    let (errors, errorEnd) = try Self.pipe()
    defer {
      close(outputEnd)
      close(errorEnd)
    }
    (self.output, self.errors) = (output, errors)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
    posix_spawn_file_actions_adddup2(&actions, errorEnd, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let words = ([program] + arguments).map { strdup($0) }
    let variables = environment.map { strdup("\($0)=\($1)") }
    defer { for text in words + variables { free(text) } }
    var process: Int32 = 0
    let code = posix_spawn(&process, program, &actions, &attributes, words + [nil], variables + [nil])
    self.process = process
    guard code == 0 else {
      exit = .status(127)
      throw HouseholdFailure("\(program) does not start: errno \(code)")
    }
  }

  deinit {
    if exit == nil {
      Foundation.kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    if output >= 0 { close(output) }
    if errors >= 0 { close(errors) }
  }

  /// A pipe that no other program inherits.
  private static func pipe() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    // This replaces pipe2(2), for which Swift has no name.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let code = socketpair(AF_UNIX, kind, 0, &ends)
    guard code == 0 else { throw HouseholdFailure("no pipe: errno \(errno)") }
    return (ends[0], ends[1])
  }

  /// The text on standard error so far.
  var errorText: String { String(decoding: errorBytes, as: UTF8.self) }

  /// Whether the process is still there.
  var isRunning: Bool {
    exit == nil && Foundation.kill(process, 0) == 0 && waitpid(process, nil, WNOHANG) == 0
  }

  // MARK: - Waiting

  /// Reads the output that arrives within some milliseconds.
  /// - Returns: `false` once the program has closed both outputs.
  @discardableResult
  private func read(for milliseconds: Int32) -> Bool {
    guard output >= 0 || errors >= 0 else { return false }
    var states = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&states, 2, milliseconds) > 0 else { return true }
    if states[0].revents != 0 { take(&output, into: &outputBytes) }
    if states[1].revents != 0 { take(&errors, into: &errorBytes) }
    return output >= 0 || errors >= 0
  }

  private func take(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = Foundation.read(descriptor, &buffer, buffer.count)
    if count > 0 {
      bytes.append(contentsOf: buffer.prefix(count))
    } else {
      close(descriptor)
      descriptor = -1
    }
  }

  func wait(
    for what: String, within limit: Duration = HangLimit.duration, until holds: (Running) throws -> Bool
  ) throws {
    let deadline = ContinuousClock.now + limit
    while try !holds(self) {
      let isOpen = read(for: 5)
      if ContinuousClock.now > deadline || !isOpen {
        if try holds(self) { return }
        throw HouseholdFailure("no \(what): \(String(decoding: outputBytes + errorBytes, as: UTF8.self))")
      }
    }
  }

  func waitForEnd(within limit: Duration = HangLimit.duration) throws -> Ran {
    let deadline = ContinuousClock.now + limit
    while read(for: 50) {
      if ContinuousClock.now > deadline {
        throw HouseholdFailure(
          "does not end within \(limit): \(String(decoding: outputBytes + errorBytes, as: UTF8.self))")
      }
    }
    return reap()
  }

  /// Lets it run for at most that time, then kills it with SIGKILL.
  func kill(after time: Duration) -> Ran {
    let deadline = ContinuousClock.now + time
    while ContinuousClock.now < deadline {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      guard read(for: Int32(max(0, left.rounded(.down)))) else { return reap() }
    }
    Foundation.kill(process, SIGKILL)
    while read(for: 1000) {}
    return reap()
  }

  private func reap() -> Ran {
    if exit == nil {
      var status: Int32 = 0
      waitpid(process, &status, 0)
      let signal = status & 0x7F
      exit = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
    return Ran(exit: exit ?? .status(0), outputBytes: outputBytes, errorBytes: errorBytes)
  }
}

/// Runs blocking work on its own thread.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}
