import Foundation
import TerminalHarness
import TestBasics
import Testing

/// `reddot ask` in a source that several machines share: a script on one machine, an inbox on another one.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SharedAskTests {
  private let server: Household
  private let laptop: Household
  private let desktop: Household

  init() throws {
    (server, laptop, desktop) = (try Household(), try Household(), try Household())
    let place = "\(server.home)/place"
    for (machine, name) in [(server, "server"), (laptop, "laptop"), (desktop, "desktop")] {
      try machine.write(
        machine.settingsFile,
        """
        language = "en"

        [sync]
        name = "\(name)"

        [[source]]
        name = "deploys"
        kind = "local"
        shared = true

        """)
    }
    #expect(try server.run("sync", "init", place).exit == .status(0))
    let key = try server.syncKey()
    for machine in [laptop, desktop] {
      #expect(try machine.run("sync", "join", place, key).exit == .status(0))
    }
  }

  private func ask(_ title: String, _ more: String...) throws -> Running {
    try server.run("push", "Before \(title)", "--source", "deploys").expect("")
    return try server.start(["ask", title, "yes", "no", "--source", "deploys"] + more)
  }

  private func message(_ title: String, _ machine: Household) throws -> [String: Any] {
    try machine.message { $0["title"] as? String == title }
  }

  private func shown(_ title: String, _ machine: Household) throws -> String {
    let id = try #require(try message(title, machine)["id"] as? Int)
    return try machine.run("show", "\(id)").output
  }

  /// No inbox is open on the server, and nothing syncs there but the program that waits.
  @Test func anInboxElsewhereAnswersAScript() throws {
    let running = try ask("Deploy 4.2?", "--for", "10m")
    let terminal = try laptop.inbox(columns: 100)
    try terminal.wait(forText: "1 yes  2 no")
    let early = "press the digit again"
    while true {
      terminal.send("gg1")
      try terminal.wait(for: "the answer") {
        $0.screen.text.contains("answered: yes") || $0.screen.text.contains(early)
      }
      if terminal.screen.text.contains("answered: yes") { break }
      try terminal.wait(for: "a line without the sentence") {
        guard $0.screen.text.contains(early) else { return true }
        $0.send("k")
        return false
      }
    }
    let ran = try running.waitForEnd()
    #expect(ran.output == "yes\n" && ran.exit == .status(0) && ran.errors == "")
    let ended = try message("Deploy 4.2?", server)
    #expect(ended["answer"] as? String == "yes" && ended["ending"] as? String == "answered")
    #expect(ended["unread"] as? Bool == false)
    #expect(try shown("Deploy 4.2?", server).contains("answered on laptop: yes, "))
    try terminal.leave()
    // The end is in the place before the program ends.
    #expect(try desktop.run("sync").exit == .status(0))
    #expect(try shown("Deploy 4.2?", desktop).contains("answered on laptop: yes, "))
    #expect(try laptop.run("sync").exit == .status(0))
    #expect(try shown("Deploy 4.2?", laptop).contains("answered: yes, "))
    for machine in [server, laptop, desktop] {
      #expect(try machine.run("status", "--format", "{waiting}").output == "0\n")
      #expect(try machine.messages("--unread").count == 1)
      #expect(try machine.run("check").output.hasSuffix("everything agrees\n"))
    }
  }

  @Test func withoutAnAnswerItEndsOnAllMachines() throws {
    let ran = try ask("Anyone?", "--for", "1s").waitForEnd()
    #expect(ran.exit == .status(124) && ran.output == "")
    #expect(try desktop.run("sync").exit == .status(0))
    let ended = try message("Anyone?", desktop)
    #expect(ended["ending"] as? String == "timed_out" && ended["unread"] as? Bool == true)
    #expect(try desktop.run("status", "--format", "{waiting}").output == "0\n")
  }

  @Test func aPermissionStaysOnItsMachine() throws {
    let request =
      #"{"hook_event_name":"PermissionRequest","session_id":"s1","cwd":"/home/ada/shop","tool_name":"Bash","tool_input":{"command":"make test"}}"#
    let running = try server.start(["push", "--hook", "--answer", "--for", "10m"], input: request)
    _ = try message("shop: ? make test", server)
    try server.run("push", "Neighbour", "--source", "deploys").expect("")
    #expect(try laptop.run("sync").exit == .status(0))
    #expect(try laptop.messages().compactMap { $0["title"] as? String } == ["Neighbour"])
    kill(running.process, SIGTERM)
    try running.waitForEnd().expect("")
    #expect(try laptop.run("sync").exit == .status(0))
    #expect(try laptop.messages().count == 1)
  }
}
