import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// The built `reddot-hub` with publishers, and the built `reddot` as its reader.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubProgramTests {
  private let hub: HubHousehold
  private var household: Household { hub.household }

  init() throws { hub = try HubHousehold() }

  @Test func aTeamPublishesAndReads() throws {
    #expect(try hub.output("feed", "add", "ops", "--title", "Ops") == "http://127.0.0.1:0/v1/feeds/ops")
    let publisher = "Authorization: Bearer \(try hub.output("token", "add", "backup", "--publish", "ops"))"
    try household.write("token", try hub.output("token", "add", "desk", "--read", "ops", "--expires", "1y"))
    let (program, client) = try hub.serve()
    let address = "http://127.0.0.1:\(client.port)/v1/feeds/ops"
    let source = (name: "ops", url: address, more: "kind = \"native\"\ntoken_file = \"~/token\"")
    try household.settings(sources: [source])
    func publish(_ query: String, _ text: String = "text") throws {
      let answer = try client.ask("POST", "/v1/feeds/ops?\(query)", [publisher], body: text)
      #expect([200, 201].contains(answer.status), "\(answer)")
    }
    func rows(of reader: Household) throws -> [Substring] {
      let polled = try reader.run("poll", "--force")
      #expect(polled.exit == .status(0), "\(polled.errors)")
      return try reader.run("list").output.split(separator: "\n")
    }

    try publish("title=Disk+80&key=disk")
    try publish("title=Lunch")
    #expect(try rows(of: household).count == 2)
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    // An edit stays read, and is the same message; news is unread again.
    try publish("title=Disk+81&key=disk")
    var row = try #require(try rows(of: household).first { $0.contains("Disk") })
    #expect(row.contains("Disk 81") && !row.contains("●"))
    try publish("title=Disk+95&key=disk&news")
    row = try #require(try rows(of: household).first { $0.contains("Disk") })
    #expect(row.contains("Disk 95") && row.contains("●"))
    // A command on the hub's machine publishes while the hub serves.
    #expect(try hub.output("publish", "ops", "By hand", "--key", "hand") == "5 stored")
    #expect(try hub.output("publish", "ops", "By hand", "--key", "hand") == "5 unchanged")
    while try rows(of: household).count != 3 {}
    // A withdrawn item ends for readers that have it, and later readers never see it.
    let gone = try client.ask("DELETE", "/v1/feeds/ops/items/disk", [publisher])
    #expect(gone.status == 200)
    #expect(try rows(of: household).allSatisfy { !$0.contains("Disk") })
    let late = try Household()
    try late.write("token", try household.text(of: "\(household.home)/token"))
    try late.settings(sources: [source])
    let seen = try rows(of: late)
    #expect(seen.count == 2 && seen.allSatisfy { !$0.contains("Disk") }, "\(seen)")

    #expect(try hub.output("feed", "list") == "ops  private  3 items  last 6  Ops")
    let tokens = try hub.output("token", "list")
    #expect(tokens.contains(#/backup  publishes ops  made \d{4}-\d\d-\d\d/#))
    #expect(tokens.contains(#/desk  reads ops  made \S+(  used \S+)?  expires \d{4}-/#))
    let link = try hub.output("token", "add", "rss", "--read", "ops", "--link")
    #expect(try client.ask("GET", "/v1/feeds/ops.atom?token=\(link)").body.contains("<title>By hand</title>"))
    #expect(try hub.run("token", "add", "two", "--read", "ops,other", "--link").exit == .status(64))
    let admin = try hub.output("token", "add", "boss", "--admin")
    let audit = try client.ask("GET", "/v1/audit", ["Authorization: Bearer \(admin)"])
    #expect(
      audit.body.contains(#""who":"token backup","act":"stored""#) && audit.body.contains(#""who":"command""#)
    )
    let links = try hub.output("token", "list")
    #expect(links.contains("rss  link  reads ops") && links.contains("boss  admin  made "))
    #expect(try hub.output("backup", "\(household.home)/copy.db").hasPrefix("Backed up 3 items, 0."))
    #expect(try hub.output("check").contains("fsync  good"))
    #expect(try hub.output("migrate") == "Schema 4: nothing to do.")
    let early = try hub.run("restore", "\(household.home)/copy.db")
    #expect(early.exit == .status(73) && early.errors.contains("stop that one first"), "\(early)")
    #expect(try hub.run("serve").errors.contains("is already served by another reddot-hub"))
    // This also applies under another name.
    try FileManager.default.createSymbolicLink(
      atPath: "\(household.home)/link.db", withDestinationPath: "hub.db")
    try household.write(
      "link.toml", "listen = \"127.0.0.1:0\"\nstore = \"sqlite:\(household.home)/link.db\"\n")
    let second = try Running(
      BuiltProduct.path("reddot-hub"), ["serve", "--config", "\(household.home)/link.toml"],
      environment: household.environment, keeping: household
    ).waitForEnd()
    #expect(second.exit == .status(1))
    #expect(second.errors.contains("hub.db is already served by another reddot-hub"), "\(second.errors)")

    kill(program.process, SIGTERM)
    let ended = try program.waitForEnd()
    #expect(ended.exit == .status(0))
    #expect(ended.errors.contains("POST /v1/feeds/ops 201") && !ended.errors.contains("rdh_"))
    let restored = try hub.output("restore", "\(household.home)/copy.db").split(separator: "\n")
    #expect(restored.count == 4 && restored[0].hasPrefix("Restored 3 items; the last change in it is of 20"))
    #expect(restored[1] == "No item was published after that." && restored[2].hasSuffix("hub.db.replaced."))
    #expect(restored[3].contains(#/^New ids begin after 100000\d\.$/#), "\(restored)")
    #expect(
      try hub.output("token", "change", "desk", "--no-read").hasPrefix("Changed desk  made "))
    #expect(try hub.run("token", "change", "desk").exit == .status(64))
    #expect(try hub.output("token", "revoke", "desk") == "Revoked desk: here at once, elsewhere within 10 s.")
    #expect(try hub.output("feed", "remove", "ops", "--yes") == "Removed ops and its 3 items.")
  }

  /// Under the umask of a service, behind a proxy of another user.
  @Test func aSocketHasTheModeOfTheSettings() throws {
    let socket = "\(household.home)/sock"
    _ = try hub.output("feed", "add", "ops")
    for (setting, expected) in [("", 0o666), ("socket_mode = \"0660\"", 0o660)] {
      try household.write(
        "hub.toml", "listen = \"unix:\(socket)\"\nstore = \"sqlite:\(household.home)/hub.db\"\n\(setting)\n")
      let program = try Running(
        "/bin/sh",
        [
          "-c", "umask 077; exec \"$0\" serve --config \"$1\"", BuiltProduct.path("reddot-hub"),
          "\(household.home)/hub.toml",
        ], environment: household.environment, keeping: household)
      try program.wait(for: "the socket") { running in
        String(decoding: running.outputBytes, as: UTF8.self).contains("Listening on unix:\(socket)")
      }
      let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
      #expect(mode == expected, "\(setting)")
      kill(program.process, SIGTERM)
      #expect(try program.waitForEnd().exit == .status(0))
    }
    try household.write("hub.toml", "socket_mode = \"rw\"\n")
    #expect(
      try hub.run("feed", "list").errors.contains("hub.toml:1: socket_mode: must be the mode of the socket"))
  }

  @Test func mistakesNameFileLineAndKey() throws {
    try hub.settings(port: 0, more: "colour = \"red\"\nlimits = { publish_per_minute = 0 }")
    let file = "\(household.home)/hub.toml"
    let ran = try hub.run("feed", "list")
    #expect(ran.exit == .status(1))
    #expect(
      ran.errors
        == "reddot-hub: \(file):4: colour: is not a setting of this reddot-hub (and 1 more)\n")
    try household.write("hub.toml", "listen = \"0.0.0.0:1\"\n")
    #expect(try hub.run("feed", "list").errors.contains("hub.toml:1: listen: others could read tokens"))
    try household.write("hub.toml", "listen = \n")
    #expect(try hub.run("feed", "list").errors.contains("hub.toml:1: is not TOML"))
    try household.write("hub.toml", "behind_proxy = true\ntrusted_proxies = [}\n")
    #expect(try hub.run("feed", "list").errors.contains("hub.toml:2: is not TOML"))
    try household.write("hub.toml", "behind_proxy = true\n\0\ncolour = 1\n")
    #expect(try hub.run("feed", "list").errors.contains("hub.toml:2: is not TOML: a NUL byte"))
    // The key is in two tables, and in a comment.
    try household.write(
      "hub.toml",
      """
      # name = "first"
      [[hook]]
      name = "a"
      type = "github"
      feed = "ops"
      secret_file = "/s"
        [[ hook ]]
      "name" = "A b"
      type = "github"
      feed = "ops"
      secret_file = "/s"

      """)
    #expect(try hub.run("feed", "list").errors.contains("hub.toml:8: hook.name: must have lowercase letters"))
    try household.write("hub.toml", "store = \"sqlite:/nowhere/hub.db\"\n")
    let away = try hub.run("feed", "list")
    #expect(away.exit == .status(75) && away.errors.contains("/nowhere/hub.db cannot be opened"))
    #expect(try hub.run("feed", "add", "Not-A-Name").exit == .status(64))
  }

  /// The soft limit is raised. If the hard one is too low, that is reported, and clients other than the waiting ones
  /// are still served.
  @Test(arguments: [("-Sn 64", 80, 80), ("-n 305", 10, 5)])
  func asManyReadersWaitAsFilesMayBeOpen(files: String, readers: Int, waiting: Int) async throws {
    _ = try hub.output("feed", "add", "ops")
    let token = "Authorization: Bearer \(try hub.output("token", "add", "desk", "--read", "ops"))"
    let (program, client) = try hub.serve(files: files)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<readers {
        group.addTask { try await client.answer("GET", "/v1/feeds/ops?wait=300", [token]).status }
      }
      for _ in waiting..<readers { #expect(try await group.next() == 200) }
      try eventually("the readers wait") {
        try client.ask("GET", "/metrics").body.contains("reddot_hub_waiting \(waiting)\n")
      }
      kill(program.process, SIGTERM)
      for try await status in group { #expect(status == 200) }
    }
    let ran = try program.waitForEnd()
    #expect(ran.exit == .status(0))
    if files == "-n 305" {
      #expect(
        ran.errors.contains(
          """
          reddot-hub: only 305 files may be open at the same time here, so 5 readers can wait instead of 20000; raise the limit, for example with \
          ulimit -n 22200

          """))
    }
  }

  @Test func linesAreAllGoodOrNoneIsPublished() throws {
    _ = try hub.output("feed", "add", "ops")
    let lines = try household.write(
      "items.jsonl", "{\"title\": \"A\"}\r\n\n{\"title\": \"B\", \"key\": \"b\"}\r\n")
    #expect(try hub.output("publish", "ops", "--jsonl", lines) == "1 stored\n2 stored")
    try household.write("items.jsonl", "{\"title\": \"C\"}\n{\"title\": 7}\n")
    let ran = try hub.run("publish", "ops", "--jsonl", lines)
    #expect(ran.exit == .status(1) && ran.errors.contains("items.jsonl:2: $.title: must be a string"))
    #expect(try hub.output("publish", "ops", "Later", "--at", "2h").hasPrefix("scheduled 2"))
    #expect(
      try hub.run("publish", "none", "A").errors
        == "reddot-hub: none is not a feed of this hub; run reddot-hub feed add to create it\n")
    #expect(try hub.output("feed", "list").contains("2 items  last 2"))
  }
}
