import Foundation
import TerminalHarness
import Testing

/// Long commands of real shells, with options that users often set.
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

  /// A shell in a terminal, with a separate home.
  private struct Session {
    let name: String
    let isFish: Bool
    /// Whether it continues after a command that fails.
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
        ($0["title"] as? String)?.hasPrefix("✓ sleep, ") == true
      }
      #expect((message["body"] as? String)?.contains("secret") == false, "\(one.name)")
      #expect(try one.household.messages().count == 1, "\(one.name)")
    }
    // The prompt still shows the status of a command.
    for one in sessions where one.goesOn {
      one.terminal.send("sh -c 'exit 7'\r")
      one.terminal.send("echo \"status\"'-is-'\(one.isFish ? "$status" : "$?").\r")
      try one.terminal.wait(forText: "status-is-7.")
    }
  }

  // MARK: - What ran

  /// Settings of bash's history: the defaults of bash and Debian, and without a history.
  private static let histories: [Case] =
    [
      "", "HISTCONTROL=ignoreboth;", "HISTCONTROL=erasedups:ignorespace;", "HISTIGNORE='*';", "HISTSIZE=0;",
      "set +o history;",
    ]
    .map { Case(shell: "bash", arguments: ["--norc", "-i"], before: $0) }
    + ["", "HISTSIZE=0; setopt hist_ignore_space hist_ignore_all_dups;"].map {
      Case(shell: "zsh", arguments: ["-f", "-i"], before: $0)
    }
    + [Case(shell: "fish", arguments: ["--no-config"])]

  /// Each line runs a program with a different name for longer than the limit; some are the same as the one before.
  private static let lines = [
    "nice -n 5 env -u X ./wrapped\rnice -n 5 env -u X ./wrapped", "./piped | cat\r./piped | cat",
    "(./inner)", "cd / && cd - >/dev/null && ./moved", " less secret", "sudo -u ada less secret",
    "./alone & ./beside",
    "true",
  ]

  @Test func theProgramThatRanIsNamed() throws {
    let sessions = try Self.histories.map(Session.init)
    func wait(for text: String) throws { for one in sessions { try one.terminal.wait(forText: text) } }
    try wait(for: "set-up")
    for one in sessions {
      for name in ["wrapped", "piped", "moved", "less", "sudo", "beside", "alone", "inner", "stopped"] {
        let path = try one.household.write(name, "#!/bin/sh\nsleep 2.3\n")
        chmod(path, 0o755)
      }
      one.terminal.send(
        "cd; PATH=$HOME:$PATH\r".replacing("PATH=", with: one.isFish ? "set PATH " : "PATH=")
          .replacing("$HOME:$PATH", with: one.isFish ? "$HOME $PATH" : "$HOME:$PATH"))
    }
    for (number, line) in Self.lines.enumerated() {
      for one in sessions {
        let line = line.replacing("(./inner)", with: one.isFish ? "begin; ./inner; end" : "(./inner)")
        one.terminal.send("\(line)\recho 'after''-\(number).'\r")
      }
      try wait(for: "after-\(number).")
    }
    for one in sessions {
      _ = try one.household.message { ($0["title"] as? String)?.hasPrefix("✓ beside, ") == true }
      let titles = try one.household.messages().compactMap { $0["title"] as? String }
        .map { String($0.dropFirst("✓ ".count).prefix { $0 != "," }) }
      let hasHistory = ["HISTIGNORE", "HISTSIZE=0;", "set +o"].allSatisfy {
        !one.name.hasPrefix("bash") || !one.name.contains($0)
      }
      if hasHistory {
        #expect(
          titles.sorted() == ["beside", "inner", "moved", "piped", "piped", "wrapped", "wrapped"],
          "\(one.name)")
      } else {
        // Without a history, bash knows only the last command of a line, and no command of a pipe or a subshell.
        #expect(Set(titles) == ["beside", "moved", "wrapped"], "\(one.name): \(titles)")
      }
    }
  }

  @Test func aStoppedJobHasNotEnded() throws {
    let sessions = try Self.histories.map(Session.init)
    func wait(for text: String) throws { for one in sessions { try one.terminal.wait(forText: text) } }
    try wait(for: "set-up")
    for one in sessions {
      for (name, status) in [("first", 3), ("second", 4), ("less", 0)] {
        let path = try one.household.write(
          name, "#!/bin/sh\nsleep 2.3\necho \(name)-'is''-running'\nread line <gate\nexit \(status)\n")
        chmod(path, 0o755)
      }
      _ = mkfifo("\(one.household.home)/gate", 0o600)
      // The time in the shell's own variable is the user's.
      one.terminal.send("cd; \(one.isFish ? "true" : "SECONDS=5000")\r")
    }
    for (number, name) in ["first", "less", "second"].enumerated() {
      for one in sessions { one.terminal.send("./\(name)\r") }
      try wait(for: "\(name)-is-running")
      for one in sessions { one.terminal.send("\u{1A}echo 'stopped''-\(number).'\r") }
      try wait(for: "stopped-\(number).")
      for one in sessions { #expect(try one.household.messages().count == min(number, 1), "\(one.name)") }
      for one in sessions { one.terminal.send(number == 2 ? "bg\recho 'more''-\(number).'\r" : "fg\r") }
      if number == 2 { try wait(for: "more-2.") }
      for one in sessions {
        let gate = try #require(FileHandle(forWritingAtPath: "\(one.household.home)/gate"))
        try gate.close()
        one.terminal.send("\recho 'ended''-\(number).'\r")
      }
      try wait(for: "ended-\(number).")
      if name == "less" { continue }
      for one in sessions {
        // zsh does not know the status of a job that was in the foreground before, and bash has forgotten it if the job
        // ended while the prompt was shown.
        let isUnknown = number == 2 && !one.isFish
        let beginnings =
          ["✗ \(name) failed (\(number == 2 ? 4 : 3)) after "] + (isUnknown ? ["\(name) ended after "] : [])
        one.terminal.send("\r")
        _ = try one.household.message { message in
          beginnings.contains { (message["title"] as? String)?.hasPrefix($0) == true }
        }
      }
    }
    for one in sessions { #expect(try one.household.messages().count == 2, "\(one.name)") }
  }
}
