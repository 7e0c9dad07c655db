import Basics
import Queries
import Testing

@testable import Settings

/// `[[rule]]`.
struct RuleSettingsTests {
  private func read(_ text: String) throws(SettingsMistakes) -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text)
  }

  @Test func rulesStandInTheOrderOfTheFile() throws {
    let settings = try read(
      """
      [[rule]]
      name = "ci noise"
      when = "source:build -title:failed"
      do = ["read", "tag:ci", "snooze:tomorrow 9", "priority:high"]
      stop = true
      [[rule]]
      name = "alert"
      when = "priority>=4"
      do = ["urgent", "run"]
      command = ["./on-alert", "--all"]
      """)
    #expect(settings.problems.isEmpty)
    #expect(
      settings.rules.map { $0.rule?.text } == [
        "source:build -title:failed → read, tag:ci, snooze:tomorrow 9, priority:4 → stop",
        "priority>=4 → urgent, run",
      ])
    #expect(settings.rules.map(\.line) == [1, 6])
    #expect(settings.rules.map(\.command) == [[], ["./on-alert", "--all"]])
  }

  @Test(arguments: [
    ("when = \"titel:x\"\ndo = [\"read\"]", "4: when: titel is not a field; did you mean title?"),
    ("when = \"a (b\"\ndo = [\"read\"]", "4: when: the parenthesis is not closed, at character 3"),
    ("when = \"a\"\ndo = [\"reed\"]", "5: do: reed is not an action; did you mean read?"),
    ("when = \"a\"\ndo = [\"tag:\"]", "5: do: tag: needs a value right after it"),
    ("when = \"a\"\ndo = [\"hide:x\"]", "5: do: hide takes no value"),
    ("when = \"a\"\ndo = [\"priority:9\"]", "5: do: 9 is not a priority"),
    ("when = \"a\"\ndo = [\"snooze:soonish\"]", "5: do: \"soonish\" is not a time"),
    ("when = \"a\"\ndo = [\"run\"]", "5: do: run needs command"),
    ("when = \"a\"\ndo = []", "5: do: must contain an action"),
  ])
  func oneWithAMistakeDoesNothingAndIsNamed(lines: String, problem: String) throws {
    let settings = try read(
      "# mine\n[[rule]]\nname = \"bad\"\n\(lines)\n[[rule]]\nname = \"good\"\nwhen = \"b\"\ndo = [\"read\"]\n"
    )
    #expect(settings.rules.map { $0.rule == nil } == [true, false])
    #expect(settings.problems.count == 1)
    let sentence = try #require(settings.problems.first?.sentence)
    #expect(sentence.hasPrefix("config.toml:\(problem)"), "\(sentence)")
    #expect(sentence.hasSuffix("; the rule does nothing"))
  }

  @Test func ofTwoWithOneNameTheSecondDoesNothing() throws {
    let rule = "[[rule]]\nname = \"a\"\nwhen = \"b\"\ndo = [\"read\"]\n"
    let settings = try read(rule + rule)
    #expect(settings.rules.map { $0.rule == nil } == [false, true])
    #expect(settings.problems.first?.problem.contains("already the name of the rule on line 1") == true)
  }

  @Test func whatIsMissingOrUnknownIsAMistakeOfTheFile() throws {
    let mistakes = try #require(throws: SettingsMistakes.self) {
      try read("[[rule]]\nname = \"a\"\ndo = [\"read\"]\nwen = \"b\"\n")
    }
    #expect(mistakes.mistakes.map(\.sentence).contains { $0.contains("wen: is not a setting here") })
    #expect(mistakes.mistakes.map(\.sentence).contains { $0.contains("a rule needs when") })
  }
}
