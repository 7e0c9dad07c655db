import Foundation
import Platform
import TestBasics
import Testing

@Suite struct WorkThreadsTests {
  /// More than there are processors, so that tasks would have no thread left on the cooperative pool.
  private static let count = 3 * ProcessInfo.processInfo.activeProcessorCount

  @Test(.timeLimit(.minutes(HangLimit.minutes))) func workThatTakesLongKeepsNoTaskWaiting() async {
    let threads = WorkThreads()
    let gate = ThreadGate()
    let ended = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<Self.count { group.addTask(executorPreference: threads) { gate.pass() } }
      // Runs on the cooperative pool.
      group.addTask {
        for _ in 0..<Self.count { gate.open() }
        return true
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(ended == Self.count + 1)
  }

  @Test func workBeginsOnItsThreadsAndStaysThere() async {
    let threads = WorkThreads()
    let names = await threads.run {
      let before = threadName()
      await other()
      return [before, threadName()]
    }
    #expect(names == ["reddot work", "reddot work"])
  }

  @Test func aCancellationReachesTheWork() async {
    let threads = WorkThreads()
    let task = Task {
      await threads.run {
        while !Task.isCancelled { await Task.yield() }
        return true
      }
    }
    task.cancel()
    #expect(await task.value)
  }
}

@concurrent private func other() async {}

private func threadName() -> String? { Thread.current.name }

/// Blocks its thread, as reading a large document does.
private struct ThreadGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func pass() -> Bool {
    semaphore.wait()
    return true
  }

  func open() { semaphore.signal() }
}
