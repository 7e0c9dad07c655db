package import Foundation
import Synchronization

/// A program that runs in our place for a while: in our group and on our terminal, its input ours, its output passed on as
/// it comes. What it wrote last is kept.
///
/// swift-subprocess does not fit here: it moves a program into a group of its own or hides from it that a person types.
package enum PassedThroughProgram {
  /// How it ended.
  package enum Ending: Hashable, Sendable {
    case status(Int32), signal(Int32)
  }

  package struct Outcome: Sendable {
    package var ending: Ending
    package var duration: Duration
    /// The last bytes of both outputs, in the order in which they came.
    package var tail: [UInt8]
  }

  /// Runs it to its end; blocks the thread.
  ///
  /// Ctrl-C and Ctrl-\ reach it from the terminal, and we outlive them; SIGTERM and SIGHUP that come to us are sent on.
  /// Where nobody reads our output any more, its own is closed too.
  ///
  /// - Parameters:
  ///   - words: the program, looked for in PATH, and its arguments.
  ///   - environment: all of it.
  ///   - tail: how many bytes of what it wrote are kept.
  /// - Throws: where the system cannot start it; `ENOENT` where there is no such program.
  package static func run(
    _ words: [String], environment: [String: String], tail limit: Int
  ) throws(POSIXError) -> Outcome {
    let output = try pipe()
    let errors: (read: Int32, write: Int32)
    do throws(POSIXError) {
      errors = try pipe()
    } catch {
      close(output)
      throw error
    }
    let signals = SignalsOfAnother()
    let start = ContinuousClock.now
    var process: pid_t = 0
    let code = spawn(&process, words, environment, output: output.write, errors: errors.write, signals)
    Foundation.close(output.write)
    Foundation.close(errors.write)
    guard code == 0 else {
      Foundation.close(output.read)
      Foundation.close(errors.read)
      signals.restore()
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
    signals.send(to: process)
    var relay = Relay(output: output.read, errors: errors.read, limit: limit)
    let ending = relay.run(until: process)
    signals.restore()
    return Outcome(ending: ending, duration: ContinuousClock.now - start, tail: relay.tail)
  }

  /// This process writes no core from now on.
  package static func leaveNoCore() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      setrlimit(RLIMIT_CORE, &none)
    #endif
  }

  private static func pipe() throws(POSIXError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func close(_ pipe: (read: Int32, write: Int32)) {
    Foundation.close(pipe.read)
    Foundation.close(pipe.write)
  }

  private static func spawn(
    _ process: inout pid_t, _ words: [String], _ environment: [String: String], output: Int32, errors: Int32,
    _ signals: SignalsOfAnother
  ) -> Int32 {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    posix_spawnattr_init(&attributes)
    var defaults = signals.defaults
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let arguments = words.map { strdup($0) }
    let variables = environment.map { strdup("\($0)=\($1)") }
    defer { for text in arguments + variables { free(text) } }
    return posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
  }
}

/// Passes on what a program writes until it has ended and nothing more is there.
private struct Relay {
  private var sources: [(from: Int32, to: Int32)]
  private let limit: Int
  private(set) var tail: [UInt8] = []

  init(output: Int32, errors: Int32, limit: Int) {
    sources = [(output, 1), (errors, 2)]
    self.limit = limit
  }

  mutating func run(until process: pid_t) -> PassedThroughProgram.Ending {
    // Others that the program leaves behind may keep its outputs open for ever: its own end is waited for too.
    let end = EndOfProcess(process)
    while !sources.isEmpty {
      var states = sources.map { pollfd(fd: $0.from, events: Int16(POLLIN), revents: 0) }
      states.append(pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0))
      guard poll(&states, nfds_t(states.count), -1) > 0 else { continue }
      let ready = zip(sources, states).filter { $1.revents != 0 }.map(\.0)
      // What it wrote before its end is there by now.
      if ready.isEmpty, states.last?.revents != 0 { break }
      for source in ready where !passOn(source) {
        close(source.from)
        sources.removeAll { $0.from == source.from }
      }
    }
    for source in sources { close(source.from) }
    return end.wait()
  }

  /// - Returns: false once there will be no more, or nobody wants more.
  private mutating func passOn(_ source: (from: Int32, to: Int32)) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(source.from, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    let bytes = buffer[..<count]
    tail += bytes
    if tail.count > 2 * limit { tail.removeFirst(tail.count - limit) }
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(source.to, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        var state = pollfd(fd: source.to, events: Int16(POLLOUT), revents: 0)
        _ = poll(&state, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

/// A descriptor that ends when a process has ended, and how it did.
private final class EndOfProcess: Sendable {
  let descriptor: Int32
  private let status = Mutex<Int32?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(_ process: pid_t) {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    let writing = ends[1]
    Thread.detachNewThread { [self] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      self.status.withLock { $0 = status }
      if writing >= 0 { close(writing) }
      ended.signal()
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func wait() -> PassedThroughProgram.Ending {
    ended.wait()
    let status = status.withLock { $0 } ?? 0
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }
}

/// Our handling of signals while another program has the terminal; one at a time.
private final class SignalsOfAnother {
  private static let outlived = [SIGINT, SIGQUIT]
  private static let sentOn = [SIGTERM, SIGHUP]

  private var before: [(signal: Int32, action: sigaction)] = []
  /// What the program gets as if we were not here: what somebody ignored before us stays ignored.
  private(set) var defaults = sigset_t()

  init() {
    sigemptyset(&defaults)
    // Ignored by reddot itself, for its own writes.
    sigaddset(&defaults, SIGPIPE)
    receiver.store(0, ordering: .sequentiallyConsistent)
    early.store(0, ordering: .sequentiallyConsistent)
    // A handler that does nothing: the program must not inherit that they are ignored.
    for signal in Self.outlived { take(signal) { _ in } }
    for signal in Self.sentOn {
      take(signal) { signal in
        let process = receiver.load(ordering: .sequentiallyConsistent)
        if process > 0 {
          kill(process, signal)
        } else {
          early.store(signal, ordering: .sequentiallyConsistent)
        }
      }
    }
  }

  private func take(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var old = sigaction()
    sigaction(signal, nil, &old)
    guard !Self.isIgnored(old) else { return }
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
    sigaction(signal, &action, nil)
    sigaddset(&defaults, signal)
    before.append((signal, old))
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// From now on they go to the program, with one that came while it was being started.
  func send(to process: pid_t) {
    receiver.store(process, ordering: .sequentiallyConsistent)
    let signal = early.exchange(0, ordering: .sequentiallyConsistent)
    if signal > 0 { kill(process, signal) }
  }

  func restore() {
    for (signal, action) in before {
      var action = action
      sigaction(signal, &action, nil)
    }
    receiver.store(0, ordering: .sequentiallyConsistent)
  }
}

/// The program that signals are sent on to; 0 while there is none. Read by a signal handler.
private let receiver = Atomic<Int32>(0)
/// A signal that came before there was one.
private let early = Atomic<Int32>(0)
