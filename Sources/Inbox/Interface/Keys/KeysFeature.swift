import Foundation
import Messages
import Screen
import Words

package enum KeyAction: Hashable, Sendable {
  /// The response to `scheduleWaitEnd`, with its number: a second has passed since keys began to wait.
  case waitEnded(Int)
  /// The response to `scheduleSequenceEnd`, with its number: the time for the second of two keys has passed.
  case sequenceEnded(Int)
}

package enum KeyEffect: Hashable, Sendable {
  /// Requests one `waitEnded` with this number after a second; only while keys wait.
  case scheduleWaitEnd(Int)
  /// Requests one `sequenceEnded` with this number after a second; only after a key that may be the first of two.
  case scheduleSequenceEnd(Int)
}

/// Input that waits: a key is handled only once the results of earlier keys are on the screen.
extension AppState {
  mutating func reduce(_ action: KeyAction) -> [Effect] {
    switch action {
    case .waitEnded(let wait):
      if wait == waiting.wait, !waiting.isEmpty || input.sequence != nil { giveUpReading() }
    case .sequenceEnded(let number): return endSequence(number)
    }
    return []
  }

  /// Handles the waiting input as far as possible.
  mutating func doWaiting() -> [Effect] {
    var effects: [Effect] = []
    var isNew = false
    effects += goOnWithSequence()
    while input.sequence == nil, !isOver, let next = waiting.inputs.first {
      effects += endSequence(before: next.event, typed: next.time)
      if isOver { return effects }
      guard !waits(next.event, typed: next.time) else { break }
      _ = waiting.removeFirst()
      isNew = true
      effects += step { $0.handle(next.event, typed: next.time) }
      if isOver { return effects }
      effects += goOnWithSequence()
    }
    if isOver { return effects }
    if isNew, !waiting.isEmpty { effects.append(.keys(.scheduleWaitEnd(waiting.begin()))) }
    return effects
  }

  /// Stores input that must wait; returns `nil` if it need not wait.
  mutating func holdBack(_ event: InputEvent) -> [Effect]? {
    switch event {
    case .resize, .focus: return nil
    case .mouse(let mouse) where mouse.kind == .click || mouse.kind == .doubleClick:
      // The input refers to a position of the screen as it is now.
      if !waiting.isEmpty || isReadingPlace { giveUpReading() }
      input.asked = nil
      return nil
    case .key(let press) where press.key == .escape && press.modifiers.isEmpty:
      pending.leftForm = pending.form ?? pending.leftForm
      if !waiting.isEmpty || input.sequence != nil {
        giveUpReading()
      } else {
        let opens = pending.opensDialog
        // Nothing opens after the key that leaves.
        giveUpPlace()
        guard opens else { return nil }
      }
      input.asked = nil
      // The list may be on screen again.
      return restore()
    case .key, .paste, .mouse: break
    }
    guard !waiting.isEmpty || waits(event, typed: now) else { return nil }
    let isFirst = waiting.isEmpty
    guard waiting.append(event, typed: now) else { return report(words(.keysTooMany), .warning) }
    return isFirst ? [.keys(.scheduleWaitEnd(waiting.begin()))] : []
  }

  /// Drops the waiting keys after an input was refused, since the screen that they were typed for will not appear.
  mutating func dropWaiting() { waiting.removeAll() }

  /// Whether a key belongs to the text of a prompt that did not open. Keys typed right after a key that normally opens
  /// a prompt, up to Enter or Escape, are not meant as commands.
  mutating func isTextOfRefused(_ press: KeyPress, typed time: Date) -> Bool {
    guard let asked = input.asked else { return false }
    input.asked = nil
    guard dialog.prompt == nil, dialog.form == nil, dialog.ruleForm == nil,
      time.timeIntervalSince(asked) <= InputProgress.textTime
    else { return false }
    switch press.key {
    case .enter, .escape: return true
    case .character where !press.modifiers.contains(.control), .backspace, .tab, .backTab:
      input.asked = time
      return true
    default: return false
    }
  }

