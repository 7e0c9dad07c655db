import ArgumentParser
import Basics
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Screen
import Storage

/// `reddot ask`
struct Ask: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask a question, and print its answer.",
    discussion: """
      The question is a message in the inbox. 1 to 9 answer it there, while all of it is on the screen, and so do the buttons of \
      a desktop notification. No command answers: only a person who sees the question does. It waits without using the \
      processor.

      Exits with 0 if it was answered, with 124 if it was not in time, and with 130 if it was withdrawn, for example by Ctrl-C.

      EXAMPLES:
        reddot ask "Deploy 4.2 to production?" yes no --for 10m
        test "$(reddot ask 'Delete the old backups?' yes no)" = yes && rm -r old
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The question.") var question: String
  @Argument(help: "The answers to choose from, at most 9.") var answers: [String]
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Time to wait for an answer, for example 10m.", valueName: "time"))
  var time = LengthOfTime(Limits.questionTime)
  @Option(
    help: ArgumentHelp("The local source to put it into.", valueName: "name"), completion: .sourceNames)
  var source: String?

  func validate() throws {
    if question.allSatisfy(\.isWhitespace) { throw ValidationError("the question must not be empty") }
    if question.utf8.count > Limits.bodyBytes {
      throw ValidationError("the question is too long: at most \(Limits.bodyBytes) bytes are shown")
    }
    if answers.isEmpty { throw ValidationError("give at least one answer, for example: yes no") }
    if answers.count > ProgramQuestion.mostAnswers {
      throw ValidationError("give at most \(ProgramQuestion.mostAnswers) answers: each has a digit")
    }
    for answer in answers {
      let columns = SafeText(untrusted: answer).columns
      guard ProgramQuestion.answerColumns.contains(columns), !answer.allSatisfy(\.isWhitespace),
        !answer.contains(where: \.isNewline)
      else {
        throw ValidationError(
          "an answer is a line of 1 to \(ProgramQuestion.answerColumns.upperBound) columns: \"\(answer)\"")
      }
    }
    if Set(answers.map { Array($0.utf8) }).count < answers.count {
      throw ValidationError("two answers are the same")
    }
    if time.duration > Limits.longestQuestionTime { throw ValidationError("--for is at most 30d") }
  }

  func run() async throws {
    let interruption = Interruption.install()
    let profile = try Composition.profile(files)
    let wait = try QuestionWait(profile)
    var message = IncomingMessage(
      remoteID: RemoteID(wait.asker), kind: .local, title: question, body: "")
    let isTitleWhole =
      question == message.title && !question.contains("\t") && question.count <= Limits.requestTitleCharacters
    if !isTitleWhole { message.body = question }
    message.priority = Priority(4)
    let own = await Panes(profile.environment).own()
    // Each question has a separate row, even if its text is the same as that of another question.
    var extras = MessageExtras(pane: own.pane)
    extras.group = wait.asker
    message.extras = extras
    let now = profile.environment.now()
    let asked = ProgramQuestion(
      answers, isTitleWhole: isTitleWhole, asked: now, until: now + time.duration / .seconds(1),
      asker: wait.asker)
    let stored = try await profile.arrival(trouble: Complaint.print) { [message] arrival in
      try await arrival.ask(message, asked, into: source)
    }
    guard let stored else {
      throw Complaint("too many questions are waiting; answer some of them first")
    }
    let sync = profile.shares(stored) ? QuestionSync(profile) : nil
    let ended = try wait.end(of: stored.id, needsInbox: false, interruption)
    if ended?.ending == .answered { try Answer.print(ended?.answerText ?? "") }
    await sync?.end()
    switch ended?.ending {
    case .answered: break
    case .timedOut: throw ExitCode(124)
    case .gone, .withdrawn, nil: throw ExitCode(130)
    }
  }
}
