import Basics
import Foundation
import Testing

@testable import Calendars

/// Finds the events that a reading may have left out.
struct CalendarGapsTests {
  private static let event = "BEGIN:VEVENT\nUID:a\nSUMMARY:One\nDTSTART:20261120T090000Z\nEND:VEVENT\n"
  private static let whole = "BEGIN:VCALENDAR\n\(event)END:VCALENDAR\n"

  private func read(_ text: String) throws -> CalendarFile {
    try #require(CalendarFile.read(Data(text.utf8), name: "a.ics"))
  }

  @Test func aDocumentThatBreaksOffAnywhereMayHideEvents() throws {
    let bytes = Array(Self.whole.utf8)
    let end = bytes.count - "\n".utf8.count
    for length in "BEGIN:VCALENDAR".utf8.count..<end {
      let file = try read(String(decoding: bytes[..<length], as: UTF8.self))
      #expect(file.gaps.files == ["a.ics"], "\(length) bytes")
      #expect(file.gaps.mayHide(uid: "b", of: "a.ics") && !file.gaps.mayHide(uid: "b", of: "b.ics"))
      // The file is unknown.
      #expect(file.gaps.mayHide(uid: "b", of: nil))
    }
    #expect(try read(Self.whole).gaps == CalendarGaps())
  }

  @Test func anEventThatBreaksOffIsLeftOut() throws {
    let cut = try read("BEGIN:VCALENDAR\n\(Self.event)BEGIN:VEVENT\nUID:b\nDTSTART:20261121T090000Z\nSUMM")
    #expect(cut.items.map(\.uid) == ["a"])
  }

  @Test(arguments: [
    "BEGIN:VEVENT\nUID:a\nEND:VEVENT", "BEGIN:VEVENT\nUID:a\nDTSTART:tomorrow\nEND:VEVENT",
    "BEGIN:VEVENT\nUID:a\nDTSTART:tomorrow\nDTEND:20261120T090000Z\nEND:VEVENT",
    "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nRECURRENCE-ID:never\nEND:VEVENT",
    "BEGIN:VTODO\nUID:a\nDUE:soon\nEND:VTODO",
  ])
  func anEventThatIsLeftOutHidesItsUID(lines: String) throws {
    let file = try read("BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n")
    #expect(file.gaps.uids == ["a"] && file.gaps.files.isEmpty && file.problems.leftOut == 1)
    #expect(file.gaps.mayHide(uid: "a", of: "other.ics") && !file.gaps.mayHide(uid: "b", of: "a.ics"))
    #expect(!file.items.contains { $0.uid == "a" })
  }

  @Test(arguments: [
    "BEGIN:VEVENT\nDTSTART:tomorrow\nEND:VEVENT", "BEGIN VEVENT\nUID:a\nDTSTART:20261120\nEND:VEVENT",
    String(repeating: "BEGIN:VEVENT\n", count: 1100),
  ])
  func withoutAUIDItHidesItsFile(lines: String) throws {
    #expect(try read("BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n").gaps.files == ["a.ics"])
  }

  @Test(arguments: [
    "DTSTART;TZID=Middle Earth:20261120T090000", "DTSTART:20261120\nRRULE:FREQ=FORTNIGHTLY",
    "DTSTART:20261120\nDURATION:-P1D", "DTSTART:20261120\nEXDATE:never", "DTSTART:20261120\nno line",
    "DTSTART:20261120\nBEGIN:VALARM\nTRIGGER:soon\nEND:VALARM", "DTSTART:20261120\nEND:VALARM",
  ])
  func aProblemThatLeavesNothingOutHidesNothing(lines: String) throws {
    let file = try read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n")
    #expect(file.problems.count == 1 && file.problems.leftOut == 0)
    #expect(file.gaps == CalendarGaps())
    #expect(file.items.map(\.uid) == ["a"])
  }

  @Test func aToDoWithoutADateIsNotLeftOut() throws {
    #expect(try read("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nEND:VTODO\nEND:VCALENDAR").gaps == CalendarGaps())
  }

  @Test(arguments: ["RRULE:FREQ=FORTNIGHTLY", "RRULE:FREQ=HOURLY", "RDATE:never"])
  func datesThatCannotBeReadAreRemembered(line: String) throws {
    let lines = "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\n\(line)\nEND:VEVENT\n"
    let items = try read("BEGIN:VCALENDAR\n\(lines)END:VCALENDAR\n").items
    #expect(CalendarSeries.all(items).map(\.hasUnreadDates) == [true])
    #expect(CalendarSeries.all(try read(Self.whole).items).map(\.hasUnreadDates) == [false])
  }

  @Test func filesThatAreNotReadHideTheirEvents() {
    let file = CalendarFile(unread: ["b.ics", "c.ics"], at: "b.ics", "too many")
    #expect(file.gaps.files == ["b.ics", "c.ics"])
    #expect(file.problems.map(\.at) == ["b.ics"] && file.problems.leftOut == 2)
  }
}
