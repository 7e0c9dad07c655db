import Foundation
import Platform
import Synchronization

/// Runs the independent parts of a computation on several threads, one for each processor.
///
/// It doesn't use Dispatch's threads: tasks share those threads, and would have to wait for this work.
enum Parallel {
  /// The number of threads that can run at the same time. The results do not depend on it.
  static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Computes the values for the indices below `count`, and returns them by part, in order. The calling thread also
  /// computes parts, and returns when all are done.
  ///
  /// - Parameters:
  ///   - size: the number of values in a part.
  ///   - isUnwanted: called before each part; once it returns `true`, no other part is started, and missing parts are
  ///     empty.
  ///   - make: returns the value for an index.
  static func map<Value: Sendable>(
    count: Int, inPartsOf size: Int, unless isUnwanted: @escaping @Sendable () -> Bool,
    _ make: @escaping @Sendable (Int) -> Value
  ) -> [[Value]] {
    let parts = (count + size - 1) / size
    let work = Work(parts: parts) { part in
      (part * size..<min(count, (part + 1) * size)).map(make)
    }
    let helpers = min(parts, processors) - 1
    let done = DispatchSemaphore(value: 0)
    var started = 0
    // If no thread can be started, the others compute its parts.
    while started < helpers,
      (try? SystemThread.start("reddot parallel") {
        work.run(unless: isUnwanted)
        done.signal()
      }) != nil
    {
      started += 1
    }
    work.run(unless: isUnwanted)
    for _ in 0..<started { done.wait() }
    return work.takeResults()
  }

  /// The parts of one computation, from which each thread takes the next one.
  private final class Work<Value: Sendable>: Sendable {
    private let next = Atomic(0)
    private let made: Mutex<[[Value]]>
    private let parts: Int
    private let make: @Sendable (Int) -> [Value]

    init(parts: Int, _ make: @escaping @Sendable (Int) -> [Value]) {
      self.parts = parts
      self.make = make
      made = Mutex(Array(repeating: [], count: parts))
    }

    /// Returns the results and removes them, because a thread that is just ending may keep this object alive.
    func takeResults() -> [[Value]] {
      made.withLock { made in
        defer { made = [] }
        return made
      }
    }

    /// Computes parts until none is left.
    func run(unless isUnwanted: () -> Bool) {
      while !isUnwanted() {
        let part = next.add(1, ordering: .relaxed).oldValue
        guard part < parts else { return }
        let values = make(part)
        made.withLock { $0[part] = values }
      }
    }
  }
}
