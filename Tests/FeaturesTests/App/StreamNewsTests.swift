import Basics
import Foundation
import Messages
import Synchronization
import Testing

@testable import Polling

/// When the news of a push channel lead to polls.
@Suite struct StreamNewsTests {
  /// A clock whose sleeps end immediately, after the events that happen meanwhile.
  private final class Sleeps: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    let minimumResolution = Duration.zero
    private let start = ContinuousClock.now
    private let state = Mutex((passed: Duration.zero, sleeps: [Duration]()))
    private let meanwhile: @Sendable (_ sleep: Duration, _ number: Int) -> Void

    init(meanwhile: @escaping @Sendable (_ sleep: Duration, _ number: Int) -> Void = { _, _ in }) {
      self.meanwhile = meanwhile
    }

    var now: Instant { start + state.withLock { $0.passed } }
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func pass(_ time: Duration) { state.withLock { $0.passed += time } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      let sleep = now.duration(to: deadline)
      let number = state.withLock { state in
        state.passed += sleep
        state.sleeps.append(sleep)
        return state.sleeps.count
      }
      meanwhile(sleep, number)
    }
  }

  private static let grace = Duration.seconds(180)

  /// - Returns: the number of polls, and the waits between them.
  private func follow(
    _ results: [RefreshResult], first: (StreamNews) -> Void,
    meanwhile: @escaping @Sendable (StreamNews, _ sleep: Duration, _ number: Int) -> Void
  ) async -> (polls: Int, waits: [Duration]) {
    let told = Mutex<StreamNews?>(nil)
    let clock = Sleeps { sleep, number in
      if let news = told.withLock({ $0 }) { meanwhile(news, sleep, number) }
    }
    let news = StreamNews(grace: Self.grace, clock)
    told.withLock { $0 = news }
    defer { told.withLock { $0 = nil } }
    first(news)
    var polls = 0
    await news.follow {
      polls += 1
      return polls <= results.count ? results[polls - 1] : .new(count: 1)
    }
    return (polls, clock.sleeps)
  }

  @Test func newsThatBringSomethingAreFetchedEachSecond() async {
    let (polls, waits) = await follow([], first: { $0.came() }) { news, _, number in
      if number < 5 { news.came() } else { news.finish() }
    }
    #expect(polls == 5 && waits == Array(repeating: .seconds(1), count: 5))
  }

  @Test func aFloodMakesOnePollInTheGrace() async {
    let (polls, waits) = await follow([], first: { $0.opened() }) { news, sleep, number in
      // A hundred a second.
      for _ in 0..<100 { news.came() }
      if number == 6 { news.finish() }
    }
    #expect(polls == 4)
    #expect(waits == (1...4).flatMap { _ in [.seconds(1), Self.grace - .seconds(1)] })
  }

  @Test func newsThatBringNothingMakeOnePollInTheGrace() async {
    let nothing = Array(repeating: RefreshResult.nothingNew, count: 10)
    let (polls, waits) = await follow(nothing, first: { $0.opened() }) { news, _, number in
      if number < 6 { news.came() } else { news.finish() }
    }
    // The one of the opening finds nothing without blame, nor does a single other one.
    #expect(waits.prefix(4) == [.seconds(1), .seconds(1), .seconds(1), Self.grace - .seconds(1)])
    #expect(polls == 5 && waits.filter { $0 > .seconds(1) }.count == 3)
  }

  @Test func aChannelThatEndsAtOnceIsOpenedLessAndLessOften() async {
    let clock = Sleeps()
    var opened = 0
    await StreamKeeper.hold(clock, { 0 }) {
      opened += 1
      if opened == 4 { clock.pass(.seconds(60)) }
      return opened == 6 ? .none : .closed
    }
    #expect(clock.sleeps == [.seconds(10), .seconds(20), .seconds(40), .seconds(5), .seconds(10)])
  }

  // MARK: Requests that the server holds

  private static let asked = PollPosition(cursor: Cursor("4"))
  private static let nothing = HeldAnswer(position: asked, outcome: .notModified(asked, PollHints()))

  /// - Parameter number: of the request, from 1.
  private func longPolls(
    _ clock: Sleeps, opening: RefreshResult = .nothingNew, ask: (_ number: Int) -> HeldAnswer?
  ) async -> (ending: StreamEnding, requests: Int, stored: Int) {
    var (requests, stored) = (0, 0)
    let long = LongPoll(wait: .seconds(50), clock: clock, now: { Date(timeIntervalSince1970: 0) })
    let ending = await long.run(
      open: { opening }, opened: {},
      ask: {
        requests += 1
        return ask(requests)
      },
      store: { _ in
        stored += 1
        return .new(count: 1)
      })
    return (ending, requests, stored)
  }

  @Test func aServerThatDoesNotHoldRequestsIsAskedLessAndLessOften() async {
    let clock = Sleeps()
    var rounds = 0
    await StreamKeeper.hold(clock, { 0 }) {
      rounds += 1
      let (ending, requests, _) = await longPolls(clock) { _ in Self.nothing }
      #expect(requests == 1)
      return rounds == 4 ? .none : ending
    }
    #expect(clock.sleeps == [.seconds(10), .seconds(20), .seconds(40)])
  }

  @Test func aHeldRequestIsFollowedByTheNextOneAndNewsAreStored() async {
    let clock = Sleeps()
    let news = HeldAnswer(
      position: Self.asked,
      outcome: .content(PollContent(messages: [], position: PollPosition(cursor: Cursor("5"))), PollHints()))
    let (ending, requests, stored) = await longPolls(clock) { number in
      if number < 4 { clock.pass(.seconds(50)) }
      return number == 2 ? news : Self.nothing
    }
    guard case .closed = ending else {
      Issue.record("\(ending)")
      return
    }
    #expect(requests == 4 && stored == 1)
    #expect(clock.sleeps == [Limits.nativeWaitPause])
  }

  @Test func whatServersSayOfWaitingIsKept() async {
    let clock = Sleeps()
    let until = Date(timeIntervalSince1970: 60)
    let (ending, requests, _) = await longPolls(
      clock, opening: .heldBack(until: until, rule: .retryAfter(host: "hub.example"))
    ) { _ in nil }
    guard case .heldBack(.seconds(60)) = ending else {
      Issue.record("\(ending)")
      return
    }
    #expect(requests == 0)
    var endings: [StreamEnding] = [ending, .none]
    await StreamKeeper.hold(clock, { 0 }) { endings.removeFirst() }
    #expect(clock.sleeps == [.seconds(60)])
    var wait = PollHints()
    wait.retryAfter = until
    let refused = HeldAnswer(position: Self.asked, outcome: .failed(.heldBack(status: 429), wait))
    #expect(await longPolls(clock) { _ in refused }.stored == 1)
  }
}
