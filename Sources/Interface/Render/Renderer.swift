import Dates
import Foundation
import Messages
package import Screen

/// Renders states that follow each other. Where only the selection has moved, as by most keys, the two rows that this changes
/// are drawn, and the rest of the frame is kept: a key costs what it touches, and most of a frame is in no cache by then.
package struct Renderer: Sendable {
  private struct Last: Sendable {
    var state: AppState
    var frame: Frame
    /// The same without a selected message; nil where that was not needed yet.
    var unselected: Frame?
  }

  private var last: Last?

  package init() {}

  /// The same as `render(state, size)`.
  package mutating func frame(of state: AppState, _ size: Size) -> Frame {
    let frame = unchecked(state, size)
    // In all tests, since they run debug builds.
    assert(frame == render(state, size), "what a move of the selection changes was not drawn")
    return frame
  }

  mutating func unchecked(_ state: AppState, _ size: Size) -> Frame {
    if let frame = moved(to: state, size) { return frame }
    let frame = render(state, size)
    last = Last(state: state, frame: frame)
    return frame
  }

  /// nil where more has changed than the selection.
  private mutating func moved(to state: AppState, _ size: Size) -> Frame? {
    guard let shown = last?.frame, shown.size == size, !shown.hasLinks, !shown.hasGraphics,
      let before = last?.state.shown.list.place, let day = last?.state.now,
      state.isPlainList, last?.state.becomesSame(as: state) == true
    else { return nil }
    var drawing = Drawing(state, shown)
    // On the smallest screens what is said takes the list's last row.
    guard let area = drawing.layout.messages, drawing.layout.reader == nil, !drawing.layout.bottom.isEmpty,
      drawing.today.dayNumber == WallTime(day, in: state.options.zone).dayNumber
    else { return nil }
    let unselected = drawing.drawMoved(from: before, over: last?.unselected, in: area)
    last?.unselected = unselected
    last?.frame = drawing.frame
    return drawing.frame
  }
}

extension AppState {
  /// Whether the list has messages and the keys, and nothing is over the panes, beside the list or moving.
  fileprivate var isPlainList: Bool {
    focus.pane == .messages && !shown.list.rows.isEmpty && dialog.prompt == nil && dialog.question == nil
      && !dialog.coversPanes && shown.list.query.search == nil && !shown.timeline.isOpen
      && shown.banner == nil
  }

  /// Takes over what frames do not show, and the selection.
  ///
  /// - Returns: whether it is the other state then, so that their frames differ by the selection only, as long as the day is
  ///   the same.
  fileprivate mutating func becomesSame(as other: AppState) -> Bool {
    guard nextPoll.map({ $0 > now }) == other.nextPoll.map({ $0 > other.now }),
      secondsToFirstPoll == other.secondsToFirstPoll
    else { return false }
    shown.list.takeSelection(of: other.shown.list)
    now = other.now
    attention = other.attention
    pending = other.pending
    input.extensible = other.input.extensible
    input.clicked = other.input.clicked
    if hasSameBytes(as: other) { return true }
    guard self == other else { return false }
    // Where something was made again as it was, the next comparison finds the same bytes.
    self = other
    return true
  }

  /// Whether both hold the same numbers, and the same texts and lists in the same places in memory: then they are equal, and
  /// nothing that they refer to had to be looked at. What is not in the cache any more takes longer than all the rest.
  private func hasSameBytes(as other: AppState) -> Bool {
    withUnsafeBytes(of: self) { own in
      withUnsafeBytes(of: other) { others in
        guard let first = own.baseAddress, let second = others.baseAddress else { return true }
        return memcmp(first, second, own.count) == 0
      }
    }
  }
}
