import Foundation
import Messages
import Screen
import Words

/// Keys that may be the first of two keys for one command. Nothing happens until it is clear which command is meant.
///
/// The next input or a timeout decides. A command of two keys acts on the row that was selected at the first key.
/// Otherwise the first key's own command comes first, then the input that followed.
extension AppState {
  /// Waits for the second key of a command of two keys.
  mutating func beginSequence(_ press: KeyPress, number: Int?, typed time: Date) -> Effect {
    input.sequences += 1
    input.lead = InputProgress.Lead(
      key: press, number: number, at: time, meant: meant)
    return .keys(.scheduleSequenceEnd(input.sequences))
  }

  /// Returns the command of a key together with the key before it, or `nil` if there is none.
  func command(of press: KeyPress, typed time: Date) -> Command? {
    guard let lead = input.lead, isAbout(lead), lead.isFollowed(at: time) else { return nil }
    return command(of: press, after: lead)
  }

  private func command(of press: KeyPress, after lead: InputProgress.Lead) -> Command? {
    let keymap = options.keymap
    return keymap.command(
      for: keymap.key(press, after: lead.key, in: lead.place), after: lead.key, in: lead.place)
  }

  /// Whether keys still apply to the same pane or page as the first key.
  private func isAbout(_ lead: InputProgress.Lead) -> Bool {
    place == lead.place && dialog.prompt == nil && dialog.form == nil && dialog.ruleForm == nil
  }

  /// Performs the first key's own command, unless the input completes a longer one.
  mutating func endSequence(before event: InputEvent, typed time: Date) -> [Effect] {
    guard input.lead != nil else { return [] }
    switch event {
    case .resize, .focus: return []
    case .key(let press): if command(of: press, typed: time) != nil { return [] }
    case .mouse, .paste: break
    }
    return step { $0.performLead() }
  }

  /// Performs the first key's own command after the timeout, unless a key is waiting that was typed in time.
  mutating func endSequence(_ number: Int) -> [Effect] {
    number == input.sequences && waiting.isEmpty ? performLead() : []
  }

  /// Performs the first key's own command.
  private mutating func performLead() -> [Effect] {
    guard let lead = input.lead else { return [] }
    (input.lead, input.time) = (nil, lead.at)
    let needsMessage =
      options.keymap.program(for: lead.key, in: lead.place)?.template.needsMessage
      ?? options.keymap.command(for: lead.key, in: lead.place)?.needsMessage ?? false
    guard isAbout(lead), selectRow(lead.meant, needsMessage: needsMessage) else { return [] }
    return perform(lead.key, number: lead.number)
  }

  /// Handles the second key of a command.
  mutating func endSequence(_ lead: InputProgress.Lead, with press: KeyPress) -> [Effect] {
    input.lead = nil
    guard isAbout(lead), let command = command(of: press, after: lead) else { return [] }
    dropQuestion()
    guard selectRow(lead.meant, needsMessage: command.needsMessage) else { return [] }
    // Both keys together go to the start. No second press is needed to extend an act.
    input.extensible?.goesUp = true
    return perform(command, count: lead.number)
  }

  /// Selects the row that an earlier key applied to.
  ///
  /// - Returns: `false` if it no longer exists and the command needs it.
  mutating func selectRow(_ meant: Meant, needsMessage: Bool) -> Bool {
    if meant.place == .sources, shown.sources.scope != meant.scope {
      guard shown.sources.index(of: meant.scope) != nil else { return false }
      shown.sources.select(meant.scope)
    }
    guard let row = meant.row, target?.key != row, target?.standsFor(row.id) != true else { return true }
    if meant.place == .messages, shown.list.select(row.id) { return true }
    if needsMessage { report(words(.messageGone), .warning) }
    return !needsMessage
  }
}

extension Command {
  var needsMessage: Bool { row.need == .message || row.need == .storedMessage }
}
