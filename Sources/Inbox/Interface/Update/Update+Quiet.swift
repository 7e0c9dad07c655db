import Foundation
package import Messages
import Screen
import Words

/// For how long the person is told of nothing.
extension AppState {
  mutating func askHowLongQuiet() -> [Effect] {
    dialog.prompt = .quiet(LineEditor(), .editing)
    return []
  }

  mutating func acceptQuiet(_ editor: LineEditor) -> [Effect] {
    // It stays until the time is understood: what is typed next must not become commands.
    let request = pending.ask()
    dialog.prompt = .quiet(editor, .asking(request))
    var text = editor.text.trimmingCharacters(in: .whitespaces)
    if text.lowercased().hasPrefix("until ") { text = String(text.dropFirst(6)) }
    return [.beQuiet(text.isEmpty ? "1h" : text, request)]
  }

  /// - Parameter until: nil if it ended.
  mutating func applyQuiet(until: Date?, _ request: RequestID) {
    if case .quiet(_, .asking(request))? = dialog.prompt { dialog.prompt = nil }
    let toast =
      until.map { words(.quietUntil, words.instant($0, from: now, in: options.zone)) } ?? words(.quietEnded)
    statusLine.toast = Toast(toast)
  }

  /// What was typed isn't a time.
  mutating func applyQuietRefusal(of text: String, _ request: RequestID) {
    let sentence = words(.snoozeUnknown, SafeText(untrusted: text))
    guard case .quiet(let editor, .asking(request))? = dialog.prompt else {
      statusLine.toast = Toast(sentence, .warning)
      return
    }
    dropWaiting()
    dialog.prompt = .quiet(editor, .failed(sentence))
  }

  /// Whether a message that arrives appears in the list on the screen.
  package func shows(_ message: MessageID, of source: SourceID) -> Bool {
    let layout = layout
    guard !dialog.coversPanes, !layout.isCovered, layout.messages != nil, shown.list.isLoaded,
      shown.list.query.search == nil
    else { return false }
    switch shown.list.query.scope {
    case .all, .folder, .source: return isShown(source)
    // Which messages those are only the store knows; what has just arrived is among the rows that it gave.
    case .list: return shown.list.rows.contains { $0.standsFor(message) }
    case .starred, .snoozed, .dismissed, .hidden: return false
    }
  }

  /// The messages whose rows are on the screen, in a terminal with the focus.
  package var messagesInSight: Set<MessageID> {
    let layout = layout
    guard terminal.hasFocus, !dialog.coversPanes, !layout.isCovered, layout.messages != nil else {
      return []
    }
    let rows = shown.list.rows
    let first = min(shown.list.top, rows.count)
    return Set(rows[first...].prefix(layout.items(of: .messages)).flatMap(\.all).map(\.id))
  }
}
