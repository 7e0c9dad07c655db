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

  @Test func aDowntimeIsAboveTheRest() throws {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": 1, "expiry": 60, "actiondata": {"title": "Sign-in is down"}}"#,
      #"{"id": 3, "type": 4, "actiondata": {"title": "Always"}}"#)
    let terminal = try team.household.inbox()
    try terminal.wait(forText: "2 unread")
    // In a colour of its own wherever the bar is not.
    terminal.send("j")
    try terminal.wait(for: "the bar below") { $0.chosen.contains("Always") }
    let down = try #require(terminal.screen.position(of: "Sign-in is down"))
    let other = try #require(terminal.screen.position(of: "Always"))
    #expect(down.row < other.row)
    #expect(
      terminal.screen.place(column: down.column, row: down.row).look.foreground
        != terminal.screen.place(column: other.column, row: other.row).look.foreground)
    try terminal.leave()
  }

  @Test func statusAndListFollowTheTimesToo() throws {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": 1, "expiry": 60, "actiondata": {"title": "Sign-in is down"}}"#,
      #"{"id": 2, "type": 1, "expiry": "1000millis", "actiondata": {"title": "A hiccup"}}"#,
      #"{"id": 3, "type": 4, "actiondata": {"title": "Always"}}"#)
    #expect(try team.household.run("poll", "--all").exit == .status(0))
    let first = try #require(try team.household.messages().first { $0["remote_id"] as? String == "1" })
    // A redelivery does not extend its time.
    #expect(try team.household.run("poll", "--force").exit == .status(0))
    let again = try #require(try team.household.messages().first { $0["remote_id"] as? String == "1" })
    #expect(first["expires"] as? String == again["expires"] as? String)
    try eventually("the end of the hiccup") { try team.household.run("status").output == "● 2\n" }
    #expect(try team.household.messages().map { $0["title"] as? String } == ["Sign-in is down", "Always"])
    // A redelivery does not show it again.
    #expect(try team.household.run("poll", "--force").exit == .status(0))
    try team.household.run("status").expect("● 2\n")
    #expect(team.requests == 3)
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

  @Test func theCommandsTakeTheLanguageOfTheSettings() throws {
    let team = try Team()
    try team.serve(Self.greeting)
    for (line, title, text) in [
      ("language = \"hi\"", "सुप्रभात", "reddot से।"), ("language = \"de\"", "Good morning", "From reddot."),
    ] {
      try team.settings(line)
      #expect(try team.household.run("poll", "--force").exit == .status(0))
      let message = try #require(try team.household.messages().first)
      #expect(message["title"] as? String == title, "\(line)")
      #expect(message["body"] as? String == text, "\(line)")
      #expect(try team.household.run("show", "1").output.contains(text), "\(line)")
    }
  }

  @Test func channelsAreSubscribedWhileTheInboxIsOpen() throws {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": 4, "channel": "math", "actiondata": {"title": "Sums"}}"#,
      #"{"id": 2, "type": 4, "channel": "general", "actiondata": {"title": "For all"}}"#)
    let terminal = try team.household.inbox()
    try terminal.wait(forText: "For all")
    #expect(!terminal.screen.text.contains("Sums"))
    try team.settings("", more: "channels = [\"general\", \"math\"]")
    try terminal.wait(forText: "Sums")
    try team.settings("")
    try terminal.wait(forNoText: "Sums")
    try terminal.leave()
    #expect(try team.household.messages().map { $0["title"] as? String } == ["For all"])
  }

  @Test func whatCannotBeDismissedSaysWhyAndStays() throws {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": "non-cancellable", "expiry": 60, "actiondata": {"title": "New terms"}}"#,
      #"{"id": 2, "type": 4, "actiondata": {"title": "Other"}}"#)
    let terminal = try team.household.inbox()
    try terminal.wait(for: "the one above the other") { terminal in
      guard let above = terminal.row(of: "New terms"), let below = terminal.row(of: "Other") else {
        return false
      }
      return above < below
    }
    terminal.send("gd")
    try terminal.wait(forText: "This one cannot be dismissed")
    terminal.send("z")
    try terminal.wait(forText: "This one cannot be snoozed")
    #expect(terminal.screen.text.contains("New terms"))
    // What is typed right after the refused key, to Enter, is its text.
    terminal.send("jd\rjd")
    try terminal.wait(forNoText: "Other")
    try terminal.leave()
    #expect(try team.household.messages().map { $0["dismissable"] as? Bool } == [false])
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
