import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// Messages that are published to a hub, in any way, are on every reader that `reddot add HUB` sets up.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubDoorTests {
  private static let secret = "sesame-sesame-sesame"

  private static let hooks = [
    ("topics", "ntfy", ""), ("numbers", "gotify", ""), ("alerts", "alertmanager", ""), ("watch", "kuma", ""),
    ("probes", "json", "title = \"{name}\"\nchannel = \"{name}\""),
  ]

  private static func settings(_ home: String) -> String {
    hooks.map { name, type, more in
      "[[hook]]\nname = \"\(name)\"\ntype = \"\(type)\"\nfeed = \"ops\"\nsecret_file = \"\(home)/secret\"\n\(more)\n"
    }.joined()
  }

  /// Publishes by each door; the number of the door is in the title.
  private func publish(_ client: LoopbackClient, _ token: String) throws {
    let bearer = ["Authorization: Bearer \(token)"]
    let secret = ["Authorization: Bearer \(Self.secret)"]
    func ask(_ path: String, _ fields: [String], _ body: String) throws {
      let answer = try client.ask("POST", path, fields, body: body)
      #expect((200...201).contains(answer.status), "\(path): \(answer)")
    }
    try ask("/v1/feeds/ops?title=Door-1&channel=disks", bearer, "of a form")
    try ask(
      "/v1/feeds/ops", bearer + ["Content-Type: application/json"],
      #"[{"title": "Door-2", "channel": "backups"}, {"title": "Door-3"}]"#)
    try ask("/v1/hooks/topics/door", secret + ["Title: Door-4"], "of a topic")
    try ask("/v1/hooks/topics", secret, #"{"topic": "other", "title": "Door-5", "message": "as JSON"}"#)
    try ask("/v1/hooks/numbers/message", secret, #"{"title": "Door-6", "message": "m"}"#)
    try ask(
      "/v1/hooks/alerts", secret,
      #"{"alerts": [{"status": "firing", "labels": {"alertname": "Door-7"}, "fingerprint": "a1"}]}"#)
    try ask(
      "/v1/hooks/watch", secret,
      #"{"heartbeat": {"status": 0, "time": "2026-11-20 09:00:00.000"}, "monitor": {"id": 4, "name": "Door-8"}}"#
    )
    try ask("/v1/hooks/probes", secret, #"{"name": "Door-9"}"#)
  }

  @Test func whatIsPublishedByAnyDoorIsSeenByEveryReader() throws {
    let hub = try HubHousehold()
    let household = hub.household
    _ = try hub.output("feed", "add", "ops", "--title", "Ops")
    let token = try hub.output("token", "add", "both", "--publish", "ops", "--read", "ops")
    try household.write("token", token)
    try household.write("secret", Self.secret)
    let (program, client) = try hub.serve(more: Self.settings(household.home))
    let address = "http://127.0.0.1:\(client.port)"
    try household.settings(sources: [])
    let added = try household.run("add", address, "--token-file", "\(household.home)/token")
    #expect(added.exit == .status(0), "\(added.errors)")
    try household.write(
      household.settingsFile,
      try household.text(of: household.settingsFile)
        + "\n[[hub]]\nname = \"team\"\nurl = \"\(address)\"\ntoken_file = \"~/token\"\n")

    try publish(client, token)
    let pushed = try household.run("push", "Door-10", "--feed", "ops", "--channel", "pushes")
    #expect(pushed.exit == .status(0), "\(pushed.errors)")
    _ = try hub.output("publish", "ops", "Door-11")

    #expect(try household.run("poll", "--force").exit == .status(0))
    let read = ["Authorization: Bearer \(token)"]
    let basic = ["Authorization: Basic \(Data("any:\(token)".utf8).base64EncodedString())"]
    let readers: [(name: String, text: String)] = [
      ("list", try household.run("list").output), ("JSON", try household.run("list", "--json").output),
      ("in:all", try household.run("list", "--query", "in:all").output),
      ("unread", try household.run("list", "--query", "is:unread source:Ops").output),
      ("page", try client.ask("GET", "/v1/feeds/ops", read).body),
      ("Atom", try client.ask("GET", "/v1/feeds/ops.atom", basic).body),
      ("JSON Feed", try client.ask("GET", "/v1/feeds/ops.json", basic).body),
    ]
    for (name, text) in readers {
      let found = Set(text.matches(of: #/Door-\d+/#).map { String($0.output) })
      #expect(found == Set((1...11).map { "Door-\($0)" }), "\(name): \(text)")
    }
    #expect(try household.run("list", "--query", "channel:disks").output.contains("Door-1"))
    #expect(try !household.run("why", "Ops").output.contains("channels:"))

    // A source that names channels shows those, and reports the others.
    let settings = try household.text(of: household.settingsFile)
    try household.write(
      household.settingsFile,
      settings.replacing("kind = \"native\"", with: "kind = \"native\"\nchannels = [\"disks\"]"))
    #expect(try household.run("poll", "--force").exit == .status(0))
    let some = try household.run("list").output
    #expect(some.contains("Door-1\n") && some.contains("Door-3") && !some.contains("Door-2"), "\(some)")
    let why = try household.run("why", "Ops").output
    let left = "channels: 5 not listed, of Door-9 (1), backups (1), door (1), other (1), pushes (1)."
    #expect(why.contains(left), "\(why)")
    #expect(try household.run("why", "Ops", "--json").output.contains("\"other_channels\":{\"Door-9\":1,"))
    kill(program.process, SIGTERM)
    #expect(try program.waitForEnd().exit == .status(0))
  }
}
