import Basics
import Calendars
import Foundation
import Messages
import Services
import Testing

@testable import Polling

struct CalendarRoundTests {
  /// Friday.
  static let start = Date(timeIntervalSince1970: 1_795_132_800)  // 2026-11-20T00:00:00Z

  static func at(_ hour: Int, _ minute: Int = 0, day: Int = 0) -> Date {
    start.addingTimeInterval(Double(day * 86_400 + hour * 3600 + minute * 60))
  }

  private let round = CalendarRound(
    words: CalendarWords(reader: .gmt, join: "Join"), default: DefaultAlarm(before: 600, dayStart: 9 * 3600),
    missedBefore: { "\($0) earlier" })

  private func items(_ lines: String, _ kind: String = "VEVENT") throws -> [CalendarItem] {
    let text = "BEGIN:VCALENDAR\nBEGIN:\(kind)\nUID:one\n\(lines)\nEND:\(kind)\nEND:VCALENDAR\n"
    return try CalendarReading(Data(text.utf8)).items
  }

  private static let meeting =
    "SUMMARY:Stand-up\nLOCATION:Room 1\nDTSTART:20261120T090000Z\nDTEND:20261120T093000Z"

  @Test func anAlarmIsToldOfAtItsSecondAndOnce() throws {
    let items = try items(Self.meeting)
    var result = round.run(items, memory: .init(), at: Self.start)
    #expect(result.messages.isEmpty)
    #expect(result.memory.nextAlarm == Self.at(8, 50))
    result = round.run(items, memory: result.memory, at: Self.at(8, 50) - 1)
    #expect(result.messages.isEmpty)
    result = round.run(items, memory: result.memory, at: Self.at(8, 50))
    #expect(result.messages.map(\.title) == ["Stand-up"])
    #expect(result.messages.first?.body == "2026-11-20 09:00–09:30\nRoom 1")
    #expect(result.messages.first?.published == Self.at(8, 50))
    #expect(result.memory.nextAlarm == nil)
    result = round.run(items, memory: result.memory, at: Self.at(8, 50) + 1)
    #expect(result.messages.isEmpty)
  }

  @Test(arguments: [
    ("DTSTART;VALUE=DATE:20261120\nDTEND:20261121T170000", "2026-11-20 – 2026-11-21"),
    ("DTSTART;VALUE=DATE:20261120\nDTEND:20261122T000000", "2026-11-20 – 2026-11-21"),
    ("DTSTART:20261120T100000\nDTEND;VALUE=DATE:20261122", "2026-11-20 10:00 – 2026-11-22 00:00"),
  ])
  func aDayThatEndsAtATimeAndTheOtherWayRoundIsTold(lines: String, span: String) throws {
    let items = try items("SUMMARY:Fair\n\(lines)")
    let before = round.run(items, memory: .init(), at: Self.start).memory
    let result = round.run(items, memory: before, at: Self.at(10))
    #expect(result.messages.map(\.body) == [span])
  }

  @Test func whatIsPastWhenACalendarIsFirstReadIsNotToldOf() throws {
    let result = round.run(try items(Self.meeting), memory: .init(), at: Self.at(8, 51))
    #expect(result.messages.isEmpty)
  }

  @Test func anEventThatCameAfterItsAlarmIsToldOfBeforeItBegins() throws {
    let before = round.run([], memory: .init(), at: Self.start).memory
    let empty = round.run([], memory: before, at: Self.at(8, 52)).memory
    let items = try items(Self.meeting)
    let result = round.run(items, memory: empty, at: Self.at(8, 55))
    #expect(result.messages.map(\.title) == ["Stand-up"])
    #expect(round.run(items, memory: result.memory, at: Self.at(8, 56)).messages.isEmpty)
    // Too late.
    #expect(round.run(items, memory: empty, at: Self.at(9)).messages.isEmpty)
  }

  @Test func anEventThatWasMovedCloserThanItsAlarmIsToldOf() throws {
    let later = try items("SUMMARY:Stand-up\nDTSTART:20261120T150000Z\nDTEND:20261120T153000Z")
    let first = round.run(later, memory: .init(), at: Self.at(8, 55))
    #expect(first.messages.isEmpty)
    let result = round.run(try items(Self.meeting), memory: first.memory, at: Self.at(8, 56))
    #expect(result.messages.map(\.body) == ["2026-11-20 09:00–09:30\nRoom 1"])
  }

