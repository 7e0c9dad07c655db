/// The one limit on the time of a wait in a test. It exists only to end a hang: nothing that works comes near it, also on
/// a slow and busy machine, and no test says anything about the time that something took.
package enum HangLimit {
  /// For `timeLimit`, which knows only whole minutes.
  package static let minutes = 1
  package static let duration: Duration = .seconds(60 * minutes)
}
