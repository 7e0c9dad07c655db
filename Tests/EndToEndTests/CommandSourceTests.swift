import Foundation
import TerminalHarness
import Testing

/// Sources of kind `command`, in the built program.
@Suite struct CommandSourceTests {
  private func household(_ script: String, _ more: String = "") throws -> Household {
    let household = try Household()
    let path = try household.write(".config/reddot/checks", "#!/bin/sh\n\(script)\n")
    chmod(path, 0o700)
    try household.write(
      household.settingsFile,
      "[[source]]\nname = \"checks\"\nkind = \"command\"\ncommand = [\"./checks\", \"a b\"]\n\(more)")
    return household
  }

  private func poll(_ household: Household) throws -> Ran { try household.run("poll", "--force") }

  private func messages(_ household: Household) throws -> [(id: String, title: String, isUnread: Bool)] {
    try household.messages().map {
      ($0["remote_id"] as? String ?? "", $0["title"] as? String ?? "", $0["unread"] as? Bool ?? false)
    }
  }

  @Test func theCursorOutlivesTheProgramAndNothingComesTwice() throws {
    let household = try household(
      #"""
      next=$((${REDDOT_CURSOR:-0} + 1))
      echo "{\"id\": $((next - 1)), \"title\": \"again\"}"
      echo "{\"id\": $next, \"title\": \"$REDDOT_SOURCE $1 $next\", \"priority\": 4}"
      echo "checked in $(basename "$(pwd)")" >&2
      """#)
    #expect(try poll(household).output.hasPrefix("checks: 2 new\n"))
    #expect(try poll(household).output.hasPrefix("checks: 1 new\n"))
    let found = try messages(household)
    #expect(Set(found.map(\.id)) == ["0", "1", "2"])
    #expect(found.first { $0.id == "2" }?.title == "checks a b 2")
    // Its standard error is in the log, and nowhere else.
    let log = try household.text(of: "\(household.home)/.local/state/reddot/reddot.log")
    #expect(log.split(separator: "\n").count { $0.hasSuffix("notice checks: checked in reddot") } == 2)
  }

  @Test func aFailureKeepsWhatIsThereAndSaysWhy() throws {
    let household = try household(
      "[ -e broken ] && { echo half; echo 'no route to db' >&2; exit 3; }; echo one", "format = \"lines\"")
    #expect(try poll(household).exit == .status(0))
    try household.write(".config/reddot/broken", "")
    let failed = try poll(household)
    #expect(failed.exit == .status(1))
    #expect(failed.errors == "reddot: checks: The program ended with status 3: no route to db.\n")
    #expect(try messages(household).map(\.title) == ["one"])
    let why = try household.run("why", "checks").output
    #expect(why.contains("The program ended with status 3: no route to db."))
    #expect(try household.run("sources").output.contains("program failed"))
  }

  /// A bad line between two good ones, together with a source without any.
  @Test func aLineThatIsLeftOutIsReported() throws {
    let household = try Household()
    let items = #"printf '{"id": 1, "title": "a"}\nno JSON\n{"id": 2, "title": "b"}\n'"#
    let good = #"printf '{"id": 1, "title": "c"}\n'"#
    let script = try household.write("bad.sh", items)
    let other = try household.write("good.sh", good)
    try household.write(
      household.settingsFile,
      [("bad", script), ("good", other)].map {
        "[[source]]\nname = \"\($0)\"\nkind = \"command\"\ncommand = [\"sh\", \"\($1)\"]\n"
      }.joined(separator: "\n"))
    let polled = try household.run("poll", "--force").output
    let left = "  1 entry was left out: 2: "
    #expect(polled.contains("bad: 2 new\n  b\n  a\n\(left)"), "\(polled)")
    #expect(polled.contains("good: 1 new\n  c\n") && polled.components(separatedBy: left).count == 2)
    #expect(try household.run("poll", "--force").output.contains("bad: Nothing new\n\(left)"))
    let why = try household.run("why", "bad").output
    #expect(why.contains("no JSON") || why.contains("2: "), "\(why)")
    let third = try household.write("third.sh", items)
    let added = try household.run("add", "--kind", "command", "--name", "third", "--", "sh", third)
    #expect(
      added.output.hasSuffix(
        "\n1 entry was left out: 2: an unknown word where a value is expected, column 1\n"),
      "\(added.output)\(added.errors)")
  }

  @Test func aProgramIsTriedAndFollowed() throws {
    let household = try Household()
    let tried = try household.run(
      "inspect", "--kind", "command", "--", "sh", "-c",
      #"echo '{"id": 1, "title": "hi"}'; echo odd >&2"#)
    #expect(
      tried.output
        == "format: items\nmessages: 1\n\n(no date)  hi\n  id: 1\nproblem: standard error: sh: odd\n")
    let added = try household.run(
      "add", "--kind", "command", "--format", "lines", "--interval", "5m", "--", "printf", #"%s\n"#, "a b")
    #expect(added.output == #"added printf: printf %s\n a b"# + "\n")
    #expect(
      try household.settingsBelowTheHead()
        == #"""
        [[source]]
        name = "printf"
        kind = "command"
        command = ["printf", "%s\\n", "a b"]
        format = "lines"
        interval = "5m"

        """#)
    #expect(try household.messages().compactMap { $0["title"] as? String } == ["a b"])
    let broken = try household.run("add", "--kind", "command", "--", "no-such-program")
    #expect(broken.exit == .status(1))
    #expect(
      broken.errors.hasPrefix(
        "reddot: no-such-program: The program cannot be started: no-such-program is not installed."))
    #expect(try household.run("add", "https://h.example/", "more").exit == .status(64))
    // Arguments, which may hold secrets, are not printed for scripts.
    #expect(try household.run("sources", "--json").output.contains(#""url":"command:printf#"#))
  }
}
