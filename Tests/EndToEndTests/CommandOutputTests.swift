import Foundation
import TerminalHarness
import Testing

/// Hostile arguments on the command line, and every kind of output.
@Suite struct CommandOutputTests {
  /// Every command with its options; `@` is replaced by the attack.
  private static let lines: [[String]] = [
    ["@"], ["--@"], ["-@"], ["--config", "@"], ["--database", "/dev/null/@"], ["help", "@"],
    ["help", "push", "@"],
    ["add", "@"], ["add", "--name", "@", "https://127.0.0.1:9/"], ["add", "x", "--kind", "@"],
    ["add", "x", "--interval", "@"], ["add", "x", "--@"], ["add", "x", "--token-env", "@"],
    ["add", "x", "--token-file", "@"], ["remove", "@"], ["remove", "--@"], ["sources", "@"], ["poll", "@"],
    ["poll", "--@"], ["list", "@"], ["list", "--limit", "@"], ["list", "--source", "@"],
    ["list", "--json=@"], ["agenda", "@"], ["agenda", "--@"], ["agenda", "--json"],
    ["show", "@"], ["show", "1", "@"], ["mark", "@"], ["mark", "read", "@"], ["mark", "--@", "1"],
    ["snooze", "@"], ["snooze", "1", "@"], ["undo", "@"], ["push", "t", "--priority", "@"],
    ["push", "t", "--source", "board@"], ["push", "t", "--@"],
    ["push", "@", "--json", "--body=@", "--id", "@"],
    ["push", "t", "--expires", "@"], ["status", "@"], ["status", "--@"], ["why", "@"],
    ["why", "--limit", "@", "x"], ["rules", "@"], ["rules", "test", "@"],
    ["rules", "test", "x", "--do", "@"],
    ["rules", "test", "x", "--last", "@"], ["rules", "apply", "@"],
    ["inspect", "@"], ["inspect", "-", "--kind", "@"], ["features", "@"], ["features"],
    ["features", "--json"],
    ["schedule", "@"], ["schedule", "check", "@"], ["schedule", "preview", "@"],
    ["schedule", "preview", "x", "--zone", "@"], ["schedule", "preview", "x", "--from", "@"],
    ["banner", "@"],
    ["banner", "explain", "@"], ["banner", "explain", "-", "--at", "@"],
    ["banner", "explain", "-", "--wifi", "@"],
    ["banner", "explain", "-", "--state", "@"], ["banner", "show", "@"],
    ["banner", "show", "-", "--banner", "@"],
    ["banner", "reset", "@"], ["banner", "reset", "x", "--source", "@"], ["apns", "@"],
    ["apns", "make", "@"],
    ["apns", "make", "--badge", "@"], ["apns", "make", "--extra", "@"],
    ["apns", "make", "--alert", "x", "--@"],
    ["apns", "show", "@"], ["apns", "show", "-", "--strings", "@"], ["import", "@"], ["export", "@"],
    ["manual", "@"], ["demo", "--seconds", "@"], ["list", "--json"], ["list"],
  ]

  /// No argument holds a NUL.
  private static let attacks = HostileText.attacks.filter { !$0.unicodeScalars.contains("\0") }

  @Test func noCommandLetsWhatWasTypedThrough() throws {
    let household = try householdWithTwoSources()
    var attack = 0
    for line in Self.lines {
      let words = line.map { word -> String in
        guard word.contains("@") else { return word }
        // Another attack in each place, so that all are used.
        attack += 1
        let some = (0..<4).map { Self.attacks[(attack * 4 + $0) % Self.attacks.count] }
        return word.replacing("@", with: some.joined())
      }
      let ran = try household.run(words, input: "{}")
      #expect(PlainText.problems(ran.outputBytes) == [], "\(line)")
      #expect(PlainText.problems(ran.errorBytes) == [], "\(line)")
    }
  }

  @Test func whatIsExplainedIsPlainAndReadsBack() throws {
    let household = try Household()
    let value = Self.attacks.joined(separator: " ")
    let control: [String: Any] = [
      "a \(value)": [
        "entry": "v", "conditions": ["all": ["featureEnabled": value, "x \(value)": value]],
        "views": ["v": ["file": "https://a.example/\(value)"]],
      ]
    ]
    let file = try household.write("c.json", try JSONSerialization.data(withJSONObject: control))
    let text = try household.run("banner", "explain", file)
    #expect(PlainText.problems(text.outputBytes) == [])
    let json = try household.run("banner", "explain", file, "--json")
    #expect(PlainText.problems(json.outputBytes) == [])
    let read = try #require(try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
    let banners = try #require(read["banners"] as? [[String: Any]])
    let conditions = try #require(banners.first?["conditions"] as? [[String: Any]])
    let values = conditions.compactMap { $0["value"] as? String }
    #expect(values.allSatisfy { $0.unicodeScalars.elementsEqual(value.unicodeScalars) } && !values.isEmpty)
  }

  @Test(arguments: ["\u{301}e", "\u{200D}x", "\u{FE0F}", "plain", "a=b"])
  func whatFollowsTheEqualsSignIsTheValue(body: String) throws {
    let household = try Household()
    #expect(try household.run("push", "t", "--body=\(body)").exit == .status(0))
    let stored = try household.messages().first?["body"] as? String
    #expect(stored?.unicodeScalars.elementsEqual(body.unicodeScalars) == true)
  }

  /// Commands that print something here, whatever else they do.
  private static let speaking: [[String]] = [
    ["--help"], ["--version"], ["help", "push"], ["list"], ["list", "--json"], ["show", "1"], ["sources"],
    ["sources", "--json"], ["why", "team"], ["push", "again", "--json"], ["status"],
    ["inspect", "board.json"],
    ["poll", "--force"], ["poll", "--json"], ["export"], ["manual"], ["help"], ["help", "keys"],
    ["apns", "make", "--alert", "x"], ["demo", "--headless", "--seconds", "1"],
    ["banner", "explain", "control.json"],
  ]

  private func shell(_ household: Household, _ script: String, _ arguments: [String]) throws -> Ran {
    try Running(
      "/bin/bash", ["-c", "cd \"$HOME\"; \(script)", BuiltProduct.path("reddot")] + arguments,
      environment: household.environment
    ).waitForEnd()
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "skipped: no /dev/full"))
  func anAnswerThatCannotBeWrittenIsAFailure() throws {
    let household = try householdWithTwoSources()
    try household.write("control.json", "{}")
    for command in Self.speaking {
      let ran = try shell(household, "\"$0\" \"$@\" > /dev/full", command)
      #expect(ran.exit == .status(1), "\(command)")
      #expect(
        ran.errors == "reddot: the output could not be written: No space left on device\n", "\(command)")
    }
  }

  @Test func aClosedPipeCausesNoMessage() throws {
    let household = try householdWithTwoSources()
    try household.write("control.json", "{}")
    for command in Self.speaking {
      // 141 is what a shell calls the end by SIGPIPE.
      let ran = try shell(
        household, "{ \"$0\" \"$@\"; echo $? >&2; } | { exec 0<&-; wait; }; true", command)
      #expect(ran.errors == "141\n" || ran.errors == "0\n", "\(command): \(ran.errors)")
    }
  }
}
