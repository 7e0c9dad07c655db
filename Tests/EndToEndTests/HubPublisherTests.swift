import Foundation
import HangLimit
import StandIns
import TerminalHarness
import Testing

/// `reddot add` and `reddot push --hub` with the built `reddot-hub`.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubPublisherTests {
  private let hub: HubHousehold
  private var household: Household { hub.household }

  init() throws {
    hub = try HubHousehold()
    _ = try hub.output("feed", "add", "ops", "--title", "Ops")
    try household.settings(sources: [])
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
          2 added, 0 followed already

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
      // By the address of the list, with a feed that is new.
      _ = try hub.output("feed", "add", "open", "--public")
      try eventually("the hub to know the feed") {
        try household.run("add", "\(address)/v1/feeds", "--token-file", "\(household.home)/token").output
          .contains("1 added, 2 followed already")
      }
      let again = try household.run("add", address, "--token-file", "\(household.home)/token")
      #expect(again.output == "0 added, 3 followed already\n")
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
      let none = "this token may read no feed of the hub. Nothing was added"
      #expect(try refusal("--token-file", "\(household.home)/token") == "reddot: \(address): \(none)\n")
      try household.write("token", "rdh_9_wrong")
      let wrong = "the hub doesn't know this token, or it has ended. Nothing was added"
      #expect(try refusal("--token-file", "\(household.home)/token") == "reddot: \(address): \(wrong)\n")
      #expect(try refusal("--name", "x").contains("a hub's feeds have their own names"))
    }
  }

  @Test func aPushIsPublishedWithAllThatItSays() throws {
    try token("both", "--publish", "ops", "--read", "ops")
    try serving { address in
      #expect(try household.run("add", address, "--token-file", "\(household.home)/token").exit == .status(0))
      let answer = try household.run(
        "push", "Disk 95 %", "--hub", "Ops", "--body", "of /var", "--id", "disk", "--priority", "5", "--tag",
        "disk", "--url", "https://example.org/disk", "--json")
      #expect(answer.output == "{\"id\":1,\"key\":\"disk\",\"state\":\"stored\"}\n", "\(answer.errors)")
      // The same again is the same, and another text is news.
      let same = try household.run(
        "push", "Disk 95 %", "--hub", "Ops", "--body", "of /var", "--id", "disk", "--priority", "5", "--tag",
        "disk", "--url", "https://example.org/disk", "--json")
      #expect(same.output.contains("\"state\":\"unchanged\""), "\(same.output)\(same.errors)")
      #expect(try household.run("poll", "--force").exit == .status(0))
      #expect(try household.run("mark", "--read", "--all").exit == .status(0))
      let silent = try household.run(
        "push", "Disk 99 %", "--hub", address, "--feed", "ops", "--token-file", "\(household.home)/token",
        "--id", "disk")
      #expect(silent.exit == .status(0) && silent.output == "", "\(silent.errors)")
      #expect(try household.run("poll", "--force").exit == .status(0))
      let row = try household.run("list").output
      #expect(row.contains("Disk 99 %") && row.contains("●") && row.split(separator: "\n").count == 1)
      let later = try household.run("push", "Later", "--hub", "Ops", "--at", "2h", "--json")
      #expect(later.output.contains("\"state\":\"scheduled\""), "\(later.errors)")
    }
  }

  @Test func whyAPushIsNotPublishedIsSaid() throws {
    try token("writer", "--publish", "ops")
    func refusal(_ words: String..., status: Int32 = 1) throws -> String {
      let ran = try household.start(["push", "Title"] + words).waitForEnd()
      #expect(ran.exit == .status(status) && ran.output == "")
      return ran.errors
    }
    var place = ""
    try serving { address in
      place = address
      #expect(try refusal("--hub", address).contains("say with --feed to which feed"))
      #expect(
        try refusal("--hub", "nobody").contains("neither the address of a hub nor the name of a source"))
      #expect(try refusal("--hub", address, "--feed", "ops").contains("the hub wants a token"))
      #expect(
        try refusal("--hub", address, "--feed", "none", "--token-file", "\(household.home)/token")
          .contains("there isn't a feed none to which this token may publish"))
      #expect(
        try refusal(
          "--hub", address, "--feed", "ops", "--token-file", "\(household.home)/token", "--id", "#1"
        )
        .contains("the hub refuses it: $.key"))
      let long = String(repeating: "x", count: 70_000)
      #expect(
        try refusal(
          "--hub", address, "--feed", "ops", "--token-file", "\(household.home)/token", "--body", long
        )
        .contains("too large"))
      _ = try refusal("--feed", "ops", status: 64)
      _ = try refusal("--hub", address, "--feed", "ops", "--markdown", status: 64)
    }
    #expect(
      try refusal("--hub", place, "--feed", "ops", "--token-file", "\(household.home)/token").contains(place))
  }
}
