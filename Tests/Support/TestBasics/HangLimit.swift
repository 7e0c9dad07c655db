import Foundation

/// The one limit on the time of a wait in a test. It only ends a hang: working code needs far less time, even on
/// a slow and busy machine, and no test checks how long something takes.
package enum HangLimit {
  /// For `timeLimit`, which knows only whole minutes. A run by hand that is to take long sets another one.
  package static let minutes =
    ProcessInfo.processInfo.environment["REDDOT_HANG_MINUTES"].flatMap { Int($0) } ?? 4
  /// For a wait: shorter than `timeLimit`, so that the wait fails first and says what didn't come.
  package static let duration: Duration = .seconds(45 * minutes)
}
