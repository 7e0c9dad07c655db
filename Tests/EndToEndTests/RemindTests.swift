import TerminalHarness
import Testing

@Suite struct RemindTests {
  @Test func aReminderIsOnNoListBeforeItsTime() throws {
    let household = try householdWithTwoSources()
    let pushed = try household.run(
      "remind", "2099-12-24 18:00", "Light", "the", "candles", "--json", "--until", "2100-01-01")
    #expect(pushed.exit == .status(0))
    #expect(pushed.output.contains(#""title":"Light the candles""#))
    #expect(pushed.output.contains(#""visible_from":"2099-12-24T"#))
    #expect(try !household.run("list").output.contains("candles"))
    try household.run("push", "Later", "--at", "in 2h").expect("")
    #expect(try !household.run("list").output.contains("Later"))
    #expect(try household.run("status").output == "● 5\n")
  }

  @Test(arguments: [
    (["remind", "someday", "Title"], 1, "\"someday\" isn't a time in the future"),
    (["push", "Title", "--at", "yesterday"], 1, "\"yesterday\" isn't a time in the future"),
    (["push", "Title", "--at", "3h", "--until", "2h"], 1, "the message would never show"),
    (["push", "Title", "--action", "https://a.example"], 64, "--action"),
    (["push", "Title", "--action", "Run=javascript:alert(1)"], 64, "--action \"Run\""),
    (["push", "--apns", "-", "--at", "2h"], 64, "--apns brings its own text"),
  ])
  func whatCannotBeMeantIsRefused(arguments: [String], status: Int32, sentence: String) throws {
    let household = try householdWithTwoSources()
    let ran = try household.run(arguments)
    #expect(ran.exit == .status(status))
    #expect(ran.errors.contains(sentence))
    #expect(try household.messages().count == 5)
  }

  @Test func markdownAndActionsReachTheReader() throws {
    let household = try householdWithTwoSources()
    let text = "## Notes\n\n- **fast**\n- [more](https://notes.example/1)\n"
    try household.run(
      "push", "Deployed", "--markdown", "--body", text, "--action", "Roll back=https://ci.example/42"
    ).expect("")
    let shown = try household.run("show", "6").output
    #expect(!shown.contains("**") && !shown.contains("##"))
    #expect(shown.contains("fast"))
    #expect(shown.contains("[1] more  https://notes.example/1"))
    #expect(shown.contains("[2] Roll back  https://ci.example/42"))
  }
}
