import Foundation
import Messages
import Screen
import Words

/// Keys that may still become a longer command: nothing moves until it is clear which command is meant.
///
/// The next input decides, or the time. A command of two keys acts on the row that was selected at the first one. Otherwise
/// the first key's own command comes first, then the input that followed.
extension AppState {
  mutating func beginSequence(_ press: KeyPress, number: Int?, typed time: Date) -> Effect {
    input.sequences += 1
    input.lead = InputProgress.Lead(
      key: press, number: number, at: time, place: place, row: target?.key, scope: shown.sources.scope)
    return .scheduleSequenceEnd(input.sequences)
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

  /// Whether the keys still mean what they meant at the first one.
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

  /// The time for a second key has passed; one that waits was in time.
  mutating func endSequence(_ number: Int) -> [Effect] {
    number == input.sequences && waiting.isEmpty ? performLead() : []
  }

  private mutating func performLead() -> [Effect] {
    guard let lead = input.lead else { return [] }
    input.lead = nil
    let needsMessage =
      options.keymap.program(for: lead.key, in: lead.place)?.template.needsMessage
      ?? options.keymap.command(for: lead.key, in: lead.place)?.needsMessage ?? false
    guard isAbout(lead), selectRow(of: lead, needsMessage: needsMessage) else { return [] }
    return perform(lead.key, number: lead.number)
  }

  /// The second key of a command.
  mutating func endSequence(_ lead: InputProgress.Lead, with press: KeyPress) -> [Effect] {
    input.lead = nil
    guard isAbout(lead), let command = command(of: press, after: lead) else { return [] }
    dropQuestion()
    guard selectRow(of: lead, needsMessage: command.needsMessage) else { return [] }
    // Both keys together go to the start: no second press is needed to extend an act.
    input.extensible?.goesUp = true
    return perform(command, count: lead.number)
  }

  /// Selects what was selected at the first key.
  ///
  /// - Returns: false where it is gone, and the command is about it.
  private mutating func selectRow(of lead: InputProgress.Lead, needsMessage: Bool) -> Bool {
    if lead.place == .sources, shown.sources.scope != lead.scope {
      guard shown.sources.index(of: lead.scope) != nil else { return false }
      shown.sources.select(lead.scope)
    }
    guard let row = lead.row, target?.key != row, target?.standsFor(row.id) != true else { return true }
    if lead.place == .messages, shown.list.select(row.id) { return true }
    if needsMessage { statusLine.toast = Toast(words(.messageGone), .warning) }
    return !needsMessage
  }
}

extension Command {
  fileprivate var needsMessage: Bool { row.need == .message || row.need == .storedMessage }
}
