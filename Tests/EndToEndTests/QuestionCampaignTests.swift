import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Two inboxes and a script use one database. Whichever process is killed, each question ends once, and the asking process gets
/// the given answer.
@Suite(.serialized) struct QuestionCampaignTests {
  /// `REDDOT_QUESTIONS` sets another number.
  private static let count =
    ProcessInfo.processInfo.environment["REDDOT_QUESTIONS"].flatMap { Int($0) } ?? 10

  private enum Fate: CaseIterable {
    case answered, timedOut, interrupted, askerKilled, inboxKilled, bothKilled
  }

  private let household: Household

  init() throws { household = try Household() }

  private func inbox() throws -> PseudoTerminal {
    let terminal = try household.inbox(columns: 100, rows: 24)
    try terminal.wait(forText: "? help")
    return terminal
  }

  private func kill(_ terminal: PseudoTerminal) throws {
    terminal.signal(SIGKILL)
    _ = try terminal.waitForExit()
  }

  /// Selects the newest message, and presses a digit, again while that is too early.
  private func answer(_ digit: Int, in terminal: PseudoTerminal, _ question: String) throws {
    let (early, given) = ("press the digit again", "An answer cannot be undone")
    // The answer to an earlier question may still be at the bottom.
    try clear(given, in: terminal)
    while true {
      terminal.send("gg")
      try terminal.wait(for: question) {
        $0.screen.lines.contains { $0.contains(question) && $0.contains("1 yes") }
      }
      terminal.send("\(digit)")
      try terminal.wait(for: "an answer to \(question)") {
        $0.screen.text.contains(given) || $0.screen.text.contains(early)
      }
      if terminal.screen.text.contains(given) { return }
      try clear(early, in: terminal)
    }
  }

  /// Presses keys until a sentence at the bottom disappears. The sentence stays for some time, and the next key after that
  /// removes it.
  private func clear(_ sentence: String, in terminal: PseudoTerminal) throws {
    try terminal.wait(for: "a line without “\(sentence)”") {
      guard $0.screen.text.contains(sentence) else { return true }
      $0.send("k")
      return false
    }
  }

  @Test func eachQuestionEndsOnce() throws {
    var random = SystemRandomNumberGenerator()
    var terminals = [try inbox(), try inbox()]
    var expected: [String: (ending: Int64, answer: Int64?)] = [:]
    for number in 1...Self.count {
      let fate =
        number <= Fate.allCases.count
        ? Fate.allCases[number - 1] : Fate.allCases.randomElement(using: &random) ?? .answered
      let question = "Question \(number)."
      // Keys that are typed before the question appears do not answer it.
      let place = Int.random(in: 0...1, using: &random)
      let other = 1 - place
      terminals[place].send("1")
      let running = try household.start([
        "ask", question, "yes", "no", "--for", fate == .timedOut ? "1s" : "10m",
      ])
      if fate != .timedOut {
        for terminal in terminals { try terminal.wait(forText: question) }
        terminals[place].send("k")
        #expect(running.isRunning)
      }
      switch fate {
      case .answered:
        let digit = Int.random(in: 1...2, using: &random)
        try answer(digit, in: terminals[place], question)
        try running.waitForEnd().expect(digit == 1 ? "yes\n" : "no\n")
        expected[question] = (1, Int64(digit))
      case .timedOut:
        try running.waitForEnd().expect("", status: 124)
        terminals[place].send("k")
        expected[question] = (2, nil)
      case .interrupted:
        Foundation.kill(running.process, SIGINT)
        try running.waitForEnd().expect("", status: 130)
        expected[question] = (4, nil)
      case .askerKilled:
        _ = running.kill(after: .zero)
        for terminal in terminals {
          try terminal.wait(for: "the end of \(question)") { terminal in
            !terminal.screen.lines.contains { $0.contains(question) && $0.contains("1 yes") }
          }
        }
        expected[question] = (3, nil)
      case .inboxKilled:
        try kill(terminals[place])
        try answer(2, in: terminals[other], question)
        try running.waitForEnd().expect("no\n")
        terminals[place] = try inbox()
        expected[question] = (1, 2)
      case .bothKilled:
        for terminal in terminals { try kill(terminal) }
        _ = running.kill(after: .zero)
        terminals = [try inbox(), try inbox()]
        expected[question] = (3, nil)
      }
      #expect(try household.run("status", "--format", "{waiting}").output == "0\n", "\(fate) \(question)")
    }
    for terminal in terminals { try terminal.leave() }
    let file = try SQLite(household.database)
    for (question, end) in expected {
      let rows = try file.rows(
        "SELECT ending, answer FROM question q JOIN message m ON m.id = q.message_id WHERE m.title = '\(question)'"
      )
      #expect(rows == [[String(end.ending), end.answer.map(String.init) ?? ""]], "\(question)")
    }
    #expect(try household.run("check").output.hasSuffix("everything agrees\n"))
  }
}
