import Messages
import Screen
import Words

/// The state of rules apart from their page and their form.
struct RulesState: Hashable, Sendable {
  /// The number of trials that were requested.
  var trials = 0
}

extension AppState {
  /// Returns the question whether a new rule is applied to earlier messages.
  ///
  /// - Parameter matches: the number of these messages, if the trial has examined all of them.
  func ruleQuestion(matches: Int?) -> SafeText {
    let key = SafeText(untrusted: Question.applyingKey.name)
    let days: SafeText = "\(RuleTrial.usualDays)"
    return matches.map { words.count(.ruleSavedCounted, $0, key, days) } ?? words(.ruleSavedPast, key, days)
  }
}
