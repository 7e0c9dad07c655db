import Foundation
import TerminalHarness
import Testing

/// Panes of tmux: their bells, and the key that goes to a pane.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
struct HookPaneTests {
  private let household: Household
  private let program = BuiltProduct.path("reddot")

  init() throws { household = try Household() }

  /// Two windows, of which the second is not looked at, and the hooks.
  private func session() throws -> TmuxSession {
    let tmux = try TmuxSession(
      columns: 80, rows: 24, program: "/usr/bin/bash", arguments: ["--norc", "-i"],
      environment: household.environment.merging(["PS1": "> "]) { $1 })
    let path = try household.write("hooks.conf", try household.run("hooks", "tmux").output)
    try tmux.run(["source-file", path])
    try tmux.run(["set-environment", "-g", "HOME", household.home])
    try tmux.run([
      "new-window", "-d", "-n", "work", "env", "HOME=\(household.home)", "PS1=> ", "/usr/bin/bash", "--norc",
      "-i",
    ])
    return tmux
  }

  private func ring(_ tmux: TmuxSession) throws {
    try tmux.run(["send-keys", "-t", "%1", "printf '\\a'", "Enter"])
  }

  @Test func aBellIsOneMessageUntilSomebodyGoesThere() throws {
    let tmux = try session()
    try ring(tmux)
    let first = try household.message { ($0["title"] as? String)?.hasPrefix("Bell in ") == true }
    #expect((first["title"] as? String)?.hasSuffix(":1.0 work") == true)
    // The option is set before the message is stored, so that an immediate visit of the pane is noticed.
    #expect(try tmux.run(["show-options", "-pqv", "-t", "%1", "@reddot"]) == "1\n")
    try ring(tmux)
    _ = try household.message { $0["published"] as? String != first["published"] as? String }
    try tmux.run(["select-window", "-t", "%1"])
    _ = try household.message { $0["unread"] as? Bool == false }
    #expect(try household.messages().count == 1)
    // The message becomes unread again when the bell rings again.
    try tmux.run(["select-window", "-t", "%0"])
    try ring(tmux)
    _ = try household.message { $0["unread"] as? Bool == true }
    #expect(try household.messages().count == 1)
  }

