import Foundation
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
    // The list, the reader and programs have one time.
    #expect(pushed.output.contains(#""published":"2099-12-24T"#))
    #expect(try !household.run("list").output.contains("candles"))
    try household.run("push", "Later", "--at", "in 2h").expect("")
    #expect(try !household.run("list").output.contains("Later"))
    #expect(try household.run("status").output == "● 5\n")
  }

  @Test func whatCannotBeMeantIsRefused() throws {
    let household = try Household()
    try household.run("push", "First").expect("")
    let refused: [([String], Int32, String)] = [
      (["remind", "someday", "Title"], 1, "\"someday\" is not a time in the future"),
      (["push", "Title", "--at", "yesterday"], 1, "\"yesterday\" is not a time in the future"),
      (["push", "Title", "--at", "3h", "--until", "2h"], 1, "the message would never show"),
      (["push", "Title", "--action", "https://a.example"], 64, "--action"),
      (["push", "Title", "--action", "Run=javascript:alert(1)"], 64, "--action \"Run\""),
      (["push", "--apns", "-", "--at", "2h"], 64, "--apns contains the text"),
    ]
    for (arguments, status, sentence) in refused {
      let ran = try household.run(arguments)
      #expect(ran.exit == .status(status), "\(arguments)")
      #expect(ran.errors.contains(sentence), "\(arguments): \(ran.errors)")
    }
    #expect(try household.messages().count == 1 && household.messages("--snoozed").isEmpty)
  }

  @Test func markdownAndActionsReachTheReader() throws {
    let household = try Household()
    let text = "## Notes\n\n- **fast**\n- [more](https://notes.example/1)\n"
    try household.run(
      "push", "Deployed", "--markdown", "--body", text, "--action", "Roll back=https://ci.example/42"
    ).expect("")
    let shown = try household.run("show", "1").output
    #expect(!shown.contains("**") && !shown.contains("##"))
    #expect(shown.contains("fast"))
    #expect(shown.contains("[1] more  https://notes.example/1"))
    #expect(shown.contains("[2] Roll back  https://ci.example/42"))
  }

  @Test func messagesOfAGroupAreOneRowOfTheInbox() throws {
    let household = try Household()
    for build in 1...3 { try household.run("push", "Build \(build) failed", "--group", "ci").expect("") }
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "×3 Build 3 failed")
    #expect(!terminal.screen.text.contains("Build 2 failed"))
    terminal.send("l")
    try terminal.wait(forText: "Build 2 failed")
    try terminal.leave()
    for arguments in [
      ["push", "T", "--group", " "], ["remind", "--every", "day 9:00", "T", "--group", "g"],
    ] {
      #expect(try household.run(arguments).exit == .status(64))
    }
  }

  // MARK: Once

  @Test func aReminderSaysWhatItSetAndIsListedMovedAndRemoved() throws {
    let household = try householdWithTwoSources()
    try household.run("remind", "2099-12-24 18:00", "Call", "Bo").expect("2099-12-24 18:00: Call Bo\n")
    _ = try household.run("remind", "2099-12-24 9:05", "Candles")
    #expect(try household.run("remind", "--every", "day 7:00", "Tea").exit == .status(0))
    let lines = try household.run("remind", "--list").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines[0].hasSuffix("Tea"))
    #expect(
      lines.dropFirst() == [
        "m7  once      2099-12-24 09:05  Candles", "m6  once      2099-12-24 18:00  Call Bo",
      ])
    #expect(
      try household.run("remind", "--list", "--json").output.contains(
        #"{"id":"m6","every":null,"title":"Call Bo","next":"2099-12-24T18:00:00Z"}"#))
    // The list Snoozed has them too.
    #expect(
      try household.messages("--snoozed").compactMap { $0["title"] as? String } == ["Candles", "Call Bo"])
    try household.run("remind", "--move", "m6", "2099-12-23", "10:00").expect(
      "2099-12-23 10:00: Call Bo\n")
    #expect(try household.run("remind", "--list").output.contains("m6  once      2099-12-23 10:00  Call Bo"))
    try household.run("remind", "--remove", "m6").expect("")
    #expect(try !household.run("remind", "--list").output.contains("Bo"))
    #expect(try household.run("undo").exit == .status(0))
    #expect(try household.run("remind", "--list").output.contains("Bo"))
    for (id, sentence) in [
      ("m99", "no reminder m99"), ("1", "is recurring"), ("m1", "reminder m1"),
    ] {
      let ran = try household.run("remind", "--move", id, "2h")
      #expect(ran.exit == .status(1) && ran.errors.contains(sentence), "\(ran.errors)")
    }
    #expect(try household.run("remind", "--move", "m6").exit == .status(64))
  }

  /// A reminder that is moved to an earlier time arrives then, and an undo reverts the move.
  @Test func aReminderComesWhenItWasMovedTo() throws {
    let household = try Household()
    _ = try household.run("remind", "2h", "Soon")
    #expect(try household.run("snooze", "1", "2099-01-01").exit == .status(0))
    #expect(try household.run("undo").exit == .status(0))
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "Snoozed")
    #expect(!terminal.screen.text.contains("Soon"))
    #expect(try household.run("remind", "--move", "m1", "1s").exit == .status(1))
    #expect(try household.run("remind", "--move", "m1", "0.02m").exit == .status(0))
    try terminal.wait(forText: "Soon")
    try terminal.leave()
    #expect(try household.messages("--unread").count == 1)
    #expect(try household.run("list", "--snoozed").output == "")
    // A message that is pushed again before its time appears immediately.
    #expect(try household.run("push", "Later", "--id", "x", "--at", "3h").exit == .status(0))
    #expect(try household.run("list", "--snoozed").output.contains("Later"))
    #expect(try household.run("push", "Now", "--id", "x").exit == .status(0))
    #expect(try household.run("list").output.contains("Now"))
  }

  // MARK: Again and again

  @Test func aReminderThatComesAgainIsKeptListedAndRemoved() throws {
    let household = try Household()
    try household.settings(sources: [("team", "\(household.home)/team.xml", "")])
    let settings = try household.text(of: household.settingsFile)
    let added = try household.run("remind", "--every", "weekday 9:45", "Stand", "up", "--body", "Room 4")
    #expect(added.exit == .status(0))
    #expect(added.output.hasPrefix("1  weekday 9:45  20") && added.output.hasSuffix("09:45  Stand up\n"))
    // The reminders are in a separate source, in addition to those of the settings.
    #expect(try household.text(of: household.settingsFile).hasPrefix(settings))
    #expect(try household.run("sources").output.contains("reminders"))
    // The source was checked, so that the next time counts from now and not from the next poll.
    #expect(try household.run("why", "reminders").output.contains("nothing new"))
    #expect(
      try household.run("push", "Rent", "--every", "month 31 10:00").output.hasPrefix("2  month 31 10:00"))
    #expect(try household.run("remind", "--every", "2 days", "Water").output.hasPrefix("3  2 days 8:00"))
    let lines = try household.run("remind", "--list").output.split(separator: "\n")
    #expect(lines.map { $0.prefix(2) } == ["1 ", "2 ", "3 "])
    #expect(lines.map { $0.split(separator: " ").last } == ["up", "Rent", "Water"])
    let json = try household.run("remind", "--list", "--json").output.split(separator: "\n")
    #expect(json[0].hasPrefix(#"{"id":"1","every":"weekday 9:45","title":"Stand up","next":"20"#))
    // The file is also a valid schedule file.
    let file = "\(household.home)/.local/share/reddot/reminders.json"
    #expect(try household.run("schedule", "check", file).output.hasSuffix("3 entries, no problems\n"))
    try household.run("remind", "--remove", "1").expect("")
    #expect(try household.run("schedule", "check", file).output.hasSuffix("2 entries, no problems\n"))
    #expect(try household.run("remind", "--list").output.split(separator: "\n").count == 2)
    #expect(try household.run("remind", "--remove", "1").exit == .status(1))
    #expect(try household.run("remind", "--every", "day 7:00", "Next").output.hasPrefix("4  "))
    #expect(try household.run("sources").output.components(separatedBy: "reminders").count == 2)
  }

  /// Earlier versions wrote an entry for each weekday.
  @Test func oneOfSeveralEntriesIsListedAndRemovedAsOne() throws {
    let household = try Household()
    try household.settings(sources: [])
    #expect(try household.run("remind", "--every", "day 7:00", "Tea").exit == .status(0))
    let file = "\(household.home)/.local/share/reddot/reminders.json"
    let days = ["Monday", "Thursday"].enumerated().map { number, day in
      #"{"id": "2.\#(number + 1)", "time": "9:45", "day": "\#(day)", "repeat": "weekly", "title": "Choir", "msg": ""}"#
    }
    let tea =
      #"{"id": "1", "time": "7:00", "day": ["Friday"], "repeat": "weekly", "title": "Tea", "msg": ""}"#
    try household.write(file, "[\(([tea] + days).joined(separator: ","))]")
    let lines = try household.run("remind", "--list").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("1  fri 7:00") && lines[1].hasPrefix("2  mon, thu 9:45"))
    try household.run("remind", "--remove", "2").expect("")
    #expect(try household.run("schedule", "check", file).output.hasSuffix("1 entry, no problems\n"))
  }

  @Test func itComesWhenItsTimeComes() throws {
    let household = try Household()
    try household.settings(sources: [])
    #expect(try household.run("remind", "--every", "day 12:00", "Lunch").exit == .status(0))
    let file = "\(household.home)/.local/share/reddot/reminders.json"
    // Make the reminder look old: its first time has passed, and the source was not polled since.
    #expect(try household.run("poll", "reminders", "--force").exit == .status(0))
    let text = try household.text(of: file)
    #expect(text.contains(#""interval":1"#))
    try household.write(
      file,
      #"[{"id": "1", "data": {"start": "2020/01/01 12:00", "interval": "second", "translations": {"default": {"title": "Lunch", "msg": ""}}}}]"#
    )
    #expect(try household.run("poll", "reminders", "--force").exit == .status(0))
    #expect(try household.run("list", "--source", "reminders").output.contains("Lunch"))
  }

  @Test(arguments: [
    ["remind", "--every", "someday", "Title"], ["remind", "--every", "day 9:00"], ["remind", "2h"],
    ["remind", "--every", "day 9:00", "Title", "--url", "https://a.example/"],
    ["remind", "--list", "--remove", "1"],
    ["remind", "--list", "2h", "Title"], ["push", "Title", "--every", "day 9:00", "--at", "2h"],
  ])
  func whatDoesNotGoTogetherIsRefused(arguments: [String]) throws {
    let household = try Household()
    let ran = try household.run(arguments)
    #expect(ran.exit == .status(64))
    #expect(!ran.errors.isEmpty)
  }
}
