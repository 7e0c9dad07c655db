import Messages
import Screen
package import Words

package enum SettingsAction: Hashable, Sendable {
  /// Errors in the settings' `[keys]`.
  case keymapProblems([Keymap.Problem])
  /// The settings file has an error, so the settings have not changed; `nil` once it is corrected.
  case mistaken(String?)
  /// The settings were read and have replaced the earlier ones, but a part with an error does nothing: file, line and
  /// reason.
  case taken(problem: String?)
  /// These settings were changed and take effect at the next start.
  case restartNeeded([String])
  /// The response to a change of the settings: the reason why nothing was changed.
  case unchanged(RequestID, reason: String)
}

extension AppState {
  mutating func reduce(_ action: SettingsAction) -> [Effect] {
    switch action {
    case .keymapProblems(let problems):
      statusLine.keymapProblem = problems.first.map { words.sentence($0) }
      if let problem = statusLine.keymapProblem { statusLine.show(lasting: Toast(problem, .warning)) }
    case .mistaken(let mistake):
      statusLine.settingsMistake = mistake.map { SafeText(untrusted: $0) }
      if let mistake = statusLine.settingsMistake {
        statusLine.show(lasting: Toast(words(.settingsMistake, mistake), .failure))
      }
    case .taken(let problem):
      statusLine.settingsProblem = problem.map { SafeText(untrusted: $0) }
      if let problem = statusLine.settingsProblem { statusLine.show(lasting: Toast(problem, .failure)) }
    case .restartNeeded(let keys):
      report(words(.restartNeeded, SafeText(untrusted: keys.joined(separator: ", "))), .warning)
    case .unchanged(let request, let reason):
      if pending.change == .asked(request) { pending.change = nil }
      report(words(.sourceUnchanged, SafeText(untrusted: reason)), .failure)
    }
    return []
  }
}
