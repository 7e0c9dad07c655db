package import Foundation
import Screen
import Words

package enum QuietAction: Hashable, Sendable {
  /// The response to `set`, with the end of the quiet time, or `nil` if the quiet time has ended.
  case set(RequestID, until: Date?)
  /// The response to `set` if the text isn't a time in the future.
  case refused(RequestID, text: String)
  /// The quiet time has changed; `nil` if it has ended.
  case changed(QuietSpan?)
}

package enum QuietEffect: Hashable, Sendable {
  /// Begins the quiet time until a time as typed, or ends it if the text is `off`. The response is `set` or `refused`.
  case set(String, RequestID)
}

/// The quiet time, in which the user is notified only of urgent messages.
extension AppState {
  mutating func reduce(_ action: QuietAction) -> [Effect] {
    switch action {
    case .set(let request, let until):
      dialog.endPrompt(request)
      let sentence = until.map { words(.quietUntil, words.instant($0, from: now, in: options.zone)) }
      report(sentence ?? words(.quietEnded))
    case .refused(let request, let text):
      refuse(request, words(.snoozeUnknown, SafeText(untrusted: text)), .warning)
    case .changed(let span): quiet = span
    }
    return []
  }

  /// Opens the prompt for the end of the quiet time; returns `nil` for any other command.
  mutating func performQuiet(_ command: Command) -> [Effect]? {
    guard command == .quiet else { return nil }
    dialog.prompt = Prompt(.quiet)
    return []
  }

  /// Begins the quiet time until the typed time, or for an hour if the text is empty.
  mutating func acceptQuiet(_ typed: String) -> [Effect] {
    let text = typed.lowercased().hasPrefix("until ") ? String(typed.dropFirst(6)) : typed
    return [.quiet(.set(text.isEmpty ? "1h" : text, askInPrompt()))]
  }
}
