import Basics
import Foundation
import Messages
import Polling
import Testing

/// A store in memory that several pollers may share, as processes share a database.
actor MemoryStore: PollRecording {
  private(set) var memory = PollMemory()
  private(set) var positions: [SourceID: PollPosition] = [:]
  private(set) var reports: [PollReport] = []
  private(set) var notes: [PollAttempt] = []
  private var attempts: [SourceID: PollAttempt] = [:]
  private var messages: [SourceID: Set<String>] = [:]
  private var locked: Set<SourceID> = []
  private var waiting: [SourceID: [AsyncStream<Void>.Continuation]] = [:]
  private var recordFailures: [FetchFailure] = []
  private var readFailure: FetchFailure?
  private(set) var leases = 0
  private var paused: [Door: AsyncStream<Void>] = [:]
  private var reached: [Door: AsyncStream<Void>.Continuation] = [:]

  /// A call that waits until the test continues it.
  enum Door: Hashable { case read, acquire, record }

  init(_ memory: PollMemory = PollMemory()) { self.memory = memory }

  func memory(of sources: [SourceID]) async throws(FetchFailure) -> PollMemory {
    if let readFailure { throw readFailure }
    var some = memory
    some.states = some.states.filter { sources.contains($0.key) }
    await pause(at: .read)
    return some
  }

  func lastAttempt(of source: SourceID) -> PollAttempt? { attempts[source] }

  func acquire(_ source: SourceID) async -> (any PollLease)? {
    await pause(at: .acquire)
    guard locked.insert(source).inserted else { return nil }
    leases += 1
    return MemoryLease(source: source, store: self)
  }

  func turn(of source: SourceID) async throws(FetchFailure) -> PollTurn? {
    guard let lease = await acquire(source) else { return nil }
    do throws(FetchFailure) {
      return PollTurn(
        lease: lease, memory: try await memory(of: [source]), position: positions[source] ?? PollPosition())
    } catch {
      await lease.release()
      throw error
    }
  }

  func waitUntilFree(_ source: SourceID) async {
    guard locked.contains(source) else { return }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    waiting[source, default: []].append(continuation)
    for await _ in stream {}
  }

  func unlock(_ source: SourceID) {
    if locked.remove(source) == nil { Issue.record("a lease was released twice") }
    for waiter in waiting.removeValue(forKey: source) ?? [] { waiter.finish() }
  }

  var lockedCount: Int { locked.count }
  var waiters: Int { waiting.values.map(\.count).reduce(0, +) }

  func record(_ report: PollReport) async throws(FetchFailure) -> PollCounts {
    await pause(at: .record)
    if !locked.contains(report.source) { Issue.record("recorded without a lease") }
    if !recordFailures.isEmpty { throw recordFailures.removeFirst() }
    var counts = PollCounts()
    if case .content(var content, _) = report.outcome {
      if let stream = content.stream {
        do throws(MessageStreamFailure) {
          while let part = try stream.next() { content.messages += part }
        } catch {
          throw .cancelled
        }
        counts.problems = stream.problems
        content.problems += counts.problems
      }
      positions[report.source] = content.position
      for message in content.messages {
        if messages[report.source, default: []].insert(message.remoteID.text).inserted { counts.new += 1 }
      }
    }
    // Real stores keep milliseconds.
    var state = report.state
    state.lastAttemptEnd = state.lastAttemptEnd.map(Self.rounded)
    state.lastAttemptStart = state.lastAttemptStart.map(Self.rounded)
    memory.states[report.source] = state
    if let hold = report.hold { memory.holds[hold.host] = hold.until }
    attempts[report.source] = report.attempt(counts)
    reports.append(report)
    return counts
  }

  func addToTimeline(_ attempts: [PollAttempt]) { notes += attempts }

  /// Stops the next such call until the returned `open` is called; `arrived` ends when the call is there.
  func close(_ door: Door) -> (arrived: AsyncStream<Void>, open: @Sendable () -> Void) {
    let (waiting, opener) = AsyncStream.makeStream(of: Void.self)
    let (arrived, bell) = AsyncStream.makeStream(of: Void.self)
    paused[door] = waiting
    reached[door] = bell
    return (arrived, { opener.finish() })
  }

  private func pause(at door: Door) async {
    guard let waiting = paused.removeValue(forKey: door) else { return }
    reached.removeValue(forKey: door)?.finish()
    for await _ in waiting {}
  }

  func failRecords(_ failures: [FetchFailure]) { recordFailures = failures }
  func failReads(_ failure: FetchFailure?) { readFailure = failure }

  private static func rounded(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

struct MemoryLease: PollLease {
  let source: SourceID
  let store: MemoryStore

  func release() async { await store.unlock(source) }
}
