import Messages
import Screen
import Words

/// Several commands on one key. Each is performed once the result of the previous one is known.
extension AppState {
  /// Starts the commands of a key. Their acts apply to the messages that are selected now.
  mutating func begin(_ bound: BoundCommands, number: Int?) -> [Effect] {
    let takesNumber = bound.calls.first?.command.argument == .number
    let subject = CommandSequence.Subject(row: target, several: several(takesNumber ? nil : number))
    input.sequence = CommandSequence(
      calls: bound.calls, subject: subject, number: takesNumber ? number : nil, said: statusLine.toast)
    return []
  }

  /// Performs the commands of a sequence that can be performed now.
  mutating func goOnWithSequence() -> [Effect] {
    var effects: [Effect] = []
    while let sequence = input.sequence, !isReadingPlace, !dialog.isAsking {
      // A failure or a question ends the sequence.
      let toast = statusLine.toast
      let hasFailed = toast != sequence.said && (toast?.kind ?? .news) != .news
      guard !hasFailed, let call = sequence.calls.first, dialog.prompt == nil, dialog.form == nil,
        dialog.ruleForm == nil
      else {
        input.sequence = nil
        if sequence.hasLeft { effects += step { $0.openSelected() } }
        continue
      }
      if waits(for: call.command) { break }
      input.sequence?.calls.removeFirst()
      input.sequence?.said = toast
      input.sequence?.isTimed = false
      effects += step { $0.perform(call, in: sequence) }
      if isOver { return effects }
    }
    if input.sequence?.isTimed == false {
      input.sequence?.isTimed = true
      effects.append(.keys(.scheduleWaitEnd(waiting.begin())))
    }
    return effects
  }

  private mutating func perform(_ call: CommandCall, in sequence: CommandSequence) -> [Effect] {
    let places = call.command.row.places
    let name = SafeText(untrusted: call.command.rawValue)
    guard places.contains(place) else {
      return report(words(.commandElsewhere, name, words.names(of: places)), .warning)
    }
    guard call.command.isAct else {
      input.sequence?.subject = nil
      input.sequence?.hasLeft = false
      // The neighbour of a removed message is the next one.
      if call.command == .nextUnread, isAtNeighbour(in: sequence) {
        return sequence.hasLeft ? openSelected() : []
      }
      return perform(call)
    }
    let subject = sequence.subject ?? CommandSequence.Subject(row: target, several: several(nil))
    input.sequence?.subject = subject
    input.sequence?.isActing = true
    defer { input.sequence?.isActing = false }
    guard canPerform(call.command) else { return report(words(.commandCannot, name), .warning) }
    guard let number = sequence.number else { return perform(call) }
    input.sequence?.number = nil
    return perform(call.command, count: number)
  }

  /// Whether the message of the sequence is no longer in the list, and an unread message is now in its position.
  private func isAtNeighbour(in sequence: CommandSequence) -> Bool {
    guard let row = sequence.subject?.row, shown.list.selectedRow?.isUnread == true else { return false }
    return !shown.list.rows.contains { $0.standsFor(row.id) }
  }

  // MARK: One step

  /// Records that one undo reverts the act together with the earlier acts of the current sequence.
  mutating func joinStep(_ id: ActID) {
    guard let sequence = input.sequence else { return }
    guard let first = sequence.firstAct else {
      input.sequence?.firstAct = id
      return
    }
    input.joined[id] = first
    pending.acts.join(id)
  }

  /// Returns the effects, with a `join` before each act that one undo reverts together with an earlier act.
  mutating func joined(_ effects: [Effect]) -> [Effect] {
    let joined = input.joined
    input.joined = [:]
    return effects.flatMap { effect in
      let id: ActID? =
        switch effect {
        case .journal(.perform(_, let id)), .journal(.snooze(_, _, let id, _)): id
        case _: nil
        }
      guard let id, let first = joined[id] else { return [effect] }
      return [.journal(.join(id, stepOf: first)), effect]
    }
  }
}
