import Messages
import Screen
import Words

/// Finding text in the message being read.
extension AppState {
  /// Whether keys move between matches in the message.
  var isFinding: Bool { focus.pane == .reader && dialog.overlay == nil && shown.reader.find != nil }

  mutating func startFind() -> [Effect] {
    guard focus.pane == .reader, shown.reader.isComplete else { return [] }
    dialog.prompt = Prompt(.find(before: shown.reader.place))
    return []
  }

  /// Shows the first match at or below the line where the search began, otherwise the first of the text.
  mutating func findChanged(_ text: String, from before: ReaderPlace) {
    pending.find = nil
    shown.reader.restore(before)
    guard shown.reader.begin(find: text) else { return }
    showFirstFound()
  }

  private mutating func showFirstFound() {
    if shown.reader.moveToFound(isForward: true, visible: layout.rows(of: .reader)) != nil { return }
    // The rest of a long text may contain it.
    if shown.reader.wantRest() {
      pending.find = shown.reader.subject
      return
    }
    if dialog.isFinding { refuseInPrompt(.findNothing) }
  }

  /// Continues the search once the rest of the text is laid out.
  mutating func usePendingFind() {
    guard let message = pending.find else { return }
    guard focus.pane == .reader, shown.reader.subject == message, shown.reader.find != nil else {
      pending.find = nil
      return
    }
    guard shown.reader.isComplete, !shown.reader.isWaiting else { return }
    pending.find = nil
    showFirstFound()
    if shown.reader.hit == nil, !dialog.isFinding { report(words(.findNothing), .warning) }
  }

  mutating func acceptFind(_ text: String) -> [Effect] {
    if !text.isEmpty, shown.reader.hit == nil, pending.find == nil {
      return refuseInPrompt(.findNothing)
    }
    dialog.prompt = nil
    return []
  }

  /// Moves to the next match in the text, and after the last one to the first.
  mutating func nextFound(isForward: Bool) -> [Effect] {
    // The rest of the text is not known yet.
    if isForward ? shown.reader.wantRest() : shown.reader.isWaiting {
      pending.find = shown.reader.subject
    }
    switch shown.reader.moveToFound(isForward: isForward, visible: layout.rows(of: .reader)) {
    case .next?: return []
    case .other?: return report(words(isForward ? .findFromStart : .findFromEnd))
    case .same?: return report(words(.findOnly))
    case nil: return report(words(.findNothing), .warning)
    }
  }
}
