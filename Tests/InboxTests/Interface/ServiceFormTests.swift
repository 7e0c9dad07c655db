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
            ]))))
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
    stage.send(.formAnswered(stage.asked, reason: "401 Unauthorized", at: .tokenCommand))
    #expect(stage.screen.contains("401 Unauthorized"))
    #expect(stage.screen.contains("https://git.example") && stage.screen.contains("pass show old"))
    // The keys are in the field that was wrong.
    stage.type("er")
    #expect(stage.screen.contains("pass show older"))
    try stage.press("enter")
    stage.send(.addAnswered(stage.asked, .added(name: "github", title: "GitHub")))
    #expect(!stage.screen.contains("pass show older"))
  }

  @Test func theWelcomeHasThreeWaysToBegin() throws {
    var stage = Stage(ModelStore())
    #expect(
      stage.bottom.contains("a add") && stage.bottom.contains("I import") && stage.bottom.contains("T demo"))
    try stage.press("T")
    #expect(stage.effects.contains(.showDemo))
    try stage.press("I")
    stage.type("feeds.opml")
    try stage.press("enter")
    #expect(stage.effects.contains { if case .addSource("~/feeds.opml", _) = $0 { true } else { false } })
    stage.send(.addAnswered(stage.asked, .imported(added: 3, known: 1)))
    #expect(stage.bottom.contains("3 added, 1 followed already."))
  }
}
