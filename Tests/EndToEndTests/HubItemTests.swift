import TerminalHarness
import TestBasics
import Testing

/// Items of a hub: the constant key, the id that is new at each change, and the effects of each change.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubItemTests {
  private let household: Household

  init() throws {
    household = try Household()
    try household.write(
      household.settingsFile,
      "[[source]]\nname = \"ops\"\nkind = \"native\"\nurl = \"\(household.home)/page.json\"\n")
  }

  /// - Returns: the row of the message, in whichever list it is.
  private func publish(_ members: String) throws -> String {
    try household.write("page.json", "{\"list\": [{\"key\": \"disk\", \(members)}]}")
    let polled = try household.run("poll", "--force")
    #expect(polled.exit == .status(0), "\(polled.errors)")
    let rows = try household.run("list", "--query", "in:all").output.split(separator: "\n")
    #expect(rows.count == 1, "\(rows)")
    return rows.first.map(String.init) ?? ""
  }

  @Test func aChangedItemIsOneMessageAndNewsOnlyWhereItSaysSo() throws {
    #expect(try publish(#""id": 1, "title": "Disk 80 %""#).contains("●"))
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    // An edit.
    let edited = try publish(#""id": 2, "title": "Disk 81 %""#)
    #expect(edited.contains("Disk 81 %") && !edited.contains("●"))
    // A change that counts as news also restores a dismissed message.
    #expect(try household.run("mark", "--dismiss", "1").exit == .status(0))
    #expect(try household.run("list").output == "")
    let news = try publish(#""id": 3, "title": "Disk 95 %", "news": true"#)
    #expect(news.contains("Disk 95 %") && news.contains("●"))
    #expect(try household.run("list").output.contains("Disk 95 %"))
    // The same again is nothing.
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    #expect(try !publish(#""id": 3, "title": "Disk 95 %", "news": true"#).contains("●"))
  }

  @Test func whatIsOverIsReadAndSaysSince() throws {
    #expect(try publish(#""id": 1, "title": "Down""#).contains("●"))
    #expect(try !publish(#""id": 2, "title": "Up", "done": true"#).contains("●"))
    #expect(try household.run("show", "1").output.contains("esolved"))
    // The problem begins again.
    #expect(try publish(#""id": 3, "title": "Down", "news": true"#).contains("●"))
    #expect(try !household.run("show", "1").output.contains("esolved"))
    // Withdrawn: its end is now.
    #expect(try publish(#""id": 4, "title": "Down", "expires": "2020-01-01T00:00:00Z""#).contains("Down"))
  }
}
