import Foundation
import Messages
import Screen
import Words

/// The gate before commands: a key is done to what stands on the screen when its turn comes.
extension AppState {
  /// Does what waits, as far as what it needs is there.
  mutating func doWaiting() -> [Effect] {
    var effects: [Effect] = []
    var isNew = false
    while let next = waiting.inputs.first {
      effects += endSequence(before: next.event, typed: next.time)
      if isOver { return effects }
      guard !waits(next.event, typed: next.time) else { break }
      _ = waiting.removeFirst()
      isNew = true
      effects += step { $0.handle(next.event, typed: next.time) }
      if isOver { return effects }
    }
    if isNew, !waiting.isEmpty { effects.append(.scheduleWaitEnd(waiting.begin())) }
    return effects
  }

  /// Input that must wait; nil where it does not.
  mutating func holdBack(_ event: InputEvent) -> [Effect]? {
    switch event {
    case .resize, .focus: return nil
    case .mouse(let mouse) where mouse.kind == .click || mouse.kind == .doubleClick:
      // It means a place of the screen as it is now.
      if !waiting.isEmpty || isReadingPlace { giveUpReading() }
      return nil
    case .key(let press) where press.key == .escape && press.modifiers.isEmpty:
      guard !waiting.isEmpty else { return nil }
      giveUpReading()
      // The list may be on screen again.
      return restore()
    case .key, .paste, .mouse: break
    }
    guard !waiting.isEmpty || waits(event, typed: now) else { return nil }
    let isFirst = waiting.isEmpty
    guard waiting.append(event, typed: now) else {
      statusLine.toast = Toast(words(.keysTooMany), .warning)
      return []
    }
    return isFirst ? [.scheduleWaitEnd(waiting.begin())] : []
  }

  /// What was entered is refused: keys that were typed for what would have followed are not meant for what stands there.
  mutating func dropWaiting() { waiting.removeAll() }

  /// Whether a key belongs to the text for a key that asks for one, where nothing asks: what is typed at once after it, to
  /// Enter or Escape, is not meant as commands.
  mutating func isTextOfRefused(_ press: KeyPress, typed time: Date) -> Bool {
    // A form that is still being read waits for keys.
    guard let asked = input.asked, pending.form == nil else { return false }
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

  /// The time of a wait is over.
  mutating func endWait(_ wait: Int) {
    if wait == waiting.wait, !waiting.isEmpty { giveUpReading() }
  }

  /// What waits is dropped, and what it waited for is not gone to any more.
  mutating func giveUpReading() {
    let count = waiting.inputs.count
    waiting.removeAll()
    input.lead = nil
    shown.list.giveUpLanding()
    shown.timeline.giveUp()
    pending.giveUp()
    giveUpRules()
    if focus.pane == .reader, !shown.reader.isComplete {
      shown.reader.clear()
      setFocus(.messages)
    }
    if count > 0 { statusLine.toast = Toast(words.count(.keysDropped, count), .warning) }
  }

  /// Whether what is read now decides what this input does.
  private func waits(_ event: InputEvent, typed time: Date) -> Bool {
    if dialog.form != nil || dialog.ruleForm != nil || dialog.prompt != nil { return waitsInDialog(event) }
    if isReadingPlace { return true }
    guard case .key(let press) = event else { return false }
    // Which lines stand there depends on acts: what is put away has one, and a list without unread messages may have none.
    if focus.pane == .sources, pending.acts.isUnconfirmed { return true }
    switch command(of: press, typed: time) ?? options.keymap.command(for: press, in: focus.pane.place) {
    case .down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .first, .last:
      return focus.pane == .timeline && shown.timeline.isAsked
    // These mean something else once the message beside the list is there.
    case .details, .readOn: return isReadingPreview || leavesReadList && pending.acts.isUnconfirmed
    // Where these lead depends on the counts of the sources.
    case .nextSource, .previousSource, .hideRead: return pending.acts.isUnconfirmed
    case .nextUnread: return leavesReadList && pending.acts.isUnconfirmed
    case _: return false
    }
  }

  /// Whether going to the next unread message leaves the list.
  private var leavesReadList: Bool {
    shown.list.unreadIndex(forward: true) == nil && !shown.list.hasMoreAfter
      && unreadInRow(forward: true) == nil
  }

  /// What is typed in a prompt is its text; other keys there may mean what is still being read, or asked.
  private func waitsInDialog(_ event: InputEvent) -> Bool {
    if dialog.isAsking { return true }
    guard dialog.isSearching, case .key(let press) = event else { return false }
    switch press.key {
    case .enter, .up, .down, .pageUp, .pageDown: return shown.list.isLanding
    case .tab, .backTab: return pending.names != nil
    case _: return false
    }
  }

  /// Whether the place that a key led to is still being read.
  var isReadingPlace: Bool {
    shown.list.isLanding || pending.isReadingPlace || isReadingRules || pending.acts.isAwaited
      || focus.pane == .reader && !shown.reader.isReadable
  }

  /// Whether the message beside the list is not that of the selected row yet.
  private var isReadingPreview: Bool {
    layout.reader != nil && (shown.reader.subject ?? shown.list.selectedRow?.id) != nil
      && !shown.reader.isReadable
  }
}
