import Messages
import Screen
import Testing

@testable import Interface

/// Adding a service in the inbox, and the first steps of the welcome.
struct ServiceFormTests {
  private func asking() throws -> (stage: Stage, request: RequestID) {
    var stage = Stage(ModelStore())
    try stage.press("a")
    stage.type("github")
    try stage.press("enter")
    let request = stage.asked
    stage.send(
      .sources(
        .addAnswered(
          request,
          .asks(
            SourceFields(
              .service(.github, name: "GitHub"),
              entries: [
                SourceFields.Entry(
                  field: .url, stored: "", usual: "https://api.github.com", help: "Address: of the server"),
                SourceFields.Entry(
                  field: .tokenCommand, stored: "", usual: "", help: "A command that prints it"),
              ])))))
    return (stage, request)
  }

  @Test func aServiceAsksForWhatItNeeds() throws {
    let (stage, _) = try asking()
    #expect(stage.screen.contains("Add GitHub"))
    #expect(stage.screen.contains("https://api.github.com"))
    #expect(stage.screen.contains("Address: of the server"))
  }

  @Test func aWrongTokenIsAskedForAgainAndTheRestStays() throws {
    var (stage, _) = try asking()
    stage.type("https://git.example")
    try stage.press("tab")
    stage.type("pass show old")
    try stage.press("up")
    try stage.press("enter")
    stage.send(.forms(.answered(stage.asked, reason: "401 Unauthorized", at: .tokenCommand)))
    #expect(stage.screen.contains("401 Unauthorized"))
    #expect(stage.screen.contains("https://git.example") && stage.screen.contains("pass show old"))
    // The keys are in the field that was wrong.
    stage.type("er")
    #expect(stage.screen.contains("pass show older"))
    try stage.press("enter")
    stage.send(.sources(.addAnswered(stage.asked, .added(name: "github", title: "GitHub"))))
    #expect(!stage.screen.contains("pass show older"))
  }

  /// Yes and no are chosen, not spelt; the default is no text in the settings.
  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func yesAndNoAreChosen(columns: Int, rows: Int) throws {
    var stage = Stage(columns: columns, rows: rows)
    stage.open(
      SourceFields(
        .source(SourceID(2)),
        entries: [
          .init(field: .title, stored: "", usual: "Team board"),
          .init(field: .notify, stored: "", usual: "false"),
          .init(field: .keep, stored: "", usual: "30d"),
        ]))
    func line() throws -> String { try #require(stage.lines.first { $0.contains("Notify") }) }
    #expect(try line().hasSuffix(" no"))
    try stage.press("down", "space")
    #expect(try line().hasSuffix(" yes") && stage.screen.contains("space chooses yes or no."))
    stage.type("xyz")
    stage.send(.input(.paste("maybe")))
    #expect(try line().hasSuffix(" yes"))
    #expect(stage.state.dialog.form?.changes.map(\.text) == ["true"])
    try stage.press("left")
    #expect(try line().hasSuffix(" no") && stage.state.dialog.form?.changes.isEmpty == true)
    try stage.press("right", "enter")
    #expect(
      stage.effects.contains {
        if case .forms(.save(let form, _)) = $0 { form.changes.count == 1 } else { false }
      })
  }

  /// The service's fields are in the form in every size, and so is the reason why it was not added.
  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func aTokenThatIsWrongKeepsTheForm(columns: Int, rows: Int) throws {
    var (stage, _) = try asking()
    stage.resize(columns, rows)
    try stage.press("tab")
    stage.type("pass show wrong")
    #expect(
      stage.screen.contains("A command that prints it")
        && stage.screen.contains(String("Token command".prefix(columns / 3))))
    try stage.press("enter")
    let saves = stage.effects.compactMap { effect -> SourceForm? in
      if case .forms(.save(let form, _)) = effect { form } else { nil }
    }
    #expect(saves.map { $0.texts[.tokenCommand] } == ["pass show wrong"])
    stage.send(.forms(.answered(stage.asked, reason: "the program ended with status 1", at: .tokenCommand)))
    #expect(stage.screen.contains("the program ended with status 1"), "\(stage.screen)")
    #expect(stage.state.dialog.form?.texts[.tokenCommand] == "pass show wrong")
    // The answer to a form that was left is a line at the bottom.
    try stage.press("enter", "esc")
    stage.send(.forms(.answered(stage.asked, reason: "too late", at: .tokenCommand)))
    #expect(stage.state.dialog.form == nil && stage.bottom.contains("Nothing was changed: too late"))
  }

  @Test func theWelcomeHasThreeWaysToBegin() throws {
    var stage = Stage(ModelStore())
    #expect(
      stage.bottom.contains("a add") && stage.bottom.contains("I import") && stage.bottom.contains("T demo"))
    try stage.press("T")
    #expect(stage.effects.contains(.programs(.showDemo)))
    try stage.press("I")
    stage.type("feeds.opml")
    try stage.press("enter")
    #expect(stage.effects.contains { if case .sources(.add("~/feeds.opml", _)) = $0 { true } else { false } })
    stage.send(.sources(.addAnswered(stage.asked, .imported(added: 3, known: 1))))
    #expect(stage.bottom.contains("3 added, 1 already followed."))
  }
}
