import Foundation
import TerminalHarness
import Testing

/// APNs payloads from a feed: badge, sound, category, localised text, silent payloads.
@Suite(.serialized) struct PayloadTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func badge(_ household: Household) throws -> Int? {
    let lines = try household.run("sources", "--json").output.split(separator: "\n")
    let sources = try lines.map { try object(String($0)) }
    return sources.first { $0["name"] as? String == "app" }?["badge"] as? Int
  }

  @Test func aBadgeSetsTheNumberOnTheSourceAbsentLeavesItAndZeroClearsIt() throws {
    let team = try Team()
    try team.serve(#"{"id": 1, "aps": {"alert": "One", "badge": 7}}"#)
    let terminal = try team.household.inbox(columns: 120)
    try terminal.wait(forText: "[7]")
    #expect(try badge(team.household) == 7)
    try team.serve(#"{"id": 2, "aps": {"alert": "Two"}}"#)
    terminal.send("R")
    try terminal.wait(forText: "Two")
    #expect(terminal.screen.text.contains("[7]"))
    try team.serve(#"{"id": 3, "aps": {"badge": 0}}"#)
    terminal.send("R")
    try terminal.wait(forNoText: "[7]")
    #expect(try badge(team.household) ?? 0 == 0)
    // A badge alone shows nothing.
    #expect(try team.household.messages().map { $0["title"] as? String } == ["Two", "One"])
    try terminal.leave()
  }

  @Test func aSoundRingsTheBellOnceForAPoll() throws {
    let team = try Team()
    try team.serve(#"{"id": 1, "aps": {"alert": "Silent"}}"#)
    let terminal = try team.household.inbox()
    try terminal.wait(forText: "Silent")
    // A refresh before the end of the poll is answered by that poll.
    try terminal.wait(for: "the end of the first poll") {
      $0.screen.text.contains("1 of 1") && !$0.screen.text.contains("polling")
        && !$0.screen.text.contains("first poll")
    }
    #expect(terminal.screen.bells == 0)
    try team.serve(
      #"{"id": 2, "aps": {"alert": "Loud", "sound": "default"}}"#,
      #"{"id": 3, "aps": {"alert": "Louder", "sound": {"critical": 1, "name": "siren.aiff", "volume": 1}}}"#)
    terminal.send("R")
    try terminal.wait(for: "the bell") { $0.screen.text.contains("Louder") && $0.screen.bells > 0 }
    terminal.readUntilQuiet()
    #expect(terminal.screen.bells == 1)
    // Messages from before the start cause no sound.
    try terminal.leave()
    try team.serve()
    let second = try team.household.inbox()
    try second.wait(forText: "Louder")
    try second.wait(for: "the poll") { _ in team.requests == 3 }
    second.readUntilQuiet()
    #expect(second.screen.bells == 0)
  }

  @Test func theSoundCommandGetsTheNameAsOneArgument() throws {
    let team = try Team()
    let record = "\(team.household.home)/played"
    let player = try team.household.write(
      "player",
      "#!/bin/sh\n{ echo $#; printf '%s\\n' \"$@\"; } > '\(record).part'\nmv '\(record).part' '\(record)'\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: player)
    try team.settings("sound_command = [\"\(player)\", \"--loud\"]")
    let name = "two words; $(touch pwned) 'x'.aiff"
    try team.serve(#"{"id": 1, "aps": {"alert": "Loud", "sound": "\#(name)"}}"#)
    let terminal = try team.household.inbox()
    try terminal.wait(for: "the player") { _ in FileManager.default.fileExists(atPath: record) }
    #expect(try team.household.text(of: record) == "2\n--loud\n\(name)\n")
    #expect(terminal.screen.bells == 0)
    try terminal.leave()
  }

  @Test func aCategoryOffersTheActionsOfTheSettings() throws {
    let team = try Team()
    try team.settings(
      """
      [[categories.INVITE]]
      label = "Accept"
      url = "https://games.example/accept"
      [[categories.INVITE]]
      label = "Decline"
      url = "https://games.example/decline"
      """)
    try team.serve(
      #"{"id": 1, "aps": {"alert": "Older"}}"#,
      #"{"id": 2, "aps": {"alert": "A game", "category": "INVITE"}, "board": {"size": 19}}"#,
      #"{"id": 3, "aps": {"alert": "Newer"}}"#)
    #expect(try team.household.run("poll", "--all").exit == .status(0))
    let shown = try team.household.run("show", "2")
    #expect(shown.output.contains("[1] Accept  https://games.example/accept"))
    let message = try object(try team.household.run("show", "2", "--json").output)
    let actions = try #require(message["actions"] as? [[String: String]])
    #expect(actions.map { $0["label"] } == ["Accept", "Decline"])
    let terminal = try team.household.inbox(columns: 120)
    try terminal.wait(forText: "A game")
    terminal.send("j\r")
    try terminal.wait(forText: "Decline")
    // Extra keys are kept, and shown on demand.
    #expect(!terminal.screen.text.contains("{\"size\":19}"))
    terminal.send("i")
    try terminal.wait(forText: "{\"size\":19}")
    #expect(terminal.screen.text.contains("INVITE"))
    // Without the entry in the settings, there are no actions.
    try team.settings("")
    let plain = try object(try team.household.run("show", "2", "--json").output)
    #expect((plain["actions"] as? [Any])?.isEmpty == true)
    try terminal.leave()
  }
}
