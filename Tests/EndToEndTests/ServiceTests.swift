import Foundation
import Messages
import StandIns
import TerminalHarness
import Testing

/// Services by the built program: their stand-ins are real servers.
@Suite struct ServiceTests {
  private let household: Household
  private let hub: GitHubStandIn

  init() throws {
    household = try Household()
    hub = GitHubStandIn(StandInConditions(clock: { Date() }))
  }

  private func follow(_ server: StandInServer, _ more: String = "") throws {
    try household.write("token", hub.conditions.token + "\n")
    try household.settings(sources: [
      (
        name: "hub", url: GitHubStandIn.address(at: server.origin),
        more: "kind = \"github\"\ntoken_file = \"\(household.home)/token\"\n\(more)"
      )
    ])
  }

  private var marks: [String] {
    hub.conditions.visits.filter { $0.method != "GET" && $0.path != Self.graphQL }.map {
      "\($0.method) \($0.path)"
    }
  }

  /// The address of the states of issues and pull requests.
  private static let graphQL = "/api/graphql"

  @Test func aMergedRequestIsDone() async throws {
    let ids = (0..<3).map { _ in hub.arrive() }
    for id in ids { hub.change(id) { $0.isPullRequest = true } }
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        func done() throws -> [String] {
          try household.messages("--query", "is:done").compactMap { $0["title"] as? String }
        }
        #expect(try household.run("poll", "--all").exit == .status(0))
        #expect(try done().isEmpty)
        hub.change(ids[1]) { $0.end("MERGED", at: Date()) }
        hub.conditions.clearVisits()
        #expect(try household.run("poll", "--force").exit == .status(0))
        #expect(hub.conditions.visits.map(\.path) == ["/api/v3/notifications", Self.graphQL])
        #expect(try done() == ["Issue 2"])
        let message = try #require(try household.messages("--query", "is:done").first)
        #expect(message["unread"] as? Bool == false && message["resolved"] is String)
        #expect((message["tags"] as? [String])?.contains("merged") == true)
        #expect(try household.messages("--unread").count == 2)
        let shown = try household.run("show", "\(try #require(message["id"] as? Int))")
        #expect(shown.output.contains("merged "), "\(shown.output)")
        hub.change(ids[1]) { ($0.state, $0.closed) = ("OPEN", nil) }
        #expect(try household.run("poll", "--force").exit == .status(0))
        #expect(try done().isEmpty)
        #expect(try household.messages("--unread").count == 3)
        #expect(marks.isEmpty)
      }
    }
  }

  @Test func aTokenWithoutGraphQLIsNamedOnceByWhy() async throws {
    let ids = (0..<3).map { _ in hub.arrive() }
    hub.change(ids[1]) { $0.end("CLOSED", at: Date()) }
    hub.graphQLRefusal = .forbidden
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        for _ in 0..<3 { #expect(try household.run("poll", "--force").exit == .status(0)) }
        #expect(try household.messages("--unread").count == 3)
        let why = try household.run("why", "hub").output
        let named = why.split(separator: "\n").filter { $0.contains("the state of issues and pull requests") }
        #expect(named.count == 1, "\(why)")
        #expect(named.first?.contains("/graphql returned 403, Resource not accessible") == true)
      }
    }
  }

  @Test func aThreadIsMutedByAKey() async throws {
    let ids = (0..<3).map { _ in hub.arrive() }
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        #expect(try household.run("poll", "--all").exit == .status(0))
        let terminal = try household.inbox(columns: 120, rows: 40)
        try terminal.wait(forText: "Issue 2")
        terminal.send("jm")
        try terminal.wait(forText: "U can't undo it")
        terminal.send("\r")
        // The stand-in notes a request after it has answered it.
        try eventually("the thread to be muted") {
          hub.ignored == [ids[1]]
            && marks == ["PUT /api/v3/notifications/threads/\(ids[1].text)/subscription"]
        }
        try terminal.leave()
      }
    }
  }

  private func unplug() { for _ in 0..<1000 { hub.conditions.fail(.hangUp) } }

  @Test func aMarkMadeOfflineIsKeptOverAKillAndDeliveredOnce() async throws {
    hub.arrive()
    let id = hub.arrive()
    hub.arrive()
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        #expect(try household.run("poll", "--all").exit == .status(0))
        unplug()
        let terminal = try household.inbox(columns: 120, rows: 40)
        try terminal.wait(forText: "Issue 2")
        terminal.send("j\r")
        try eventually("the mark to wait") { try household.messages("--unread").count == 2 }
        #expect(try household.run("why", "hub").output.contains("1 change waits to be sent"))
        terminal.signal(SIGKILL)
        #expect(marks.allSatisfy { $0.hasPrefix("PATCH") })
        hub.conditions.clearVisits()
        hub.conditions.recover()
        #expect(try household.run("poll", "--force").exit == .status(0))
        #expect(try household.run("poll", "--force").exit == .status(0))
        #expect(marks == ["PATCH /api/v3/notifications/threads/\(id.text)"])
        #expect(hub.truth.openNow.count == 2)
        #expect(try household.messages("--unread").count == 2)
        #expect(try household.run("why", "hub").output.contains("1 change reached the service"))
      }
    }
  }

  @Test func aCommandSendsItsActsAtOnce() async throws {
    let id = hub.arrive()
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        #expect(try household.run("poll", "--all").exit == .status(0))
        try household.run("mark", "--read", "--all").expect("")
        #expect(marks == ["PATCH /api/v3/notifications/threads/\(id.text)"])
        #expect(try household.run("why", "hub").output.contains("1 change reached the service"))
      }
    }
  }

  @Test func aCommandThatCannotReachTheServiceSaysSoAndSucceeds() async throws {
    hub.arrive()
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        #expect(try household.run("poll", "--all").exit == .status(0))
        unplug()
        let marked = try household.run("mark", "--read", "--all")
        #expect(marked.exit == .status(0) && marked.output.isEmpty)
        #expect(marked.errors.hasPrefix("reddot: 1 change waits for hub: "), "\(marked.errors)")
        #expect(marked.errors.contains(/; the next start or reddot poll from .+ on sends it\n$/))
        #expect(marked.errors.split(separator: "\n").count == 1)
        hub.conditions.recover()
        hub.conditions.clearVisits()
        #expect(try household.run("poll", "--force").exit == .status(0))
        #expect(marks.count == 1)
      }
    }
  }

  @Test func theInboxSaysAtItsEndWhatWaits() async throws {
    for _ in 0..<3 { hub.arrive() }
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        #expect(try household.run("poll", "--all").exit == .status(0))
        let terminal = try household.inbox(columns: 120, rows: 40)
        try terminal.wait(forText: "Issue 2")
        unplug()
        terminal.send("j\r")
        try eventually("the mark to wait") { try household.messages("--unread").count == 2 }
        terminal.send("q")
        #expect(try terminal.waitForExit() == .status(0))
        let said = String(decoding: terminal.bytes, as: UTF8.self)
        #expect(said.contains("reddot: 1 change waits for hub: "), "\(said.suffix(400))")
      }
    }
  }

  @Test func theLimitOfRequestsIsToldAndKept() async throws {
    hub.arrive()
    try await StandInServer.with(hub) { server in
      try follow(server)
      try await onThread { () throws in
        #expect(try household.run("poll", "--all").exit == .status(0))
        #expect(try household.run("why", "hub").output.contains("requests left of 5000 until"))
        hub.conditions.fail(.forbidden)
        let polled = try household.run("poll", "--force")
        #expect(polled.errors.contains("hub: "))
        hub.conditions.clearVisits()
        // Until then, even a forced poll sends no request.
        _ = try household.run("poll", "--force")
        #expect(hub.conditions.visits.isEmpty)
        let why = try household.run("why", "hub").output
        #expect(why.contains("127.0.0.1"), "\(why)")
      }
    }
  }

  @Test func addAsksWhatItNeedsTestsItAndWritesTheSettings() async throws {
    hub.arrive()
    try await StandInServer.with(hub) { server in
      try await onThread { () throws in
        let command = "echo \(hub.conditions.token)"
        let wrong = try household.run(
          "add", "github", "--server", server.origin, "--token-command", "echo wrong")
        #expect(wrong.exit == .status(1))
        #expect(wrong.errors.contains("Nothing was added"))
        let added = try household.run(
          "add", "github", "--server", server.origin, "--token-command", command, "--name", "hub")
        #expect(added.exit == .status(0), "\(added.errors)")
        #expect(added.output.contains("added hub (GitHub): \(server.origin)"))
        #expect(added.output.contains("1 message"))
        let text = try household.text(of: household.settingsFile)
        #expect(text.contains("kind = \"github\""))
        #expect(text.contains("token_command = ["))
        #expect(try household.messages().count == 1)
        let seen = try household.run("inspect", "hub")
        #expect(seen.output.contains("format: github") && seen.output.contains("messages: 1"))
        let needs = try household.run("add", "ntfy")
        #expect(needs.exit == .status(1) && needs.errors.contains("--server"), "\(needs.errors)")
        for ran in [wrong, added, seen, needs] {
          #expect(!(ran.output + ran.errors).contains(hub.conditions.token))
        }
      }
    }
  }

  @Test func aPushChannelBringsNewsAtOnce() async throws {
    let topic = NtfyStandIn(StandInConditions(clock: { Date() }))
    topic.arrive()
    try await StandInServer.with(topic) { server in
      try household.write("token", topic.conditions.token + "\n")
      try household.settings(sources: [
        (
          name: "alerts", url: NtfyStandIn.address(at: server.origin),
          more: """
          kind = "ntfy"
          token_file = "\(household.home)/token"
          stream = true
          interval = "1d"
          initial_delay = "1ms"
          """
        )
      ])
      try await onThread { () throws in
        let terminal = try household.inbox(columns: 120, rows: 40)
        try terminal.wait(forText: "Backup 1")
        topic.arrive()
        try terminal.wait(forText: "Backup 2")
        try terminal.leave()
      }
    }
  }

  /// A server that refuses the stream, and a streaming server that can't be reached.
  @Test(arguments: [("", "404"), ("ws://127.0.0.1:1", "refused")])
  func aStreamThatCannotBeOpenedIsSaidByAnotherProcess(streaming: String, reason: String) async throws {
    let social = MastodonStandIn(StandInConditions(clock: { Date() }))
    social.arrive()
    try await StandInServer.with(social) { server in
      social.streaming = streaming.isEmpty ? "ws://127.0.0.1:\(server.port)/nowhere" : streaming
      try household.write("token", social.conditions.token + "\n")
      try household.settings(sources: [
        (
          name: "social", url: server.origin,
          more: "kind = \"mastodon\"\ntoken_file = \"\(household.home)/token\"\nstream = true\n"
        )
      ])
      try await onThread { () throws in
        func why() throws -> String { try household.run("why", "social").output }
        #expect(try household.run("poll", "--all").exit == .status(0))
        #expect(try !why().contains("stream:"))
        let terminal = try household.inbox(columns: 120, rows: 40)
        try eventually("the failure") { try why().contains("stream: opening it has failed since ") }
        let line = try why().split(separator: "\n").first { $0.hasPrefix("stream:") } ?? ""
        #expect(line.contains(reason) && line.hasSuffix("polls continue."), "\(line)")
        #expect(try household.run("why", "social", "--json").output.contains(#""stream_failure":""#))
        // This does not count as a failure of polls.
        #expect(try household.run("poll", "--all").exit == .status(0))
        try terminal.leave()
        social.streaming = nil
        let second = try household.inbox(columns: 120, rows: 40)
        try eventually("the stream to be open") { try !why().contains("stream:") }
        try second.leave()
      }
    }
  }

  @Test func manyActsAreSaidOnATerminalAlone() async throws {
    let forge = GiteaStandIn(StandInConditions(clock: { Date() }))
    for _ in 0..<12 { forge.arrive() }
    try await StandInServer.with(forge) { server in
      try household.write("token", forge.conditions.token + "\n")
      try household.settings(sources: [
        (
          name: "forge", url: server.origin,
          more: "kind = \"gitea\"\ntoken_file = \"\(household.home)/token\"\n"
        )
      ])
      try await onThread { () throws in
        func markOffline(_ option: [String]) throws {
          for _ in 0..<1000 { forge.conditions.fail(.hangUp) }
          #expect(try household.run(["mark"] + option).exit == .status(0))
          forge.conditions.recover()
        }
        #expect(try household.run("poll", "--all").exit == .status(0))
        try markOffline(["--read", "--all"])
        let terminal = try household.inbox(arguments: ["poll", "--force"])
        #expect(try terminal.waitForExit() == .status(0))
        let said = String(decoding: terminal.bytes, as: UTF8.self)
        #expect(said.contains("Sending 12 changes to forge …"), "\(said)")
        #expect(forge.truth.openNow.isEmpty)
        let ids = try household.messages().compactMap { $0["id"] as? Int }
        try markOffline(["--unread"] + ids.map(String.init))
        let polled = try household.run("poll", "--force")
        #expect(!(polled.output + polled.errors).contains("Sending"), "\(polled.errors)")
        #expect(forge.truth.openNow.count == 12)
      }
    }
  }

  @Test func addRefusesATokenThatReadsOnlyAndSaysWhereToMakeAnother() async throws {
    let lab = GitLabStandIn(StandInConditions(clock: { Date() }))
    lab.scopes = ["read_api"]
    try await StandInServer.with(lab) { server in
      try await onThread { () throws in
        let add = [
          "add", "gitlab", "--server", server.origin, "--token-command", "echo \(lab.conditions.token)",
        ]
        let refused = try household.run(add)
        #expect(refused.exit == .status(1))
        #expect(
          refused.errors.contains("the token lacks the scope api (it has read_api); create another token"),
          "\(refused.errors)")
        #expect(refused.errors.contains("\(server.origin)/-/user_settings/personal_access_tokens"))
        #expect(refused.errors.contains("--force"))
        #expect(try household.run(add + ["--force"]).exit == .status(0))
        lab.scopes = ["api"]
        #expect(try household.run(add + ["--name", "second"]).exit == .status(0))
      }
    }
  }

  @Test func theInboxAddsAServiceAndAsksAgainForAWrongTokenOnly() async throws {
    hub.arrive()
    try await StandInServer.with(hub) { server in
      try await onThread { () throws in
        let terminal = try household.inbox(columns: 110, rows: 30)
        try terminal.wait(forText: "Welcome to reddot")
        terminal.send("agithub\r")
        try terminal.wait(forText: "Add GitHub")
        terminal.send("\(GitHubStandIn.address(at: server.origin))\techo wrong\r")
        try terminal.wait(forText: "401")
        // The typed text stays, and the cursor is in the field of the token.
        #expect(terminal.screen.text.contains(GitHubStandIn.address(at: server.origin)))
        terminal.send("\u{15}echo \(hub.conditions.token)\r")
        try terminal.wait(forText: "Issue 1")
        try terminal.leave()
        #expect(try household.run("sources").output.contains("github"))
      }
    }
  }
}
