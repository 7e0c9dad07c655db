import Foundation
package import Messages
import Screen
import Words

package enum QuestionAction: Hashable, Sendable {
  /// A question has been on the screen for `AnswerSight.rest`. The number is the one that `drawn` returned.
  case stood(Int)
  /// The response to `answer`. `isGiven` is whether the answer was accepted. The question has its current
  /// state, and is `nil` if its message was deleted.
  case answered(MessageID, isGiven: Bool, ProgramQuestion?)
}

package enum QuestionEffect: Hashable, Sendable {
  /// Gives the answer with that number. The response is `answered`.
  case answer(MessageID, Int)
}

/// Questions of programs, and the digits that answer them.
extension AppState {
  mutating func reduce(_ action: QuestionAction) -> [Effect] {
    switch action {
    case .stood(let number): if number == answers.number, answers.since != nil { answers.isReady = true }
    case .answered(_, let isGiven, let question):
      guard let question else { return report(words(.messageGone), .warning) }
      let sentence = ended(question) ?? .empty
      report(isGiven ? sentence + signsBetween + words(.answerIsFinal) : sentence, isGiven ? .news : .warning)
    }
    return []
  }

  private var signsBetween: SafeText { options.signs.between }

  /// Returns the way in which a question ended, for example `answered: yes, 12:41`, or `nil` while it waits.
  func ended(_ question: ProgramQuestion) -> SafeText? {
    words.ending(of: question, now: now, zone: options.zone)
  }

  /// Answers the selected or opened question if all of it is on the screen; otherwise opens the question.
  ///
  /// - Returns: `nil` if no question is selected or opened, so that the digit has its other meaning.
  mutating func answer(_ digit: Int, typed time: Date) -> [Effect]? {
    guard input.count == nil, digit > 0, place == .messages || place == .reader, let row = target else {
      return nil
    }
    let question = place == .reader ? shown.reader.message?.question : row.question
    guard let question, question.takesAnswers, row.members.isEmpty else { return nil }
    guard question.answers.indices.contains(digit - 1) else {
      return report(words(.noSuchAnswer, "\(digit)"), .warning)
    }
    let title = place == .reader ? shown.reader.message?.content.title : row.title
    guard let drawn = answers.shown, drawn.message == row.id, drawn.question == question, drawn.title == title
    else {
      // It is on the next frame: the key was typed before the user could see it.
      if questionInSight?.message == row.id { return report(words(.answerTooEarly), .warning) }
      if place == .reader { return report(words(.questionIsCut), .warning) }
      return perform(.open, count: nil)
    }
    guard answers.takes(keyTypedAt: time) else { return report(words(.answerTooEarly), .warning) }
    return [.questions(.answer(row.id, digit))]
  }
}