  @Test func whatHadItsAlarmBeforeACalendarWasReadIsNotToldOfLater() throws {
    let items = try items(Self.meeting)
    let first = round.run(items, memory: .init(), at: Self.at(8, 55))
    #expect(first.messages.isEmpty)
    #expect(round.run(items, memory: first.memory, at: Self.at(8, 56)).messages.isEmpty)
  }

  @Test func ofWhatWasMissedTheLatestComesWithTheNumberBeforeIt() throws {
    let items = try items("\(Self.meeting)\nRRULE:FREQ=DAILY")
    let first = round.run(items, memory: .init(), at: Self.start)
    let result = round.run(items, memory: first.memory, at: Self.at(12, day: 3))
    #expect(result.messages.map(\.published) == [Self.at(8, 50, day: 3)])
    #expect(result.messages.first?.body.hasSuffix("\n\n3 earlier") == true)
    #expect(result.memory.nextAlarm == Self.at(8, 50, day: 4))
  }

  @Test func theMemoryIsItsCursor() throws {
    let result = round.run(try items(Self.meeting), memory: .init(), at: Self.at(8, 50) - 1)
    let memory = try #require(CalendarRound.Memory(result.memory.cursor))
    #expect(memory == result.memory)
    #expect(CalendarRound.Memory(Cursor("of another kind")) == nil)
  }

  @Test func theCursorOfAnEarlierVersionIsRead() throws {
    let text =
      #"{"done":1795164900,"known":[{"alarm":"default","digest":"0011223344556677","ends":1795166940,"instant":1795164600,"isOver":false,"kind":"event","occurrence":"","uid":"one"}]}"#
    let memory = try #require(CalendarRound.Memory(Cursor(text)))
    #expect(memory.known.map(\.remoteID) == ["event:one@/default"])
    let result = round.run(try items(Self.meeting), memory: memory, at: Self.at(8, 56))
    #expect(result.messages.map(\.remoteID.text) == ["event:one@/default"] && result.endings.isEmpty)
    #expect(result.memory.known.count == 1)
  }

  @Test func aMovedEventChangesItsMessageAndIsNewsAtItsNewTime() throws {
    let told = round.run(
      try items(Self.meeting), memory: round.run([], memory: .init(), at: Self.start).memory,
      at: Self.at(8, 55))
    let moved = try items("SUMMARY:Stand-up\nDTSTART:20261120T150000Z\nDTEND:20261120T153000Z")
    var result = round.run(moved, memory: told.memory, at: Self.at(9))
    #expect(result.messages.map(\.remoteID) == told.messages.map(\.remoteID))
    #expect(result.messages.first?.body == "2026-11-20 15:00–15:30")
    // The message is an edit until the alarm rings again.
    #expect(result.messages.first?.extras?.occasion == told.messages.first?.extras?.occasion)
    result = round.run(moved, memory: result.memory, at: Self.at(14, 50))
    #expect(result.messages.map(\.remoteID) == told.messages.map(\.remoteID))
    #expect(result.messages.first?.extras?.occasion != told.messages.first?.extras?.occasion)
    #expect(result.messages.first?.published == Self.at(14, 50))
  }

  @Test(arguments: ["STATUS:CANCELLED\n\(meeting)", ""])
  func whatIsCalledOffEndsItsMessage(lines: String) throws {
    let before = round.run([], memory: .init(), at: Self.start).memory
    let told = round.run(try items(Self.meeting), memory: before, at: Self.at(8, 55))
    let called = lines.isEmpty ? [] : try items(lines)
    let result = round.run(called, memory: told.memory, at: Self.at(8, 56))
    #expect(result.endings.map(\.message) == told.messages.map(\.remoteID))
    #expect(result.endings.map(\.isOver) == [true])
    #expect(round.run(called, memory: result.memory, at: Self.at(8, 57)).endings.isEmpty)
    // And back.
    let back = round.run(try items(Self.meeting), memory: result.memory, at: Self.at(8, 58))
    #expect(back.endings.map(\.isOver) == [false])
  }

  @Test func whatIsPastAndForgottenByItsCalendarStays() throws {
    let before = round.run([], memory: .init(), at: Self.start).memory
    let told = round.run(try items(Self.meeting), memory: before, at: Self.at(8, 55))
    #expect(round.run([], memory: told.memory, at: Self.at(10)).endings.isEmpty)
  }

