import Foundation
import TerminalHarness
import Testing

/// Long commands of real shells, with the options that people set.
@Suite struct HookShellTests {
  private struct Case {
    var shell: String
    var arguments: [String]
    var before = ""
  }

  private static let cases: [Case] =
    [
      "", "set -o pipefail -u -e;", "trap 'true' DEBUG; HISTCONTROL=ignoreboth;",
      "PROMPT_COMMAND=('mine=1' 'true'); shopt -s extglob nullglob; IFS=x;",
      "PROMPT_COMMAND='mine=1'; set -u;",
    ].map { Case(shell: "bash", arguments: ["--norc", "-i"], before: $0) }
    + ["", "setopt nounset ksh_arrays sh_word_split;", "setopt err_return; precmd() { mine=1 };"].map {
      Case(shell: "zsh", arguments: ["-f", "-i"], before: $0)
    }
    + [Case(shell: "fish", arguments: ["--no-config"])]

  /// A shell in a terminal and a home of its own.
  private struct Session {
    let name: String
    let isFish: Bool
    /// Whether it goes on after a command that fails.
    let goesOn: Bool
    let household: Household
    let terminal: PseudoTerminal

    init(_ one: Case) throws {
      let path = "/usr/bin/\(one.shell)"
      // zsh and fish are installed by Resources/install-packages.
      try #require(FileManager.default.isExecutableFile(atPath: path))
      name = "\(one.shell) \(one.before)"
      isFish = one.shell == "fish"
      goesOn = !one.before.contains("-e") && !one.before.contains("err_return")
      household = try Household()
      // Shells count whole seconds: a short command may seem to take one.
      try household.write(household.settingsFile, "[hooks]\nafter = \"2s\"\n")
      terminal = try PseudoTerminal(columns: 200, rows: 50)
      try terminal.start(path, one.arguments, environment: household.environment, keeping: household)
      let program = BuiltProduct.path("reddot")
      let setUp =
        isFish
        ? "function fish_prompt; end; '\(program)' hooks fish | source"
        : "PS1=; \(one.before) eval \"$('\(program)' hooks \(one.shell))\""
      terminal.send("\(setUp); echo 'set''-up'\r")
    }
  }

  /// The shells run side by side, since they mostly sleep.
  @Test func aLongCommandIsAMessage() throws {
    let sessions = try Self.cases.map(Session.init)
    func wait(for text: String) throws { for one in sessions { try one.terminal.wait(forText: text) } }
    try wait(for: "set-up")
    // A short one, one of a program that is sat at, and one that is neither.
    for one in sessions { one.terminal.send("true short; echo 'after''-short'\r") }
    try wait(for: "after-short")
    for one in sessions {
      one.terminal.send(one.isFish ? "function less; sleep 2.3; end\r" : "less() { sleep 2.3; }\r")
      one.terminal.send("less secret; echo 'after''-less'\r")
    }
    try wait(for: "after-less")
    for one in sessions {
      one.terminal.send("\(one.isFish ? "" : "FOO=secret ")sleep 2.3 || true; echo 'after''-long'\r")
    }
    try wait(for: "after-long")
    for one in sessions {
      let message = try one.household.message {
        ($0["title"] as? String)?.hasPrefix("sleep: exit status 0") == true
      }
      #expect((message["body"] as? String)?.contains("secret") == false, "\(one.name)")
      #expect(try one.household.messages().count == 1, "\(one.name)")
    }
    // The prompt still says how a command ended.
    for one in sessions where one.goesOn {
      one.terminal.send("sh -c 'exit 7'\r")
      one.terminal.send("echo \"status\"'-is-'\(one.isFish ? "$status" : "$?").\r")
      try one.terminal.wait(forText: "status-is-7.")
    }
  }
}
