import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// `reddot add` and `reddot push --feed` with the built `reddot-hub`.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubPublisherTests {
  private let hub: HubHousehold
  private var household: Household { hub.household }

  init() throws {
    hub = try HubHousehold()
    _ = try hub.output("feed", "add", "ops", "--title", "Ops")
    try household.settings(sources: [])
  }

  /// Adds a `[[hub]]` to the settings, whose token is in the file `token`.
  private func name(_ hub: String, at address: String, _ more: String? = nil) throws {
    let token = more ?? "token_file = \"~/token\""
    _ = try household.write(
      household.settingsFile,
      try household.text(of: household.settingsFile)
        + "\n[[hub]]\nname = \"\(hub)\"\nurl = \"\(address)\"\n\(token)\n")
  }

  private func serving(_ body: (_ address: String) throws -> Void) throws {
    let (program, client) = try hub.serve()
    try body("http://127.0.0.1:\(client.port)")
    kill(program.process, SIGTERM)
    #expect(try program.waitForEnd().exit == .status(0))
  }

  private func token(_ words: String...) throws {
    let ran = try hub.start(["token", "add"] + words).waitForEnd()
    try household.write("token", ran.output)
  }

  @Test func allFeedsThatATokenReadsAreAddedOnce() throws {
    _ = try hub.output("feed", "add", "team", "--title", "Team news")
    _ = try hub.output("feed", "add", "secret")
    try token("desk", "--read", "ops,team")
    try serving { address in
      let added = try household.run("add", address, "--token-file", "\(household.home)/token")
      #expect(
        added.output == """
          added Ops: \(address)/v1/feeds/ops
          added Team news: \(address)/v1/feeds/team
          2 added, 0 already followed

          """, "\(added.errors)")
      let settings = try household.text(of: household.settingsFile)
      for line in [
        "name = \"Ops\"", "kind = \"native\"", "stream = true", "token_file = ", "folder = \"Hub\"",
      ] {
        #expect(settings.contains(line), "\(line): \(settings)")
      }
      #expect(!settings.contains("secret"))
      _ = try hub.output("publish", "team", "Lunch")
      #expect(try household.run("poll", "--force").exit == .status(0))
      #expect(try household.run("list").output.contains("Lunch"))
      // The source is added by the address of the list, with a new feed.
      _ = try hub.output("feed", "add", "open", "--public")
      try eventually("the hub to know the feed") {
        try household.run("add", "\(address)/v1/feeds", "--token-file", "\(household.home)/token").output
          .contains("1 added, 2 already followed")
      }
      let again = try household.run("add", address, "--token-file", "\(household.home)/token")
      #expect(again.output == "0 added, 3 already followed\n")
    }
  }

  @Test func whyNoFeedIsAddedIsSaid() throws {
    try token("writer", "--publish", "ops")
    try serving { address in
      func refusal(_ words: String...) throws -> String {
        let ran = try household.start(["add", address] + words).waitForEnd()
        #expect(ran.exit == .status(1) && ran.output == "")
        return ran.errors
      }
      let wants = "the hub wants a token: --token-file, --token-command or --token-env. Nothing was added"
      #expect(try refusal() == "reddot: \(address): \(wants)\n")
      let none = "this token may not read any feed of the hub. Nothing was added"
      #expect(try refusal("--token-file", "\(household.home)/token") == "reddot: \(address): \(none)\n")
      try household.write("token", "rdh_9_wrong")
      let wrong = "the hub does not know this token, or the token has expired. Nothing was added"
      #expect(try refusal("--token-file", "\(household.home)/token") == "reddot: \(address): \(wrong)\n")
      #expect(try refusal("--name", "x").contains("a hub's feeds have their own names"))
    }
  }

  @Test func aPushIsPublishedWithAllThatItSays() throws {
    try token("both", "--publish", "ops", "--read", "ops")
    try serving { address in
      #expect(try household.run("add", address, "--token-file", "\(household.home)/token").exit == .status(0))
      try name("team", at: address)
      let answer = try household.run(
        "push", "Disk 95 %", "--feed", "ops", "--body", "of /var", "--id", "disk", "--priority", "5", "--tag",
        "disk", "--url", "https://example.org/disk", "--json")
      #expect(answer.output == "{\"id\":1,\"key\":\"disk\",\"state\":\"stored\"}\n", "\(answer.errors)")
      // Publishing the same message again changes nothing; another body makes it new.
      let same = try household.run(
        "push", "Disk 95 %", "--feed", "ops", "--body", "of /var", "--id", "disk", "--priority", "5", "--tag",
        "disk", "--url", "https://example.org/disk", "--json")
      #expect(same.output.contains("\"state\":\"unchanged\""), "\(same.output)\(same.errors)")
      #expect(try household.run("poll", "--force").exit == .status(0))
      #expect(try household.run("mark", "--read", "--all").exit == .status(0))
      let silent = try household.run("push", "Disk 99 %", "--hub", "team", "--feed", "ops", "--id", "disk")
      #expect(silent.exit == .status(0) && silent.output == "", "\(silent.errors)")
      #expect(try household.run("poll", "--force").exit == .status(0))
      let row = try household.run("list").output
      #expect(row.contains("Disk 99 %") && row.contains("●") && row.split(separator: "\n").count == 1)
      let later = try household.run("push", "Later", "--feed", "ops", "--at", "2h", "--json")
      #expect(later.output.contains("\"state\":\"scheduled\""), "\(later.errors)")
    }
  }

  /// Each hub has a separate token.
  @Test func amongSeveralHubsTheNamedOneGetsIt() throws {
    let other = try HubHousehold()
    _ = try other.output("feed", "add", "ops")
    let secret = try other.output("token", "add", "writer", "--publish", "ops")
    let (program, client) = try other.serve()
    try token("writer", "--publish", "ops")
    try serving { address in
      try name("team", at: address)
      try name(
        "far away", at: "http://127.0.0.1:\(client.port)", "token_command = \"echo \(secret); echo note\"")
      #expect(try household.run("names", "hubs").output == "team\nfar away\n")
      let several = try household.run("push", "Disk", "--feed", "ops")
      #expect(
        several.exit == .status(1)
          && several.errors
            == "reddot: there are several hubs; choose one with --hub: \"team\", \"far away\"\n",
        "\(several)")
      let pushed = try household.run("push", "Disk", "--hub", "far away", "--feed", "ops")
      #expect(pushed.exit == .status(0), "\(pushed.errors)")
      #expect(try other.output("feed", "list").contains("1 item "))
      #expect(try hub.output("feed", "list").contains("0 items"))
    }
    kill(program.process, SIGTERM)
    #expect(try program.waitForEnd().exit == .status(0))
  }

  @Test func whyAPushIsNotPublishedIsSaid() throws {
    try token("writer", "--publish", "ops")
    let secret = try household.text(of: "\(household.home)/token").trimmingCharacters(in: .newlines)
    func refusal(_ words: String..., status: Int32 = 1) throws -> String {
      let ran = try household.start(["push", "Title"] + words).waitForEnd()
      #expect(ran.exit == .status(status) && ran.output == "", "\(ran)")
      #expect(!ran.errors.contains(secret))
      return ran.errors
    }
    #expect(try refusal("--feed", "ops").contains("no hub in the settings; add [[hub]] with"))
    #expect(
      try refusal("--hub", "team", "--feed", "ops").contains(
        "no hub named \"team\"; add [[hub]] to the settings"))
    _ = try refusal("--hub", "team", status: 64)
    _ = try refusal("--channel", "disks", status: 64)
    _ = try refusal("--feed", "ops", "--markdown", status: 64)
    var place = ""
    try serving { address in
      place = address
      try name("team", at: address)
      #expect(
        try refusal("--hub", "teem", "--feed", "ops")
          == "reddot: no hub named \"teem\"; hubs: \"team\"\n"
      )
      #expect(try refusal("--feed", "Ops!").contains("cannot be the name of a feed"))
      #expect(
        try refusal("--feed", "none").contains("there is no feed none that this token may publish to"))
      #expect(try refusal("--feed", "ops", "--id", "#1").contains("the hub refuses it: $.key"))
      let long = String(repeating: "x", count: 70_000)
      #expect(try refusal("--feed", "ops", "--body", long).contains("too large"))
      try name("open", at: address, "")
      #expect(
        try refusal("--hub", "open", "--feed", "ops").contains(
          "the hub wants a token: token_command or token_file under its [[hub]]"))
      try name("locked", at: address, "token_file = \"~/gone\"")
      let gone = try refusal("--hub", "locked", "--feed", "ops")
      #expect(gone.contains("locked: token_file \(household.home)/gone"), "\(gone)")
    }
    #expect(try refusal("--hub", "team", "--feed", "ops").contains(place))
  }

  /// `check` too.
  @Test func aMistakeInAHubIsSaidWithItsLine() throws {
    try name("team", at: "ftp://hub.example")
    let ran = try household.run("check")
    #expect(ran.exit == .status(1) && ran.errors.contains("config.toml:"), "\(ran)")
    #expect(ran.errors.contains("url: must be an http or https address"))
  }
}
