package import Foundation
import Synchronization

/// A program that runs in our process group and on our terminal, with our input. Its output is forwarded immediately,
/// and the end of it is kept.
package enum PassedThroughProgram {
  package typealias Ending = ProgramEnding

  package struct Outcome: Sendable {
    package var ending: Ending
    package var duration: Duration
    /// The last bytes of both outputs, in the order of their arrival.
    package var tail: [UInt8]
  }

  /// Runs the program to its end; blocks the thread.
  ///
  /// The terminal sends Ctrl-C and Ctrl-\ to the program, and they do not end us. SIGTERM and SIGHUP that we receive
  /// are forwarded to it. If our output is closed, its output is closed too.
  ///
  /// - Parameters:
  ///   - words: the program, searched in PATH, and its arguments.
  ///   - environment: the whole environment.
  ///   - tail: the number of bytes to keep from the end of its output; up to twice as many are kept.
  /// - Throws: if the program cannot be started; `ENOENT` if it does not exist.
  package static func run(
    _ words: [String], environment: [String: String], tail limit: Int
  ) throws(POSIXError) -> Outcome {
    let output = try Descriptors.pipe()
    let errors: (read: Int32, write: Int32)
    do throws(POSIXError) {
      errors = try Descriptors.pipe()
    } catch {
      close(output)
      throw error
    }
    let signals = ForwardedSignals()
    let start = ContinuousClock.now
    var program = ProgramStart(words: words, environment: environment)
    program.descriptors = [(1, output.write), (2, errors.write)]
    program.defaults = signals.defaults
    defer { signals.restore() }
    let child: Child
    do throws(POSIXError) {
      child = try Child(program)
    } catch {
      close(output)
      close(errors)
      throw error
    }
    Foundation.close(output.write)
    Foundation.close(errors.write)
    signals.send(to: child.id)
    var relay = Relay(output: output.read, errors: errors.read, limit: limit)
    let ending = relay.run(until: child)
    return Outcome(ending: ending, duration: ContinuousClock.now - start, tail: relay.tail)
  }

  /// Disables core dumps of this process.
  package static func leaveNoCore() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  private static func close(_ pipe: (read: Int32, write: Int32)) {
    Foundation.close(pipe.read)
    Foundation.close(pipe.write)
  }
}

/// Forwards a program's output until the program has ended and everything is read.
private struct Relay {
  private var sources: [(from: Int32, to: Int32)]
  private let limit: Int
  private(set) var tail: [UInt8] = []

  init(output: Int32, errors: Int32, limit: Int) {
    sources = [(output, 1), (errors, 2)]
    self.limit = limit
  }

  mutating func run(until child: Child) -> PassedThroughProgram.Ending {
    // The program's child processes may keep the outputs open forever, so its own end is awaited too.
    while !sources.isEmpty {
      var states = sources.map { pollfd(fd: $0.from, events: Int16(POLLIN), revents: 0) }
      states.append(pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0))
      guard Descriptors.wait(for: &states, until: nil) else { break }
      let ready = zip(sources, states).filter { $1.revents != 0 }.map(\.0)
      // The process has ended, and all its output is read.
      if ready.isEmpty, states.last?.revents != 0 { break }
      for source in ready where !forward(source) {
        close(source.from)
        sources.removeAll { $0.from == source.from }
      }
    }
    for source in sources { close(source.from) }
    return child.reap()
  }

  /// - Returns: `false` at the end of the output, or if our output is closed.
  private mutating func forward(_ source: (from: Int32, to: Int32)) -> Bool {
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
        var states = [pollfd(fd: source.to, events: Int16(POLLOUT), revents: 0)]
        _ = Descriptors.wait(for: &states, until: nil)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

/// Handles signals while another program has the terminal. Only one instance may exist at a time.
private final class ForwardedSignals {
  private static let fromTerminal = [SIGINT, SIGQUIT]
  private static let forwarded = [SIGTERM, SIGHUP]

  private var before: [(signal: Int32, action: sigaction)] = []
  /// The signals that have their default action in the program. Signals that were ignored before reddot started stay
  /// ignored.
  private(set) var defaults = sigset_t()

  init() {
    sigemptyset(&defaults)
    // reddot ignores SIGPIPE for its own writes.
    sigaddset(&defaults, SIGPIPE)
    receiver.store(0, ordering: .sequentiallyConsistent)
    early.store(0, ordering: .sequentiallyConsistent)
    // The handler is empty, since an ignored signal would be ignored in the program too.
    for signal in Self.fromTerminal { handle(signal) { _ in } }
    for signal in Self.forwarded {
      handle(signal) { signal in
        let process = receiver.load(ordering: .sequentiallyConsistent)
        if process > 0 {
          kill(process, signal)
        } else {
          early.store(signal, ordering: .sequentiallyConsistent)
        }
      }
    }
  }

  /// Sets the handler of a signal, unless the signal was ignored before.
  private func handle(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var old = sigaction()
    sigaction(signal, nil, &old)
    guard !Self.isIgnored(old) else { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    sigaction(signal, &action, nil)
    sigaddset(&defaults, signal)
    before.append((signal, old))
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    let handler = action.__sigaction_handler.sa_handler
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Starts to forward the signals to the program, including one that arrived during its start.
  func send(to process: pid_t) {
    receiver.store(process, ordering: .sequentiallyConsistent)
    let signal = early.exchange(0, ordering: .sequentiallyConsistent)
    if signal > 0 { kill(process, signal) }
  }

  /// Restores the earlier actions of the signals.
  func restore() {
    for (signal, action) in before {
      var action = action
      sigaction(signal, &action, nil)
    }
    receiver.store(0, ordering: .sequentiallyConsistent)
  }
}

/// The process that signals are forwarded to; 0 if there is none. A signal handler reads it.
private let receiver = Atomic<Int32>(0)
/// A signal that arrived before `receiver` was set.
private let early = Atomic<Int32>(0)
