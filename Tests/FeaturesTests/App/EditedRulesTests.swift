import Messages
import Testing

@testable import Settings

/// Rules that are edited, switched and removed in the settings file.
struct EditedRulesTests {
  private static let file = """
    # mine
    [[rule]]
    name = "first"
    when = "title:a"
    do = ["read"]

    [[rule]]
    name = "second"  # of three
    when = "source:team"
    do = [
      "star",
      "run",
    ]
    stop = true
    command = ["on-alert", "x"]

    [[rule]]
    name = "third"
    when = "title:c"
    do = ["hide"]
    """

  private func folder() throws -> SettingsFileTests.Folder {
    let folder = try SettingsFileTests.Folder()
    try folder.write(Self.file)
    return folder
  }

  @Test func aRuleThatIsOffDoesNothing() throws {
    let folder = try folder()
    #expect(try folder.file.change(rule: "second", isEnabled: false))
    let settings = try folder.file.load()
    #expect(settings.rules.map { $0.rule != nil } == [true, false, true] && settings.problems.isEmpty)
    #expect(settings.rules[1].written.actions == ["star", "run"] && !settings.rules[1].written.isEnabled)
    #expect(
      try folder.text()
        == Self.file.replacing(
          "command = [\"on-alert\", \"x\"]\n", with: "command = [\"on-alert\", \"x\"]\nenabled = false\n"))
    #expect(try folder.file.change(rule: "second", isEnabled: true))
    #expect(try folder.text() == Self.file)
    #expect(try !folder.file.change(rule: "none", isEnabled: true))
  }

  @Test func aRuleIsEditedInItsPlace() throws {
    let folder = try folder()
    let edited = RuleEntry(name: "new", when: "title:b", actions: ["run", "read"])
    #expect(try folder.file.change(rule: "second", to: edited))
    #expect(
      try folder.text()
        == Self.file.replacing("\"second\"", with: "\"new\"").replacing("source:team", with: "title:b")
        .replacing("[\n  \"star\",\n  \"run\",\n]", with: "[\"run\", \"read\"]").replacing(
          "stop = true\n", with: ""))
    for mistake in [
      RuleEntry(name: "third", when: "title:b", actions: ["read"]),
      RuleEntry(name: "new", when: "titel:b", actions: ["read"]),
      RuleEntry(name: "new", when: "title:b", actions: ["reed"]),
    ] {
      let before = try folder.text()
      #expect(throws: RuleMistake.self) { try folder.file.change(rule: "new", to: mistake) }
      #expect(try folder.text() == before)
    }
    // The program of another rule does not help.
    #expect(throws: RuleMistake.self) {
      try folder.file.change(rule: "first", to: RuleEntry(name: "first", when: "a", actions: ["run"]))
    }
  }

  @Test func aRuleIsRemovedAndComesBack() throws {
    let folder = try folder()
    let removal = try #require(try folder.file.removal(of: .rule, named: "second"))
    #expect(try folder.file.load().rules.map(\.name) == ["first", "third"])
    #expect(try folder.file.putBack(removal) == .isBack)
    #expect(try folder.text() == Self.file)
  }

  @Test func whatIsGivenUpIsNotWritten() throws {
    let folder = try folder()
    let recorded = RecordedEdits()
    var file = folder.file
    file.recorder = recorded
    let permit = WritePermit()
    file.permit = permit
    #expect(permit.withdraw())
    #expect(throws: WritePermit.Withdrawn.self) {
      try file.append(sources: [["name = \"a\"", "url = \"https://a.example/\""]])
    }
    #expect(try folder.text() == Self.file && recorded.all.isEmpty)
    // A written change can no longer be given up.
    let other = WritePermit()
    file.permit = other
    try file.append(sources: [["name = \"a\"", "url = \"https://a.example/\""]])
    #expect(!other.withdraw() && recorded.all.map(\.act) == [SettingsAct(.added, "a")])
  }
}