  @Test func aToDoThatIsDoneEndsItsMessage() throws {
    let open = "SUMMARY:Report\nDUE:20261120T120000Z"
    let before = round.run([], memory: .init(), at: Self.start).memory
    let told = round.run(try items(open, "VTODO"), memory: before, at: Self.at(11, 50))
    #expect(told.messages.map(\.title) == ["Report"])
    let done = round.run(
      try items("\(open)\nSTATUS:COMPLETED", "VTODO"), memory: told.memory, at: Self.at(12))
    #expect(done.endings.map(\.isOver) == [true])
    let again = round.run(try items(open, "VTODO"), memory: done.memory, at: Self.at(12, 1))
    #expect(again.endings.map(\.isOver) == [false])
  }

  @Test func anOverrideKeepsTheMessageOfItsOccurrence() throws {
    let series = "\(Self.meeting)\nRRULE:FREQ=DAILY;COUNT=3"
    let before = round.run([], memory: .init(), at: Self.start).memory
    let told = round.run(try items(series), memory: before, at: Self.at(8, 55))
    let changed = try items(
      "\(series)\nEND:VEVENT\nBEGIN:VEVENT\nUID:one\nSUMMARY:Long stand-up\nRECURRENCE-ID:20261120T090000Z\nDTSTART:20261120T091500Z"
    )
    let result = round.run(changed, memory: told.memory, at: Self.at(8, 56))
    #expect(result.messages.map(\.title) == ["Long stand-up"])
    #expect(result.messages.map(\.remoteID) == told.messages.map(\.remoteID))
  }

  @Test func aRepeatedAlarmIsNewsOfOneMessage() throws {
    let items = try items(
      "\(Self.meeting)\nBEGIN:VALARM\nTRIGGER:-PT10M\nREPEAT:1\nDURATION:PT5M\nEND:VALARM")
    let before = round.run(items, memory: .init(), at: Self.start).memory
    let first = round.run(items, memory: before, at: Self.at(8, 50))
    let second = round.run(items, memory: first.memory, at: Self.at(8, 55))
    #expect(first.messages.map(\.remoteID) == second.messages.map(\.remoteID))
    #expect(first.messages.first?.extras?.occasion != second.messages.first?.extras?.occasion)
  }

  @Test func aClockThatWasSetBackDelaysNothing() throws {
    let items = try items(Self.meeting)
    let late = round.run(items, memory: .init(), at: Self.at(20)).memory
    let back = round.run(items, memory: late, at: Self.at(8))
    #expect(round.run(items, memory: back.memory, at: Self.at(8, 50)).messages.count == 1)
  }

  @Test func aRuleOfEveryMinuteIsToldOfOnceInAPoll() throws {
    let items = try items("SUMMARY:Tick\nDTSTART:20261101T000000Z\nRRULE:FREQ=MINUTELY")
    let before = round.run(items, memory: .init(), at: Self.start).memory
    #expect(before.nextAlarm == Self.start + 60)
    let result = round.run(items, memory: before, at: Self.at(1))
    #expect(result.messages.map(\.published) == [Self.at(1)])
    #expect(result.messages.first?.body.hasSuffix("59 earlier") == true)
    #expect(result.problems.isEmpty)
  }

  @Test func aRuleThatTakesTooLongIsReported() throws {
    let result = round.run(
      try items("DTSTART:20100101T000000\nRRULE:FREQ=SECONDLY;BYSECOND=1;COUNT=999999999"), memory: .init(),
      at: Self.start)
    #expect(result.problems.map(\.message) == ["one: \(ExpansionBudget.sentence)"])
  }

