package import Foundation

/// A program's question to the user, with its end. A message with this value is a question.
package struct ProgramQuestion: Hashable, Sendable {
  /// The way in which a question ended. The raw values are stored.
  package enum Ending: Int64, Hashable, Sendable, CaseIterable {
    case answered = 1
    case timedOut
    /// The process that asked has ended.
    case gone
    /// The process that asked has withdrawn the question.
    case withdrawn
  }

  /// The maximum number of answers, since each has a digit.
  package static let mostAnswers = 9
  /// The allowed number of columns of an answer.
  package static let answerColumns = 1...40

  /// The answers to choose from. If there are none, the user answers in the program itself.
  package var answers: [String]
  /// Whether the program asks for a permission, which is only given in the inbox.
  package var isPermission: Bool
  /// Whether the title contains the whole question, so that it can be answered in its row of a list.
  package var isTitleWhole: Bool
  package var asked: Date
  /// The time after which no answer is accepted.
  package var until: Date
  /// The name of the socket on which its process waits, or `nil` if the process is on another machine or asks in its
  /// own terminal.
  package var asker: String?
  package var ended: Date?
  package var ending: Ending?
  /// The number of the answer, from 1.
  package var answer: Int?
  /// The machine on which the question was answered, or `nil` if it was this one.
  package var machine: String?

  package init(
    _ answers: [String], isPermission: Bool = false, isTitleWhole: Bool = true, asked: Date, until: Date,
    asker: String? = nil
  ) {
    (self.answers, self.isPermission, self.isTitleWhole) = (answers, isPermission, isTitleWhole)
    (self.asked, self.until, self.asker) = (asked, until, asker)
  }

  package var isOpen: Bool { ended == nil }

  /// Whether the question can be answered in the inbox.
  package var takesAnswers: Bool { isOpen && !answers.isEmpty }

  /// Whether the user may answer the question on other machines. A permission is given only where its program
  /// runs.
  package var isAnswerableElsewhere: Bool { takesAnswers && asker != nil && !isPermission }

  /// The text of the given answer.
  package var answerText: String? {
    guard ending == .answered, let answer, answers.indices.contains(answer - 1) else { return nil }
    return answers[answer - 1]
  }
}

/// An open question of a waiting process.
package struct OpenQuestion: Hashable, Sendable {
  package var message: MessageID
  package var remoteID: RemoteID
  package var asker: String

  package init(message: MessageID, remoteID: RemoteID, asker: String) {
    (self.message, self.remoteID, self.asker) = (message, remoteID, asker)
  }
}
