import CThreads
import Dispatch
import Glibc

/// The main thread's loop: it waits for readable descriptors and for work of the main actor.
///
/// With Dispatch's own loop a key wakes two threads: one that waits for descriptors, and one of a pool that serves the
/// main queue. Here the main thread does both.
@MainActor
package enum MainLoop {
  /// Whether descriptors are watched here. They are not in tests, whose main thread belongs to the test runner.
  package private(set) static var isRunning = false
  private static var watches: [InputWatch] = []
  /// The functions to call for watches that have ended, once no handler can still use the descriptor.
  private static var ends: [@MainActor () -> Void] = []

  /// Runs until the process ends. Called once, on the main thread.
  package static func run() -> Never {
    isRunning = true
    let queue = ct_main_queue_descriptor()
    while true { turn(queue) }
  }

  static func add(_ watch: InputWatch) { watches.append(watch) }

  static func remove(_ watch: InputWatch, then end: @escaping @MainActor () -> Void) {
    watches.removeAll { $0 === watch }
    ends.append(end)
  }

  /// Waits, without a time limit, and handles the events.
  private static func turn(_ queue: Int32) {
    let watched = watches
    var states = watched.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    states.append(pollfd(fd: queue, events: Int16(POLLIN), revents: 0))
    // A signal ends the wait; its handler has written to a watched descriptor.
    guard poll(&states, nfds_t(states.count), -1) > 0 else { return }
    // A handler may end the watch of another one.
    for (watch, state) in zip(watched, states) where state.revents != 0 && watch.isActive { watch.handle() }
    if states.last?.revents != 0 {
      var count: UInt64 = 0
      _ = read(queue, &count, MemoryLayout<UInt64>.size)
      ct_run_main_queue()
    }
    let ended = ends
    ends = []
    for end in ended { end() }
  }
}
