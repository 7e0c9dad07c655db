import Foundation
import TerminalHarness
import Testing

/// A folder of calendars as a source, with the real program.
@Suite struct CalendarTests {
  private let household: Household

  init() throws { household = try Household() }

  private func stamp(_ date: Date) -> String {
    date.formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
  }

  private func event(_ uid: String, _ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:\(uid)"] + lines + [
      "END:VEVENT", "END:VCALENDAR", "",
    ])
    .joined(separator: "\r\n")
  }

  @Test func anAlarmOfAFolderIsAMessageAtItsMoment() throws {
    let folder = "\(household.home)/work"
    try household.settings(sources: [("work", folder, "kind = \"calendar\"\ninterval = \"1h\"")])
    let alarm = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 2).rounded(.up))
    let meeting = event(
      "1", "SUMMARY:Stand-up", "LOCATION:Room 1", "DTSTART:\(stamp(alarm + 600))",
      "DTEND:\(stamp(alarm + 1500))",
      "CONFERENCE;VALUE=URI:https://meet.example/1")
    _ = try household.write("work/1.ics", meeting)
    _ = try household.write("work/broken.ics", event("2", "SUMMARY:Nothing", "DTSTART:20261399"))
    let left = "1 entry was left out: broken.ics:6: DTSTART: 20261399 is not a date"
    try household.run("poll").expect("work: Nothing new\n  \(left)\n")
    #expect(try household.run("sources").output.hasSuffix("  1 entry left out (reddot why work)\n"))
    #expect(try household.run("sources", "--json").output.contains("\"left_out\":1"))
    #expect(try household.run("inspect", folder).output.contains("left out: 1\n"))
    let comes = try household.run("agenda", "2")
    #expect(
      comes.exit == .status(0) && comes.output.contains("Stand-up")
        && comes.errors == "reddot: work: \(left)\n")
    #expect(try household.run("why", "work").output.contains("\nnext alarm: "))
    #expect(try household.run("why", "work").output.contains("broken.ics:6: DTSTART: 20261399 is not a date"))

    try eventually("the alarm") { try household.run("poll").output.contains("work: 1 new\n  Stand-up\n") }
    #expect(Date() >= alarm)
    let message = try #require(try household.messages().first)
    #expect(message["title"] as? String == "Stand-up")
    #expect(message["url"] as? String == "https://meet.example/1")
    #expect((message["body"] as? String)?.contains("Room 1") == true)

    let agenda = try household.run("agenda", "2")
    #expect(agenda.output.hasPrefix("To"), "\(agenda.output)")
    #expect(agenda.output.contains("Stand-up, Room 1\n"))
    let json = try household.run("agenda", "2", "--json").output
    #expect(json.contains("\"join\":\"https://meet.example/1\""))

    // A moved event changes its message, and isn't another.
    _ = try household.write("work/1.ics", meeting.replacing("Room 1", with: "Room 7"))
    _ = try household.run("poll", "work")
    let all = try household.messages()
    #expect(all.count == 1 && (all.first?["body"] as? String)?.contains("Room 7") == true)
  }

  @Test func whatCannotBeReadIsSaidWhenItIsAdded() throws {
    func calendar(_ starts: [String]) -> String {
      let events = starts.enumerated().map { "BEGIN:VEVENT\nUID:\($0)\nDTSTART:\($1)\nEND:VEVENT\n" }
      return "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n"
    }
    for (name, starts, said) in [
      ("whole", ["20251118", "20251119", "20251120"], ""),
      (
        "half", ["20251118", "next week", "20251120"],
        "1 entry was left out: half.ics:8: DTSTART: next week is not a date\n"
      ),
      (
        "none", ["soon", "late"],
        "no event could be read: 2 entries were left out: none.ics:4: DTSTART: soon is not a date; reddot why none lists all problems\n"
      ),
    ] {
      let path = "\(household.home)/\(name).ics"
      try household.write("\(name).ics", calendar(starts))
      try household.run("add", path).expect("added \(name): file://\(path)\n\(said)")
    }
  }

  @Test func aFolderAboveCalendarsNamesThem() throws {
    try household.write("all/work/1.ICS", event("1", "SUMMARY:A", "DTSTART:20251120T090000Z"))
    try household.write("all/empty/notes.txt", "Nothing")
    try household.write("all/home/2.ics", event("2", "SUMMARY:B", "DTSTART:20251120T090000Z"))
    let errors = try household.run("add", "\(household.home)/all").errors
    #expect(
      errors.contains("these folders inside of it have some; add each of them: home, work."), "\(errors)")
  }

  /// Any folder would be a calendar without events.
  @Test func aFolderIsFollowedOnlyAsACalendar() throws {
    let folder = "\(household.home)/papers"
    _ = try household.write("papers/notes.txt", "Nothing")
    let reason =
      "\(folder) cannot be read: it is a folder without .ics files (a calendar that is still empty needs --kind calendar)."
    try household.run("inspect", folder).expectFailure(reason)
    try household.run("add", folder).expectFailure(
      "\(reason) Nothing was added; use --force to add it anyway")
    try household.run("inspect", folder, "--kind", "feed").expectFailure(
      "\(folder) cannot be read: it is a folder, but only a calendar may be a folder.")

    // An empty new calendar, and a calendar with an event.
    #expect(try household.run("add", folder, "--kind", "calendar").exit == .status(0))
    _ = try household.write("days/1.ics", event("1", "SUMMARY:A", "DTSTART:20261120T090000Z"))
    #expect(try household.run("add", "\(household.home)/days").exit == .status(0))
    try household.write("later/notes.txt", "Nothing")
    #expect(try household.run("add", "\(household.home)/later", "--force").exit == .status(0))
    #expect(try household.run("poll").exit == .status(0))
    #expect(try household.run("inspect", "\(household.home)/days").output.contains("events: 1\n"))
  }

  @Test func theInboxSeesWhatComesIntoAFolder() throws {
    let folder = "\(household.home)/work"
    try household.settings(sources: [("work", folder, "kind = \"calendar\"\ninterval = \"1h\"")])
    try household.write("work/1.ics", event("1", "SUMMARY:Last year", "DTSTART:20251120T090000Z"))
    let terminal = try household.inbox(columns: 80, rows: 24)
    try terminal.wait(for: "the end of the first poll") { terminal in
      terminal.screen.text.contains("? help")
        && !["not polled yet", "first poll", "polling"].contains { terminal.screen.text.contains($0) }
    }
    // The alarm of this event was due five minutes ago.
    try household.write("work/2.ics", event("2", "SUMMARY:Called in", "DTSTART:\(stamp(Date() + 300))"))
    try terminal.wait(forText: "Called in")
  }

  @Test func aFileIsInspected() throws {
    let file = try household.write(
      "a.ics", event("1", "SUMMARY:Tea", "DTSTART:20200101T160000", "RRULE:FREQ=DAILY", "EXDATE:never"))
    let text = try household.run("inspect", file).output
    #expect(text.hasPrefix("format: calendar\nevents: 1\nto-dos: 0\nnext alarm: "), "\(text)")
    #expect(text.contains("problem: 8: EXDATE: never is not a date"))
    #expect(try household.run("inspect", file, "--json").output.contains("\"events\":1"))
  }
}
