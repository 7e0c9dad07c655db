import Foundation
import TerminalHarness
import Testing

/// Long commands of real shells, with the options that people set.
@Suite struct HookShellTests {
  struct Case: CustomTestStringConvertible {
    var shell: String
    var arguments: [String]
    var before = ""
    var testDescription: String { "\(shell) \(before)" }
  }

  static let cases: [Case] =
    [
      "", "set -o pipefail -u -e;", "trap 'true' DEBUG; HISTCONTROL=ignoreboth;",
      "PROMPT_COMMAND=('mine=1' 'true'); shopt -s extglob nullglob; IFS=x;",
      "PROMPT_COMMAND='mine=1'; set -u;",
    ].map { Case(shell: "bash", arguments: ["--norc", "-i"], before: $0) }
    + ["", "setopt nounset ksh_arrays sh_word_split;", "setopt err_return; precmd() { mine=1 };"].map {
      Case(shell: "zsh", arguments: ["-f", "-i"], before: $0)
    }
    + [Case(shell: "fish", arguments: ["--no-config"])]

  @Test(arguments: cases) func aLongCommandIsAMessage(_ one: Case) throws {
    let path = "/usr/bin/\(one.shell)"
    // zsh and fish are installed by Resources/install-packages.
    try #require(FileManager.default.isExecutableFile(atPath: path))
    let household = try Household()
    // Shells count whole seconds: a short command may seem to take one.
    try household.write(household.settingsFile, "[hooks]\nafter = \"2s\"\n")
    let terminal = try PseudoTerminal(columns: 200, rows: 50)
    try terminal.start(path, one.arguments, environment: household.environment, keeping: household)
    let program = BuiltProduct.path("reddot")
    let setUp =
      one.shell == "fish"
      ? "function fish_prompt; end; '\(program)' hooks fish | source"
      : "PS1=; \(one.before) eval \"$('\(program)' hooks \(one.shell))\""
    terminal.send("\(setUp); echo 'set''-up'\r")
    try terminal.wait(forText: "set-up")
    // A short one, one of a program that is sat at, and one that is neither.
    terminal.send("true short; echo 'after''-short'\r")
    try terminal.wait(forText: "after-short")
    terminal.send(
      "less() { sleep 2.3; }\r".replacing(
        "less() {", with: one.shell == "fish" ? "function less;" : "less() {"
      )
      .replacing("; }", with: one.shell == "fish" ? "; end" : "; }"))
    terminal.send("less secret; echo 'after''-less'\r")
    try terminal.wait(forText: "after-less")
    terminal.send(
      "FOO=secret sleep 2.3 || true; echo 'after''-long'\r".replacing(
        "FOO=secret ", with: one.shell == "fish" ? "" : "FOO=secret "))
    try terminal.wait(forText: "after-long")
    let message = try household.message {
      ($0["title"] as? String)?.hasPrefix("sleep: exit status 0") == true
    }
    #expect((message["body"] as? String)?.contains("secret") == false)
    #expect(try household.messages().count == 1)
    // The prompt still says how a command ended.
    if one.shell == "fish" || !one.before.contains("-e") && !one.before.contains("err_return") {
      let status = one.shell == "fish" ? "$status" : "$?"
      terminal.send("sh -c 'exit 7'\r")
      terminal.send("echo \"status\"'-is-'\(status).\r")
      try terminal.wait(forText: "status-is-7.")
    }
  }
}
