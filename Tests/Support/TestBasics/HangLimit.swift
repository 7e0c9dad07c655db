import Foundation

/// The one limit on the time of a wait in a test. It only ends a hang: working code needs far less time, even on
/// a slow and busy machine, and no test checks how long something takes.
package enum HangLimit {
  /// The minutes for `timeLimit`, which knows only whole ones. A long run by hand sets another number.
  package static let minutes =
    ProcessInfo.processInfo.environment["REDDOT_HANG_MINUTES"].flatMap { Int($0) } ?? 4
  /// The time for a wait: it is shorter than `timeLimit`, so that the wait fails first and reports what is missing.
  package static let duration: Duration = .seconds(45 * minutes)
}
