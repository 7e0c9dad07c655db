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

  /// The time, in seconds, that a question must be on the screen before a key answers it. Earlier keys are not meant
  /// for the question.
  static let rest: TimeInterval = 0.3

  var shown: Shown?
  /// The time at which the question was drawn, or `nil` before that.
  var since: Date?
  /// The number of questions that were drawn, so that the end of `rest` for an earlier question does not count for a
  /// later one.
  var number = 0
  /// Whether `rest` has passed since the question was drawn, and all keys that were typed before are handled.
  var isReady = false

  /// Whether a key typed at this time may answer the question.
  func takes(keyTypedAt time: Date) -> Bool {
    guard isReady, let since else { return false }
    return time.timeIntervalSince(since) >= Self.rest
  }
}

extension AppState {
  /// Returns the text at the end of a question's row: the digits and their answers, or how the question ended.
  ///
  /// - Returns: `nil` if the row has no question that can be answered here or has ended, or if its title and the text
  ///   do not fit.
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
