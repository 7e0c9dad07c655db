import Basics
import Formats
import Foundation
import HTTP
import Messages
import Platform

/// The messages of a large feed, converted section by section from the end of the feed, because feeds list their newest
/// entry first.
///
/// Threads prepare a few sections in advance, and wait until one of them is taken. Dispatch's threads aren't used:
/// tasks share those threads, and would have to wait for this work.
final class WebFeedStream: MessageStream {
  /// The messages and problems of one section of the feed.
  private struct Section {
    var messages: [IncomingMessage]
    var problems: [FormatProblem]
  }

  /// The progress of one reading of the feed.
  private struct State {
    /// The memory limit of this reading of the feed; after `restart`, there is another one.
    var allowance: Allowance
    /// The number of sections that threads have started to prepare, counted from the end of the feed.
    var begun = 0
    /// The number of sections whose messages were returned.
    var taken = 0
    /// The prepared sections, keyed by their number from the end; a section is `nil` if the whole document has to be
    /// read instead.
    var made: [Int: Section?] = [:]
    /// The problems of the sections that were taken, in document order: a section that is taken later is earlier in the
    /// document.
    var problems: [FormatProblem] = []
    var threads = 0
    var hasEnded = false
  }

  /// The number of sections that are prepared in advance, finished or not.
  private static let ahead = 2

  private let feed: SectionedFeed
  private let makeAllowance: @Sendable () -> Allowance
  private let readWhole: @Sendable () -> PollOutcome
  private let condition = NSCondition()
  /// The state, which is accessed only while `condition` is locked.
  nonisolated(unsafe) private var state: State

  /// - Parameters:
  ///   - allowance: the rest of the allowance after the head of the feed.
  ///   - makeAllowance: makes the allowance of another reading, after `restart`.
  ///   - whole: reads the whole document instead.
  init(
    _ feed: SectionedFeed, _ allowance: Allowance, makeAllowance: @escaping @Sendable () -> Allowance,
    whole: @escaping @Sendable () -> PollOutcome
  ) {
    self.feed = feed
    self.makeAllowance = makeAllowance
    state = State(allowance: allowance)
    readWhole = whole
  }

  func next() throws(MessageStreamFailure) -> [IncomingMessage]? {
    condition.lock()
    defer { condition.unlock() }
    guard !state.hasEnded else { throw .ended }
    try startThreads()
    let place = state.taken
    if place == feed.count { return nil }
    while !state.hasEnded, state.made[place] == nil { condition.wait() }
    guard !state.hasEnded, !state.allowance.isCancelled else { throw .ended }
    guard let made = state.made.removeValue(forKey: place), let section = made else { throw .needsWhole }
    state.taken += 1
    state.problems = section.problems + state.problems
    condition.broadcast()
    return section.messages
  }

  func restart() throws(MessageStreamFailure) {
    condition.lock()
    defer { condition.unlock() }
    guard !state.hasEnded, !state.allowance.isCancelled else { throw .ended }
    // The section that a thread is working on is discarded.
    state.allowance.cancel()
    state = State(allowance: makeAllowance(), threads: state.threads)
    condition.broadcast()
  }

  var problems: [FormatProblem] {
    let left = max(0, Limits.feedProblems - feed.head.problems.count)
    return condition.withLock { Array(state.problems.prefix(left)) }
  }

  func end() {
    condition.withLock {
      state.hasEnded = true
      state.made = [:]
      state.allowance.cancel()
      condition.broadcast()
    }
  }

  func whole() throws(MessageStreamFailure) -> PollOutcome {
    let outcome = readWhole()
    if case .failed(.cancelled, _) = outcome { throw .ended }
    return outcome
  }

  /// Starts the threads that prepare sections, if they don't run yet.
  ///
  /// - Throws: `needsWhole` if no thread can be started.
  private func startThreads() throws(MessageStreamFailure) {
    // One processor is left for the thread that takes the messages.
    let wanted = max(1, min(Self.ahead, Parallel.processors - 1))
    while state.threads < wanted, state.begun < feed.count {
      do throws(ThreadFailure) {
        try SystemThread.start("reddot feed") { [self] in work() }
        state.threads += 1
      } catch {
        if state.threads == 0 { throw .needsWhole }
        return
      }
    }
  }

  /// Prepares sections until none is left. This is the work of one thread.
  private func work() {
    while let (place, allowance) = begin() {
      let section = make(feed.count - 1 - place, allowance)
      condition.withLock {
        if !state.hasEnded, state.allowance === allowance { state.made[place] = .some(section) }
        condition.broadcast()
      }
    }
  }

  /// Waits for a section to prepare and returns it, or returns `nil` if there is none left and the thread should end.
  private func begin() -> (place: Int, allowance: Allowance)? {
    condition.lock()
    defer { condition.unlock() }
    while !state.hasEnded, state.begun < feed.count, state.begun - state.taken >= Self.ahead {
      condition.wait()
    }
    guard !state.hasEnded, state.begun < feed.count else {
      state.threads -= 1
      return nil
    }
    defer { state.begun += 1 }
    return (state.begun, state.allowance)
  }

  /// Reads and converts one section, or returns `nil` if the whole document has to be read.
  private func make(_ section: Int, _ allowance: Allowance) -> Section? {
    guard let feed = feed.read(section, allowance) else { return nil }
    let problems = feed.allProblems
    guard let messages = WebFeedMessages.messages(ofSection: feed, allowance) else { return nil }
    return Section(messages: messages, problems: problems)
  }
}
