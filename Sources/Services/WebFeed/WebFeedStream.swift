import Formats
import Foundation
import Limits
import Messages
import Transport

/// The messages of a large feed, section by section from its end: feeds list their newest entry first.
///
/// Threads make a few sections in advance, and wait until one of them is taken. Not on Dispatch's threads: tasks share
/// those, and would have to wait for this work.
final class WebFeedStream: MessageStream {
  private struct Section {
    var messages: [IncomingMessage]
    var problems: [PollProblem]
  }

  private struct State {
    /// The next section that a thread begins with, counted from the end.
    var begun = 0
    var taken = 0
    /// nil if the whole is needed.
    var made: [Int: Section?] = [:]
    /// Of what was taken: the sections in front of others come later.
    var problems: [PollProblem] = []
    var threads = 0
    var hasEnded = false
  }

  /// Sections that may wait, made or in the making.
  private static let ahead = 2

  private let feed: SectionedFeed
  private let allowance: Allowance
  private let readWhole: @Sendable () -> PollOutcome
  private let faults = SpooledBytes.faults
  private let condition = NSCondition()
  /// Accessed only while `condition` is locked.
  nonisolated(unsafe) private var state = State()

  init(_ feed: SectionedFeed, _ allowance: Allowance, whole: @escaping @Sendable () -> PollOutcome) {
    self.feed = feed
    self.allowance = allowance
    readWhole = whole
  }

  func next() throws(MessageStreamFailure) -> [IncomingMessage]? {
    condition.lock()
    defer { condition.unlock() }
    guard !state.hasEnded else { throw .ended }
    startThreads()
    let place = state.taken
    if place == feed.count { return nil }
    while !state.hasEnded, state.made[place] == nil { condition.wait() }
    guard !state.hasEnded, !allowance.isCancelled else { throw .ended }
    guard let made = state.made.removeValue(forKey: place), let section = made,
      faults == SpooledBytes.faults
    else { throw .needsWhole }
    state.taken += 1
    state.problems = section.problems + state.problems
    condition.broadcast()
    return section.messages
  }

  func complete(_ content: inout PollContent) {
    let left = max(0, Limits.feedProblems - feed.head.problems.count)
    content.problems += condition.withLock { state.problems.prefix(left) }
  }

  func end() {
    condition.withLock {
      state.hasEnded = true
      state.made = [:]
      condition.broadcast()
    }
    allowance.cancel()
  }

  func whole() throws(MessageStreamFailure) -> PollOutcome {
    let outcome = readWhole()
    if faults != SpooledBytes.faults { return .failed(.spoolFailed, outcome.hints) }
    if case .failed(.cancelled, _) = outcome { throw .ended }
    return outcome
  }

  private func startThreads() {
    guard state.threads == 0 else { return }
    // One processor is for the thread that takes the messages.
    state.threads = max(1, min(Self.ahead, ProcessInfo.processInfo.activeProcessorCount - 1))
    for _ in 0..<state.threads { Thread { [self] in work() }.start() }
  }

  private func work() {
    while let place = begin() {
      let section = make(feed.count - 1 - place)
      condition.withLock {
        if !state.hasEnded { state.made[place] = .some(section) }
        condition.broadcast()
      }
    }
  }

  /// Waits until there is something to make; nil: nothing more.
  private func begin() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while !state.hasEnded, state.begun < feed.count, state.begun - state.taken >= Self.ahead {
      condition.wait()
    }
    guard !state.hasEnded, state.begun < feed.count else { return nil }
    defer { state.begun += 1 }
    return state.begun
  }

  private func make(_ section: Int) -> Section? {
    guard let feed = feed.read(section) else { return nil }
    let problems = feed.allProblems.map(PollProblem.init)
    guard let messages = WebFeedMessages.messages(ofSection: feed, allowance) else { return nil }
    return Section(messages: messages, problems: problems)
  }
}