  static let addresses: [(lines: String, url: String?, join: String?)] = [
    ("URL:https://a.example/x", "https://a.example/x", nil),
    ("URL:https://zoom.us/j/1", "https://zoom.us/j/1", "https://zoom.us/j/1"),
    (
      "CONFERENCE;VALUE=URI:https://meet.example/1\nURL:https://a.example/", "https://a.example/",
      "https://meet.example/1"
    ),
    ("LOCATION:https://call.example/room", "https://call.example/room", "https://call.example/room"),
    (
      "DESCRIPTION:See https://wiki.example/ and join at <https://eu.teams.microsoft.com/l/1>.",
      "https://eu.teams.microsoft.com/l/1", "https://eu.teams.microsoft.com/l/1"
    ),
    ("DESCRIPTION:See https://wiki.example/", nil, nil),
    (
      "X-GOOGLE-CONFERENCE:https://meet.google.com/a", "https://meet.google.com/a",
      "https://meet.google.com/a"
    ),
    (
      "X-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.microsoft.com/l/a\nX-OTHER:https://zoom.us/j/1",
      "https://teams.microsoft.com/l/a", "https://teams.microsoft.com/l/a"
    ),
    (
      "DESCRIPTION:<b>Join</b> <a href=\"https://zoom.us/j/1?a=b&amp\\;c=d\">here</a>",
      "https://zoom.us/j/1?a=b&c=d",
      "https://zoom.us/j/1?a=b&c=d"
    ),
    (
      "DESCRIPTION:Join: https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fzoom.us%2Fj%2F2%3Fp%3D1&data=05",
      "https://zoom.us/j/2?p=1", "https://zoom.us/j/2?p=1"
    ),
    (
      "LOCATION:https://www.google.com/url?q=https%3A%2F%2Fmeet.jit.si%2Froom&sa=D",
      "https://meet.jit.si/room",
      "https://meet.jit.si/room"
    ),
    (
      "DESCRIPTION:https://urldefense.com/v3/__https://zoom.us/j/3?p=1__\\;!!abc$", "https://zoom.us/j/3?p=1",
      "https://zoom.us/j/3?p=1"
    ),
    (
      "X-OTHER:https://wiki.example/\nX-MEETING-LINK:https://whereby.com/ada\nX-NOTE:text",
      "https://whereby.com/ada",
      "https://whereby.com/ada"
    ),
    ("X-OTHER:https://wiki.example/?next=https%3A%2F%2Fother.example", nil, nil),
    ("DESCRIPTION:https://eur01.safelinks.protection.outlook.com/?url=javascript%3Aalert(1)", nil, nil),
    ("CONFERENCE;VALUE=URI:tel:+1234\nURL:javascript:alert(1)\nLOCATION:file:///etc/passwd", nil, nil),
  ]

  @Test(arguments: addresses)
  func aMeetingsAddressIsAnAction(one: (lines: String, url: String?, join: String?)) throws {
    let before = round.run([], memory: .init(), at: Self.start).memory
    let items = try items("SUMMARY:Call\nDTSTART:20261120T090000Z\n\(one.lines)")
    let message = try #require(round.run(items, memory: before, at: Self.at(8, 50)).messages.first)
    #expect(message.url == one.url)
    #expect(message.extras?.actions.map(\.url) == one.join.map { [$0] } ?? [])
  }

  @Test(arguments: [
    ("<p>Plan:</p><ul><li>Oil &amp\\; salt</li><li><b>Bread</b></li></ul>", "Plan:\n- Oil & salt\n- Bread"),
    ("Ask &lt\\;Ada&gt\\;<br>or Cy", "Ask <Ada>\nor Cy"), ("One\\n<b>Two</b>\\nThree", "One\nTwo\nThree"),
    ("Write to <ada@example.org>\\, 3 < 4 &amp\\; <TBC>", "Write to <ada@example.org>, 3 < 4 &amp; <TBC>"),
    ("a <bold> claim", "a <bold> claim"),
  ])
  func aDescriptionInHTMLIsText(description: String, text: String) throws {
    let before = round.run([], memory: .init(), at: Self.start).memory
    let items = try items("SUMMARY:Call\nDTSTART:20261120T090000Z\nDESCRIPTION:\(description)")
    let message = try #require(round.run(items, memory: before, at: Self.at(8, 50)).messages.first)
    #expect(message.body == "2026-11-20 09:00\n\n\(text)")
    #expect((message.html == nil) == (text.contains("claim") || text.contains("TBC")))
    #expect(message.html?.contains("2026-11-20 09:00") ?? true)
  }

  @Test func aDeclinedInvitationEndsItsMessage() throws {
    func events(_ part: String) throws -> [CalendarItem] {
      let guests = "ATTENDEE;PARTSTAT=\(part):mailto:ada@example.org"
      let text = (1...3).map {
        "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20261120T090000Z\n\($0 == 2 ? guests : "")\nEND:VEVENT\n"
      }
      return try CalendarReading(
        Data("BEGIN:VCALENDAR\nX-WR-CALNAME:ada@example.org\n\(text.joined())END:VCALENDAR\n".utf8)
      ).items
    }
    let before = round.run([], memory: .init(), at: Self.start).memory
    let told = round.run(try events("NEEDS-ACTION"), memory: before, at: Self.at(8, 50))
    #expect(told.messages.count == 3)
    let declined = round.run(try events("DECLINED"), memory: told.memory, at: Self.at(8, 51))
    #expect(
      declined.endings.map(\.message.text) == ["event:2@/default"] && declined.endings.map(\.isOver) == [true]
    )
    let back = round.run(try events("ACCEPTED"), memory: declined.memory, at: Self.at(8, 52))
    #expect(back.endings.map(\.isOver) == [false] && back.messages.isEmpty)
  }
}
