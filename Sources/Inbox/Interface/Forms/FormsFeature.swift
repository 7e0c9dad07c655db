package import Messages
import Screen
import Words

package enum FormAction: Hashable, Sendable {
  /// The response to `load` if the source is in the settings.
  case loaded(RequestID, SourceFields)
  /// The response to `save`, and to `load` if there is nothing to edit. `reason` explains why nothing was changed; it
  /// is `nil` after a successful `save`. The field is the one that needs another value.
  case answered(RequestID, reason: String?, at: SourceFields.Field? = nil)
}

package enum FormEffect: Hashable, Sendable {
  /// Loads the settings of a source or a saved list for editing. The response is `loaded`, or `answered` with a reason.
  case load(SourceFields.Subject, RequestID)
  /// Writes the changed fields into the settings file. The response is `answered`.
  case save(SourceForm, RequestID)
}

/// The form with the settings of a source or a saved list.
extension AppState {
  mutating func reduce(_ action: FormAction) -> [Effect] {
    switch action {
    case .loaded(let request, let fields): if mayOpenForm(request) { dialog.form = SourceForm(fields) }
    case .answered(let request, let reason, let field):
      if pending.form == request { pending.form = nil }
      let isAsking = dialog.form?.phase == .asking(request)
      guard let reason else {
        if isAsking { dialog.form = nil }
        return report(words(.sourceSaved))
      }
      guard isAsking else { return report(words(.sourceUnchanged, SafeText(untrusted: reason)), .failure) }
      dropWaiting()
      dialog.form?.phase = .failed(SafeText(untrusted: reason))
      dialog.form?.select(field)
    }
    return []
  }

  mutating func handleInForm(_ press: KeyPress) -> [Effect] {
    guard var form = dialog.form else { return [] }
    defer { if dialog.form != nil { dialog.form = form } }
    let count = form.entries.count
    switch press.key {
    case .escape:
      dialog.form = nil
      if case .asking(let request) = form.phase { return [.giveUp(request)] }
    case .enter:
      guard !form.phase.isAsking else { return [] }
      guard !form.changes.isEmpty || form.isOfService else {
        dialog.form = nil
        return []
      }
      let request = pending.ask()
      form.phase = .asking(request)
      return [.forms(.save(form, request))]
    case .tab, .down: form.selected = (form.selected + 1) % max(1, count)
    case .backTab, .up: form.selected = (form.selected + count - 1) % max(1, count)
    case .character(" ") where form.isAtChoice, .left where form.isAtChoice, .right where form.isAtChoice:
      guard !form.phase.isAsking else { return [] }
      form.entries[form.selected].toggle()
      form.phase = .editing
    case .character where form.isAtChoice, .backspace where form.isAtChoice, .delete where form.isAtChoice:
      break
    case .character, .backspace, .delete, .insert, .left, .right, .home, .end, .pageUp, .pageDown, .function:
      guard !form.phase.isAsking, form.entries.indices.contains(form.selected),
        form.entries[form.selected].editor.press(press)
      else { return [] }
      form.phase = .editing
    }
    return []
  }

  mutating func pasteIntoForm(_ text: String) {
    guard var form = dialog.form, !form.phase.isAsking, !form.isAtChoice,
      form.entries.indices.contains(form.selected)
    else {
      return
    }
    form.entries[form.selected].editor.insert(text)
    form.phase = .editing
    dialog.form = form
  }

  /// Returns whether a requested form may be opened, because the user still waits for it; otherwise reports that it
  /// came too late.
  mutating func mayOpenForm(_ request: RequestID) -> Bool {
    guard pending.form == request else {
      if pending.leftForm != request { sayTooLate() }
      return false
    }
    pending.form = nil
    // The form replaces the page from which it was requested.
    dialog.overlay = nil
    return true
  }

  /// Reports that a response came too late to be used.
  @discardableResult
  mutating func sayTooLate() -> [Effect] { report(words(.answerTooLate), .warning) }
}
