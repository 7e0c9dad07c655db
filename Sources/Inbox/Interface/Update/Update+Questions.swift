import Messages
import Screen
import Words

/// Questions at the bottom.
extension AppState {
  /// Handles a key while a question is shown: its own key performs the action, Escape only drops it. Returns `nil`
  /// without a question, and for another key, which also drops it: a key long after the question must not send
  /// anything.
  mutating func handleAnswer(_ press: KeyPress) -> [Effect]? {
    if case .request(let action, let message)? = dialog.overlay, press == KeyPress(.enter) {
      guard wasAsked else { return [] }
      dialog.overlay = nil
      return [.links(.perform(action, of: message))]
    }
    guard let question = shownQuestion, dialog.overlay == nil else { return nil }
    if case .action = question, press == question.answer, !wasAsked { return [] }
    dropQuestion()
    if case .action(let action, let message) = question, action.request != nil,
      press == KeyPress(.tab) || press == question.answer && !fitsAtBottom(action)
    {
      dialog.show(.request(action, of: message))
      return []
    }
    if press.key == .escape { return [] }
    guard press == question.answer else { return nil }
    switch question {
    case .bannerLink(let asked): return openLink(asked.address, isOfMessage: false)
    case .action(let action, let message): return [.links(.perform(action, of: message))]
    case .rule(let name, _, _): return apply(rule: name)
    }
  }

  /// Whether the question about an action was there when the key was typed. The key may have waited for a message that
  /// turned out to have an action.
  private var wasAsked: Bool { input.time >= input.questionTime }

  /// Drops the question, since the user saw it and did something else.
  mutating func dropQuestion() {
    guard dialog.question == nil else {
      dialog.question = nil
      return
    }
    if shownQuestion != nil { shown.banner?.asked = nil }
  }

  /// Shows a question before an action of the message in the reader that is more than a link.
  mutating func ask(action index: Int) -> [Effect] {
    guard let message = shown.reader.message, let actions = message.content.extras?.actions,
      actions.indices.contains(index), !actions[index].isLink
    else { return [] }
    if actions[index].upstream != nil, !isSentBack(message.source) {
      let label = SafeText(untrusted: actions[index].label)
      return report(words(.actionKept, label, title(of: message.source)), .warning)
    }
    input.questionTime = now
    if fitsAtBottom(actions[index]) {
      dialog.question = .action(actions[index], of: message.id)
    } else {
      // The whole receiver must be visible.
      dialog.show(.request(actions[index], of: message.id))
    }
    return []
  }

  /// Whether the settings allow acts to be sent to a source's service.
  private func isSentBack(_ source: SourceID) -> Bool {
    shown.sources.statuses.first { $0.source.id == source }?.source.writableMarks.isEmpty == false
  }
}
