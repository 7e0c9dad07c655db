import CThreads
import Foundation

/// The system gave this process no further thread: a limit on processes or memory is reached.
package struct ThreadFailure: Error, Hashable, Sendable {
  /// The errno of pthread_create(3).
  package var code: Int32

  /// The reason, as a clause.
  package var reason: String { "no further thread can be started: \(String(cString: strerror(code)))" }

  /// The reason and the remedy, without a full stop.
  package var sentence: String {
    "\(reason); end other programs, or raise the limits of processes and memory (ulimit -u, ulimit -v)"
  }
}

/// Starts threads; all threads are started here.
///
/// Foundation's `Thread` ignores a refusal of the system, and Dispatch retries once a second, without end, so that code
/// that waits for its work hangs.
package enum SystemThread {
  /// The stack of a thread with deep calls, in bytes. Only the used part needs memory.
  package static let usualStack = 8 << 20
  /// The number of threads that a program with a network, a database, timers and programs has at the same time.
  private static let many = 12

  private final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
  }

  /// Runs `body` on its own thread, which ends afterwards.
  ///
  /// - Parameter name: the name for debuggers, up to 15 bytes of ASCII.
  package static func start(
    _ name: String, stackBytes: Int = usualStack, _ body: @escaping @Sendable () -> Void
  ) throws(ThreadFailure) {
    let box = Unmanaged.passRetained(Body(name, body))
    let code = ct_start_thread(
      stackBytes,
      { context in
        let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        ct_name_thread(body.name)
        body.run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw ThreadFailure(code: code)
    }
  }

  /// Throws if the system doesn't give this process as many threads at the same time as a program with a network and a
  /// database needs. Some libraries wait forever for a thread that they don't get, so they must not start.
  ///
  /// This takes half a millisecond.
  package static func checkThatThereAreMany() throws(ThreadFailure) {
    let gate = Gate()
    defer { gate.open() }
    for _ in 0..<many {
      gate.willStart()
      do throws(ThreadFailure) {
        try start("reddot check") { gate.pass() }
      } catch {
        gate.didNotStart()
        throw error
      }
    }
  }

  /// Holds threads until all exist, and returns after the last of them has passed.
  private final class Gate: Sendable {
    private let condition = NSCondition()
    // Accessed only while `condition` is locked.
    nonisolated(unsafe) private var isOpen = false
    nonisolated(unsafe) private var running = 0

    func willStart() { condition.withLock { running += 1 } }

    func didNotStart() { condition.withLock { running -= 1 } }

    func pass() {
      condition.withLock {
        while !isOpen { condition.wait() }
        running -= 1
        condition.broadcast()
      }
    }

    func open() {
      condition.withLock {
        isOpen = true
        condition.broadcast()
        while running > 0 { condition.wait() }
      }
    }
  }
}
