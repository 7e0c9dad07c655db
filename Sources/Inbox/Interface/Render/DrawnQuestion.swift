import Basics
package import Foundation
import Messages
package import Screen
import Words

/// Records that a frame was drawn, and which question is completely visible in it.
///
/// - Parameter size: the size of the frame.
/// - Returns: the number for `QuestionAction.stood`, which the caller sends after `AnswerSight.rest`, or `nil` if there
///   is no new question.
package func drawn(_ state: inout AppState, size: Size, at now: Date) -> Int? {
  let shown = size == state.terminal.size ? state.questionInSight : nil
  guard shown != state.answers.shown || state.answers.since == nil else { return nil }
  state.answers.shown = shown
  state.answers.since = now
  state.answers.isReady = false
  guard shown != nil else { return nil }
  state.answers.number += 1
  return state.answers.number
}

/// Records that another program has used the screen, so that a question on it counts as new.
package func drawnAgain(_ state: inout AppState) {
  state.answers.since = nil
  state.answers.isReady = false
}

extension AppState {
  /// The selected or opened question that takes answers, if all of it is on the screen.
  var questionInSight: AnswerSight.Shown? {
    guard !isOver, !dialog.coversPanes, dialog.overlay == nil, dialog.prompt == nil, dialog.form == nil,
      dialog.ruleForm == nil, shownQuestion == nil, !layout.isCovered, let row = target, row.members.isEmpty
    else { return nil }
    switch focus.pane {
    case .reader: return readQuestion(row.id)
    case .messages: return readQuestion(row.id) ?? listedQuestion(row)
    case .sources, .timeline: return nil
    }
  }

  /// Returns the question of the opened message if the message's first and last line are on the screen at the same
  /// time.
  private func readQuestion(_ id: MessageID) -> AnswerSight.Shown? {
    let (reader, visible) = (shown.reader, layout.rows(of: .reader))
    guard layout.reader != nil, let message = reader.message, message.id == id, reader.isReadable,
      !reader.isWaiting, let question = message.question, question.takesAnswers,
      message.content.extras?.cut == nil, reader.top(visible: visible) == 0,
      reader.isAtEnd(visible: visible)
    else { return nil }
    return AnswerSight.Shown(
      message: id, title: message.content.title, body: message.content.body, question: question)
  }

  /// Returns the question of a row if the whole row is on the screen, with the question in its title and the answers.
  private func listedQuestion(_ row: MessageRow) -> AnswerSight.Shown? {
    guard let question = row.question, question.takesAnswers, question.isTitleWhole, !options.signs.areWords,
      let area = layout.messages
    else { return nil }
    let lines = messageLines(layout)
    guard
      shown.list.visible(in: lines).contains(where: { line, content in
        content == .row(shown.list.selected) && line + lines.perRow <= area.size.rows
      })
    else { return nil }
    let columns = MessageColumns(area.size.columns, self, lines, today: WallTime(now, in: options.zone))
    let room = titleRoom(of: row, columns, lines, width: area.size.columns)
    guard questionHint(of: row, room: room) != nil else { return nil }
    return AnswerSight.Shown(message: row.id, title: row.title, body: "", question: question)
  }

  /// Returns the number of columns for the title of a row with a single message.
  private func titleRoom(
    of row: MessageRow, _ columns: MessageColumns, _ lines: MessageLines, width: Int
  ) -> Int {
    var start = columns.first
    if lines.perRow == 1 {
      if columns.time > 0 { start += columns.time + 2 }
      if columns.origin > 0 { start += columns.origin + 2 }
    }
    let signs = options.signs
    switch row.key.rank {
    case .downtime: start += signs.downtime.columns + 1
    case .pinned: start += signs.pinned.columns + 1
    case .normal: break
    }
    if row.priority >= Priority(4) { start += signs.urgent.columns + 1 }
    if row.isStarred { start += signs.star.columns + 1 }
    return width - start - columns.right
  }
}
