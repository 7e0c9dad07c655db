import Foundation
import TerminalHarness
import Testing

/// In-app notifications from the server to the screen: times, languages, channels.
@Suite(.serialized) struct CampaignTests {
  @Test func itemsComeAndExpireOnTheScreenWithoutAPoll() throws {
    let team = try Team()
    // The built program uses real time. That a message isn't visible yet or any more is checked only if the clock
    // agrees, since a slow machine may check late.
    let asked = Date()
    let soon = Date(timeIntervalSince1970: asked.timeIntervalSince1970.rounded(.up) + 2)
    try team.serve(
      #"{"id": 2, "type": 4, "epoch": "\#(soon.formatted(.iso8601))", "actiondata": {"title": "It begins"}}"#,
      #"{"id": 3, "type": 4, "expiry": "3000millis", "actiondata": {"title": "It ends"}}"#,
      #"{"id": 4, "type": 4, "actiondata": {"title": "Always"}}"#)
    let terminal = try team.household.inbox()
    // In one wait, since a frame may arrive in two parts.
    try terminal.wait(for: "what is there at once") {
      let text = $0.screen.text
      return text.contains("Always") && (text.contains("It ends") || Date() >= asked + 3)
    }
    #expect(!terminal.screen.text.contains("It begins") || Date() >= soon)
    try terminal.wait(for: "one to come and one to go") {
      let text = $0.screen.text
      return text.contains("It begins") && !text.contains("It ends") && text.contains("2 unread")
    }
    #expect(Date() >= soon)
    #expect(team.requests == 1)
    try terminal.leave()
  }

  private static let greeting = """
    {"id": 1, "type": 2, "actiondata": {"translations": {
      "en": {"title": "Good morning", "msg": "From {{%s}}."}, "zh-Hans": {"title": "早上好", "msg": "来自 {{%s}}。"},
      "hi": {"title": "सुप्रभात", "msg": "{{%s}} से।"}}}}
    """

  @Test func aLanguageInTheSettingsChangesListReaderAndWordsAtOnce() throws {
    let team = try Team()
    try team.serve(Self.greeting)
    let terminal = try team.household.inbox(columns: 120)
    try terminal.wait(forText: "Good morning")
    terminal.send("\r")
    try terminal.wait(forText: "From reddot.")
    try team.settings("language = \"zh-Hans\"")
    try terminal.wait(for: "the list, the reader and the words in Chinese") {
      let text = $0.screen.text
      return !text.contains("Good morning") && !text.contains("From reddot.") && !text.contains("unread")
        && text.contains("早上好") && text.contains("来自 reddot。") && text.contains("帮助")
    }
    #expect(try team.household.messages().first?["title"] as? String == "早上好")
    try team.settings("language = \"hi\"")
    try terminal.wait(for: "Hindi") {
      $0.screen.text.contains("सुप्रभात") && $0.screen.text.contains("reddot से।")
    }
    try team.settings("")
    try terminal.wait(forText: "From reddot.")
    #expect(team.requests == 1)
    try terminal.leave()
  }

  @Test func featuresAreSwitchedAndShowNothing() throws {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": "enable-feature", "data": {"feature": "lamps", "since": "4.2"}}"#,
      #"{"id": 2, "type": "enable-feature", "data": {"feature": "dark"}}"#,
      #"{"id": 3, "type": "disable-feature", "data": {"feature": "dark"}}"#)
    #expect(try team.household.run("poll", "--all").exit == .status(0))
    try team.household.run("list").expect("")
    try team.household.run("status").expect("")
    let features = try team.household.run("features", "--json").output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(
      features.map { "\($0["name"] ?? "") \($0["enabled"] as? Bool ?? false) \($0["remote_id"] ?? "")" }
        .sorted()
        == ["dark false 3", "lamps true 1"])
    let data = features.first { $0["name"] as? String == "lamps" }?["data"] as? [String: Any]
    #expect(data?["since"] as? String == "4.2")
  }
}