  /// Drops the waiting keys, and stops waiting for the result of the earlier key.
  mutating func giveUpReading() {
    let count = waiting.inputs.count
    // The next keys may continue the text of a form that did not open.
    for next in waiting.inputs {
      if case .key(let press) = next.event { _ = isTextOfRefused(press, typed: next.time) }
    }
    waiting.removeAll()
    input.lead = nil
    let left = input.sequence?.calls.first
    input.sequence = nil
    shown.list.giveUpLanding()
    shown.timeline.giveUp()
    pending.giveUp()
    giveUpRules()
    if focus.pane == .reader, !shown.reader.isComplete {
      shown.reader.clear()
      setFocus(.messages)
    }
    if let left { report(words(.sequenceStopped, SafeText(untrusted: left.text)), .warning) }
    if count > 0 { report(words.count(.keysDropped, count), .warning) }
  }

  /// Stops waiting for the list, message or page that an earlier key requested, but not for acts.
  private mutating func giveUpPlace() {
    pending.giveUpPlace()
    shown.list.opensNothing()
  }

  /// Whether the result of this input depends on data that is still being loaded.
  private func waits(_ event: InputEvent, typed time: Date) -> Bool {
    if input.sequence != nil { return true }
    if dialog.form != nil || dialog.ruleForm != nil || dialog.prompt != nil { return waitsInDialog(event) }
    if isReadingPlace { return true }
    guard case .key(let press) = event else { return false }
    // The lines of this pane depend on acts: dismissed messages have a line, and a list without unread messages may
    // have none.
    if focus.pane == .sources, pending.acts.isUnconfirmed { return true }
    if let first = options.keymap.sequence(for: press, in: focus.pane.place)?.calls.first {
      return waits(for: first.command)
    }
    return waits(
      for: command(of: press, typed: time) ?? options.keymap.command(for: press, in: focus.pane.place))
  }

  /// Whether the effect of a command depends on data that is still being loaded.
  func waits(for command: Command?) -> Bool {
    switch command {
    case .down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .first, .last:
      return focus.pane == .timeline && shown.timeline.isAsked
    // The meaning of these changes once the message next to the list is loaded.
    case .details, .readOn: return isReadingPreview || leavesReadList && pending.acts.isUnconfirmed
    // The targets of these depend on the counts of the sources.
    case .nextSource, .previousSource, .hideRead: return pending.acts.isUnconfirmed
    case .nextUnread: return leavesReadList && pending.acts.isUnconfirmed
    case _: return false
    }
  }

  /// Whether the next unread message is in another list.
  private var leavesReadList: Bool {
    shown.list.unreadIndex(forward: true) == nil && !shown.list.hasMoreAfter
      && unreadInRow(forward: true) == nil
  }

  /// Whether a key in a dialog has to wait. Characters typed in a prompt are its text, but other keys may depend on
  /// data that is still being loaded.
  private func waitsInDialog(_ event: InputEvent) -> Bool {
    if dialog.isAsking { return true }
    // If Enter runs a command, it waits like the command's key.
    if case .key(let press) = event, press.key == .enter, case .command(let command)? = helpPage?.selected {
      return isReadingPlace || waits(for: command)
    }
    if case .find? = dialog.prompt?.subject { return false }
    guard dialog.isSearching, case .key(let press) = event else { return false }
    switch press.key {
    case .enter, .up, .down, .pageUp, .pageDown: return shown.list.isLanding
    case .tab, .backTab: return pending.names != nil
    case _: return false
    }
  }

  /// Whether the list, message or page that an earlier key led to is still being loaded.
  var isReadingPlace: Bool {
    shown.list.isLanding || pending.isReadingPlace || isReadingRules || pending.acts.isAwaited
      || focus.pane == .reader && !shown.reader.isReadable
  }

  /// Whether the message next to the list does not yet belong to the selected row.
  private var isReadingPreview: Bool {
    layout.reader != nil && (shown.reader.subject ?? shown.list.selectedRow?.id) != nil
      && !shown.reader.isReadable
  }
}
