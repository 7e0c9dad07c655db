import Basics
import Foundation
import Messages
import Storage

/// The push channel of a source whose server holds the request of a poll until there is something new (long polling).
/// Each response is a part of a poll: it continues from the stored position, and is stored like every other part.
struct LongPoll: Sendable {
  /// The time for which the server should hold a request.
  let wait: Duration
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date

  /// Repeats the request until it fails.
  ///
  /// - Parameters:
  ///   - open: makes a normal poll, which reports errors and stores the messages published so far.
  ///   - opened: called once that poll has succeeded.
  ///   - ask: sends a request that is held; returns `nil` if the position can't be read.
  ///   - store: stores the response.
  func run(
    open: () async -> RefreshResult, opened: () async -> Void, ask: () async -> HeldAnswer?,
    store: (HeldAnswer) async -> RefreshResult
  ) async -> StreamEnding {
    switch await open() {
    case .failed(.gone): return .none
    case .failed(let failure): return .failed(failure)
    case .heldBack(let until, _): return .heldBack(rest(until: until))
    case .new, .nothingNew: await opened()
    }
    while !Task.isCancelled {
      var asked: HeldAnswer?
      let time = await clock.measure { asked = await ask() }
      guard let answer = asked, !Task.isCancelled else { return .closed }
      if answer.isNews {
        switch await store(answer) {
        case .failed: return .closed
        case .heldBack(let until, _): return .heldBack(rest(until: until))
        case .new, .nothingNew: break
        }
        do { try await clock.sleep(for: Limits.nativeWaitPause) } catch { return .closed }
      } else if case .failed(_, let hints) = answer.outcome {
        // The server's Retry-After applies to all sources of that host. Other errors are reported by the poll that
        // opens the channel again.
        if hints.retryAfter != nil { _ = await store(answer) }
        return .closed
      } else if time < wait / 2 {
        // A server that doesn't know `wait`, or holds no more requests, gets requests less and less often.
        return .closed
      }
    }
    return .closed
  }

  /// Returns the time until a date, limited to the longest wait.
  private func rest(until: Date) -> Duration {
    .seconds(min(max(until.timeIntervalSince(now()), 0), Limits.longestStreamBackoff))
  }

  /// Sends a request from the stored position, which the server may hold. Returns `nil` if the position can't be read.
  static func ask(
    _ source: Source, waiting wait: Duration, _ fetcher: AdapterFetcher, _ poller: Poller, _ store: Store
  ) async -> HeldAnswer? {
    let position: PollPosition
    do throws(StoreFailure) {
      position = try await store.inBackground { store throws(StoreFailure) in
        try store.polls.position(of: source.id)
      }
    } catch {
      return nil
    }
    let outcome = await fetcher.poll(source, from: position, waiting: wait) {
      await poller.hold(onHostOf: $0)
    }
    return HeldAnswer(position: position, outcome: outcome)
  }
}
