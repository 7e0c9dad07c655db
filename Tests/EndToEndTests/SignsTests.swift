import TerminalHarness
import Testing

/// Terminals that draw signs with two columns.
@Suite struct SignsTests {
  private func household() throws -> Household {
    let household = try Household()
    let items: [[String: Any]] = (1...30).map { ["id": $0, "title": "Message \($0)", "body": "Text"] }
    try household.write("feed.json", try native("The team", items))
    try settings("", of: household)
    #expect(try household.run("poll", "--all").exit == .status(0))
    return household
  }

  private func settings(_ lines: String, of household: Household) throws {
    try household.settings(lines, sources: [("team", "\(household.home)/feed.json", "kind = \"native\"")])
  }

  /// Returns the columns of the line between two panes, one for each row that has it.
  private func columns(of sign: String, _ screen: VirtualScreen) -> [Int] {
    (2..<screen.rows - 1).flatMap { row in
      (0..<screen.columns).filter { screen.place(column: $0, row: row).text == sign }
    }
  }

  @Test func aTerminalThatAnswersTwoColumnsGetsASCII() throws {
    let household = try household()
    let terminal = try household.inbox(environment: ["LC_ALL": "ja_JP.UTF-8"], hasWideSigns: true)
    try terminal.wait(forText: "Message 30")
    #expect(terminal.screen.positionAnswers == ["\u{1B}[2;3R"])
    terminal.answerPositions()
    try terminal.wait(for: "signs of ASCII") { !$0.screen.text.contains { !$0.isASCII } }
    // Everything was drawn again: text that the wide symbols had moved is in its place.
    #expect(Set(columns(of: "|", terminal.screen)).count == 1, "\(terminal.screen.text)")
    #expect(columns(of: "|", terminal.screen).count > 15)
    #expect(terminal.screen.text.contains("* "))
    terminal.send("\r")
    try terminal.wait(forText: "Text")
    #expect(terminal.screen.text.allSatisfy({ $0.isASCII }))
    try terminal.leave()
  }

  @Test func aTerminalThatNeverAnswersIsDrawnAtOnceAndStaysAsItIs() throws {
    let household = try household()
    let terminal = try household.inbox(environment: ["LC_ALL": "zh_TW.UTF-8"])
    try terminal.wait(forText: "Message 30")
    #expect(terminal.screen.positionAnswers == ["\u{1B}[2;2R"])
    #expect(Set(columns(of: "│", terminal.screen)).count == 1)
    terminal.send("jj")
    try terminal.wait(forText: "Message 28")
    #expect(terminal.screen.text.contains("●"))
    try terminal.leave()
  }

  @Test func elseNothingIsAsked() throws {
    let household = try household()
    for (lines, locale, isASCII) in [
      ("", "en_US.UTF-8", false), ("[layout]\nsigns = \"narrow\"", "ko_KR.UTF-8", false),
      ("[layout]\nsigns = \"ascii\"", "ja_JP.UTF-8", true), ("screen_reader = true", "ja_JP.UTF-8", true),
    ] {
      try settings(lines, of: household)
      let terminal = try household.inbox(environment: ["LC_ALL": locale], hasWideSigns: isASCII)
      try terminal.wait(forText: "Message 30")
      #expect(terminal.screen.text.allSatisfy({ $0.isASCII }) == isASCII, "\(lines)")
      #expect(terminal.screen.positionAnswers == [], "\(lines)")
      try terminal.leave()
    }
  }
}
