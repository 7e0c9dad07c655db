import Foundation
import Messages
import Screen
import Words

/// The question that a digit would answer. A question is answered only while all of it is on the screen.
struct AnswerSight: Hashable, Sendable {
  /// The question as it was drawn. A question with other text counts as another question.
  struct Shown: Hashable, Sendable {
    var message: MessageID
    var title: String
    var body: String
    var question: ProgramQuestion
  }

  /// The time that a question must be on the screen before a key answers it. Earlier keys are not meant for the question.
  static let rest: TimeInterval = 0.3

  var shown: Shown?
  /// The time at which the question was drawn, or `nil` before that.
  var since: Date?
  /// The number of questions that were drawn. It identifies a rest, so that the end of an earlier rest does not end a later
  /// one.
  var number = 0
  /// Whether the rest has ended, and all keys that were typed during it are handled.
  var isReady = false

  func takes(keyTypedAt time: Date) -> Bool {
    guard isReady, let since else { return false }
    return time.timeIntervalSince(since) >= Self.rest
  }
}

extension AppState {
  /// Returns the digits and their answers for the end of a row, or the end of the question, or `nil` if the title and they do not
  /// fit.
  func questionHint(of row: MessageRow, room: Int) -> StyledText? {
    guard row.members.isEmpty, let question = row.question else { return nil }
    let hint: StyledText
    if let ended = words.ending(of: question, now: row.time, zone: options.zone) {
      hint = StyledText(ended, style: Palette.quiet)
    } else if question.takesAnswers, question.isTitleWhole {
      hint = Self.answers(question)
    } else {
      return nil
    }
    let title = SafeText(untrusted: row.title)
    return title.columns + 2 + hint.columns <= room ? hint : nil
  }

  /// Returns the digits and their answers, for example `1 yes  2 no`.
  static func answers(_ question: ProgramQuestion) -> StyledText {
    var line = StyledText("")
    for (index, answer) in question.answers.enumerated() {
      if index > 0 { line.append("  ") }
      line.append("\(index + 1)", style: Palette.key)
      line.append(" " + SafeText(untrusted: answer))
    }
    return line
  }
}