  /// The bell of the inbox itself, for an arrived message, adds no message.
  @Test func aBellOfTheInboxIsNotAMessage() throws {
    let tmux = try session()
    try tmux.run(["send-keys", "-t", "%1", "exec '\(program)'", "Enter"])
    try tmux.wait(for: "the inbox") { _ in
      (try? tmux.run(["capture-pane", "-p", "-t", "%1"]))?.contains("? help") == true
    }
    // As tmux does when it rings.
    try tmux.run(["run-shell", "HOME='\(household.home)' '\(program)' hooks record bell --pane %1"])
    // Later messages are stored after it.
    try household.run("push", "--hook", #"{"event":"after","cwd":"/a/b"}"#).expect("")
    _ = try household.message { $0["title"] as? String == "b: after" }
    #expect(try !household.messages().contains { ($0["title"] as? String)?.hasPrefix("Bell") == true })
  }

  @Test func aPaneThatIsGoneIsCalledByItsNumber() throws {
    let tmux = try session()
    try tmux.run(["send-keys", "-t", "%1", "exit", "Enter"])
    let message = try household.message { ($0["title"] as? String)?.hasPrefix("The program in ") == true }
    #expect(message["title"] as? String == "The program in tmux pane 1 ended")
  }

  /// The names of windows and panes are chosen by programs: neither tmux nor a shell interprets them.
  @Test func namesAreTextsOnly() throws {
    let tmux = try session()
    let trap = "\(household.home)/trap"
    try tmux.run(["rename-session", "##(touch \(trap)1)"])
    try tmux.run(["rename-window", "-t", "%1", "$(touch \(trap)2)`touch \(trap)3`"])
    try tmux.run([
      "send-keys", "-t", "%1", "printf '\\033]2;$(touch \(trap)4)#(touch \(trap)5)\\007'", "Enter",
    ])
    try ring(tmux)
    let message = try household.message { ($0["title"] as? String)?.hasPrefix("Bell in ") == true }
    #expect((message["title"] as? String)?.contains("#(touch") == true)
    try tmux.run(["select-window", "-t", "%1"])
    _ = try household.message { $0["unread"] as? Bool == false }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: household.home).filter { $0.hasPrefix("trap") }
        == [])
  }

  @Test func hooksOfOthersStay() throws {
    let tmux = try session()
    try tmux.run(["set-hook", "-g", "alert-bell[0]", "display-message mine"])
    let before = try tmux.run(["show-hooks", "-g"])
    for _ in 1...2 {
      try tmux.run([
        "send-keys", "-t", "%0", "'\(program)' hooks tmux --install && tmux wait-for -S set", "Enter",
      ])
      try tmux.run(["wait-for", "set"])
    }
    #expect(try tmux.run(["show-hooks", "-g"]) == before)
    try tmux.run([
      "send-keys", "-t", "%0", "'\(program)' hooks tmux --remove && tmux wait-for -S removed", "Enter",
    ])
    try tmux.run(["wait-for", "removed"])
    let after = try tmux.run(["show-hooks", "-g"])
    #expect(after.contains("display-message mine"))
    #expect(!after.contains("hooks record"))
    #expect(!(try tmux.run(["show-hooks", "-gw"]).contains("hooks record")))
  }

  @Test func oneGoesThereFromTheInbox() throws {
    let tmux = try session()
    let terminal = try tmux.attach()
    try ring(tmux)
    _ = try household.message { ($0["title"] as? String)?.hasPrefix("Bell in ") == true }
    try tmux.run(["send-keys", "-t", "%1", "clear; echo the-pane-that-rang", "Enter"])
    try tmux.run(["send-keys", "-t", "%0", "'\(program)'", "Enter"])
    try terminal.wait(forText: "Bell in")
    terminal.send("gp")
    try terminal.wait(forText: "the-pane-that-rang")
    _ = try household.message { $0["unread"] as? Bool == false }
    // A closed pane is reported.
    try tmux.run(["kill-pane", "-t", "%1"])
    try terminal.wait(forText: "Bell in")
    terminal.send("gp")
    try terminal.wait(forText: "Its pane was closed.")
  }

  /// Three windows: two programs wait, and the one that waits longer is not the last one.
  @Test func nextGoesToTheProgramThatHasWaitedLongest() throws {
    let tmux = try session()
    try tmux.run([
      "new-window", "-d", "-n", "later", "env", "HOME=\(household.home)", "PS1=> ", "/usr/bin/bash", "--norc",
      "-i",
    ])
    let terminal = try tmux.attach()
    for (pane, project) in [("%1", "first"), ("%2", "second")] {
      try household.write(
        "\(project).json", #"{"event":"waiting","session_id":"\#(project)","cwd":"/w/\#(project)"}"#)
      try tmux.run([
        "send-keys", "-t", pane, "'\(program)' push --hook < \(household.home)/\(project).json", "Enter",
      ])
      _ = try household.message { $0["title"] as? String == "\(project): waiting" }
    }
    try tmux.run(["send-keys", "-t", "%1", "clear; echo the-first-one", "Enter"])
    try tmux.run(["send-keys", "-t", "%2", "clear; echo the-second-one", "Enter"])
    #expect(try household.run("status", "--format", "{waiting}").output == "2\n")
    try tmux.run(["send-keys", "-t", "%0", "'\(program)' next", "Enter"])
    try terminal.wait(forText: "the-first-one")
    // A message of the pane that the user looks at counts as read.
    _ = try household.message { $0["title"] as? String == "first: waiting" && $0["unread"] as? Bool == false }
    try tmux.run(["select-window", "-t", "%0"])
    try tmux.run(["send-keys", "-t", "%0", "clear; '\(program)' next", "Enter"])
    try terminal.wait(forText: "the-second-one")
    _ = try household.message {
      $0["title"] as? String == "second: waiting" && $0["unread"] as? Bool == false
    }
    try household.run("next").expectFailure("no program waits in a pane")
    // A key of tmux: the pane stays as it is, and the reason is below it.
    try tmux.run(["bind-key", "g", "run-shell", "-b", "'\(program)' next --tmux"])
    terminal.send("\u{2}g")
    try terminal.wait(forText: "reddot: no program waits in a pane")
    #expect(try tmux.run(["display-message", "-p", "#{pane_in_mode}"]) == "0\n")
    try household.run("next", "--tmux").expectFailure("no program waits in a pane")
  }

  /// Events in the pane that the user looks at add no message.
  @Test func nothingIsSaidOfThePaneThatHasTheFocus() throws {
    let tmux = try session()
    let terminal = try tmux.attach()
    try tmux.run(["select-window", "-t", "%1"])
    try terminal.wait(forText: "work")
    // The events arrive in this order. Only the message of the waiting program is stored, as read.
    let waiting = #"{"event":"waiting","cwd":"/a/b"}"#
    try household.write(
      "events.sh", "'\(program)' hooks record bell; echo '\(waiting)' | '\(program)' push --hook\n")
    try tmux.run(["send-keys", "-t", "%1", ". \(household.home)/events.sh", "Enter"])
    let message = try household.message { $0["title"] as? String == "b: waiting" }
    #expect(message["unread"] as? Bool == false)
    #expect(try household.messages().count == 1)
  }
}
