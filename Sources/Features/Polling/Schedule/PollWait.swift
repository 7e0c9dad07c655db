import Basics
import Foundation
import Messages

/// The wait of a source after a poll, according to its settings and to the responses so far.
struct PollWait: Hashable {
  /// The seconds from the end of the last attempt.
  var seconds: TimeInterval
  var rule: WaitRule

  /// The number of times that failures double the interval.
  static let doublings = 5
  /// The longest wait after failures, in seconds.
  static let longestBackoff: TimeInterval = 6 * 3600

  /// Returns the wait until the next periodic poll: the longest that any rule requires.
  static func periodic(_ state: PollState, _ settings: PollSettings) -> PollWait {
    let base =
      backoff(state, settings)
      ?? PollWait(seconds: interval(settings) * (1 + share(state)), rule: .interval)
    guard let minimum = minimum(state), minimum.seconds > base.seconds else { return base }
    return minimum
  }

  /// Returns the number of seconds by which a poll may be earlier than planned: a tenth of the interval, and the
  /// interval's random part.
  static func spread(_ state: PollState, _ settings: PollSettings) -> TimeInterval {
    interval(settings) * (0.1 + share(state))
  }

  /// Returns the wait after failures, or `nil` if the last poll succeeded.
  ///
  /// It is at most 6 h, but failures never shorten a longer interval.
  static func backoff(_ state: PollState, _ settings: PollSettings) -> PollWait? {
    guard state.failures > 0 else { return nil }
    let usual = interval(settings) * (1 + share(state))
    let scaled = usual * Double(1 << min(state.failures, doublings))
    return PollWait(
      seconds: max(usual, min(scaled, longestBackoff)), rule: .backoff(failures: state.failures))
  }

  /// Returns the wait that the server requests, for example with `max-age` or `ttl`, at most 24 h, or `nil` if it
  /// requests none.
  static func minimum(_ state: PollState) -> PollWait? {
    guard let wait = state.minimumWait?.timeInterval, wait > 0 else { return nil }
    let rule: WaitRule =
      switch state.minimumWaitRule {
      case .ttl: .ttl
      case .pollInterval: .pollInterval
      case .requestLimit: .requestLimit
      case .maxAge, nil: .maxAge
      }
    return PollWait(seconds: min(wait, Limits.longestMinimumWait), rule: rule)
  }

  /// Returns the interval in seconds, at least 1, because an interval of 0 would poll without a pause.
  private static func interval(_ settings: PollSettings) -> TimeInterval {
    max(1, settings.interval.timeInterval)
  }

  /// Returns the random part of the interval as a fraction, 0 to 0.1.
  private static func share(_ state: PollState) -> Double {
    state.jitter.isFinite ? min(max(state.jitter, 0), 0.1) : 0
  }
}

extension Duration {
  /// The duration in seconds.
  var timeInterval: TimeInterval {
    TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
  }
}

extension FetchFailure {
  /// Whether a request may have been sent before the poll failed.
  var mayHaveReachedServer: Bool {
    switch self {
    case .invalidAddress, .nameNotFound, .unreachable, .file, .credentials, .cancelled: false
    case .refused, .timedOut, .tls, .status, .gone, .heldBack, .tooLarge, .cutOff, .redirectLoop,
      .badRedirect, .insecureRedirect,
      .notAFeed, .malformed, .cursorStuck, .program, .storage:
      true
    }
  }
}
