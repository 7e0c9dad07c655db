import Messages
import Screen
import Words

extension AppState {
  /// Who went to the pane of a message knows what it says.
  mutating func wentToPane(of message: MessageID, _ answer: PaneAnswer) -> [Effect] {
    switch answer {
    case .isThere: return markRead(message)
    case .none: statusLine.toast = Toast(words(.paneNone), .warning)
    case .gone: statusLine.toast = Toast(words(.paneGone), .warning)
    case .cannotAsk(let reason):
      statusLine.toast = Toast(words(.paneCannotAsk, SafeText(untrusted: reason)), .failure)
    case .notAttached(let session):
      statusLine.toast = Toast(words(.paneNotAttached, SafeText(untrusted: session)), .warning)
    }
    return []
  }
}
