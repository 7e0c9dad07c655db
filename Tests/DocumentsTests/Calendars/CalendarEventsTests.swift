import Basics
import Foundation
import Testing

@testable import Calendars

struct CalendarEventsTests {
  /// An event, with the lines that a case is about; each may be in a separate file.
  private struct Event {
    var lines: String
    var file = ""

    init(_ lines: String, file: String = "") { (self.lines, self.file) = (lines, file) }

    static func at(_ hour: Int, _ summary: String, _ more: String = "", file: String = "") -> Event {
      Event(
        "UID:one\nSUMMARY:\(summary)\nDTSTART:20261120T\(hour < 10 ? "0" : "")\(hour)0000Z\n\(more)",
        file: file)
    }
  }

  private func events(_ given: [Event], _ kind: String = "VEVENT") throws -> CalendarEvents {
    CalendarEvents(
      try given.flatMap { event in
        let text = "BEGIN:VCALENDAR\nBEGIN:\(kind)\n\(event.lines)\nEND:\(kind)\nEND:VCALENDAR\n"
        return try #require(CalendarFile.read(Data(text.utf8), name: event.file)).items
      })
  }

  private func shown(_ given: [Event]) throws -> [String] { try events(given).items.map(\.summary) }

  @Test func oneEventHasItsUIDAsItsKey() throws {
    let events = try events([.at(9, "Dentist")])
    #expect(events.items.map(\.key) == ["one"])
    #expect(events.repeated.isEmpty)
  }

  @Test func otherStartAndOtherSummaryAreOtherEvents() throws {
    let events = try events([.at(9, "Birds"), .at(10, "Boats", "SEQUENCE:2"), .at(11, "Bread", "SEQUENCE:3")])
    #expect(events.items.map(\.summary) == ["Birds", "Boats", "Bread"])
    #expect(Set(events.items.map(\.key)).count == 3)
    #expect(events.repeated.map(\.summary) == ["Birds"])
  }

  @Test func oneOfStartAndSummaryNeedsAnotherSequenceToBeAVersion() throws {
    #expect(try shown([.at(9, "Birds"), .at(10, "Birds")]) == ["Birds", "Birds"])
    #expect(try shown([.at(9, "Birds"), .at(9, "Boats")]) == ["Birds", "Boats"])
    #expect(try shown([.at(9, "Birds", "SEQUENCE:1"), .at(10, "Birds", "SEQUENCE:0")]).count == 1)
    #expect(try shown([.at(9, "Birds", "SEQUENCE:1"), .at(9, "Boats", "SEQUENCE:2")]) == ["Boats"])
  }

  @Test func aStartInAnotherZoneIsTheSameStart() throws {
    let berlin = Event("UID:one\nSUMMARY:Birds\nDTSTART;TZID=Europe/Berlin:20261120T100000")
    #expect(try shown([.at(9, "Birds"), berlin]).count == 1)
    // A day is no time, and a time without a zone is none in UTC.
    #expect(try shown([.at(0, "Birds"), Event("UID:one\nSUMMARY:Birds\nDTSTART:20261120")]).count == 2)
    #expect(
      try shown([.at(9, "Birds"), Event("UID:one\nSUMMARY:Birds\nDTSTART:20261120T090000")]).count == 2)
  }

  private static let versions: [(String, String)] = [
    ("SEQUENCE:2\nLAST-MODIFIED:20261101T000000Z", "SEQUENCE:1\nLAST-MODIFIED:20261102T000000Z"),
    (
      "LAST-MODIFIED:20261102T000000Z\nDTSTAMP:20261101T000000Z",
      "LAST-MODIFIED:20261101T000000Z\nDTSTAMP:20261102T000000Z"
    ),
    ("LAST-MODIFIED:20261101T000000Z", ""),
    ("DTSTAMP:20261102T000000Z", "DTSTAMP:20261101T000000Z"),
    ("DTSTAMP:20261102T000000Z", ""),
  ]

  @Test(arguments: versions)
  func theVersionThatCountsDoesNotDependOnTheOrder(newer: String, older: String) throws {
    let (newer, older) = (
      Event.at(9, "Birds", "LOCATION:new\n\(newer)"), Event.at(9, "Birds", "LOCATION:old\n\(older)")
    )
    #expect(try events([newer, older]).items.map(\.location) == ["new"])
    #expect(try events([older, newer]).items.map(\.location) == ["new"])
  }

  @Test func ofEqualVersionsTheLaterCounts() throws {
    let events = try events([.at(9, "Birds", "LOCATION:first"), .at(9, "Birds", "LOCATION:second")])
    #expect(events.items.map(\.location) == ["second"])
    #expect(events.repeated.isEmpty)
  }

  @Test(arguments: [
    "a.sync-conflict-20261101-101500-ABCDEFG.ics", "a (conflicted copy 2026-11-01).ics", "a (1).ics",
    "a(12).ICS", "a (Ada's Conflicted Copy).ics",
  ])
  func aCopyByItsNameLosesAgainstTheOther(name: String) throws {
    let newer = "SEQUENCE:9\nLAST-MODIFIED:20261130T000000Z"
    #expect(try shown([.at(9, "Birds", file: "a.ics"), .at(10, "Boats", newer, file: name)]) == ["Birds"])
    #expect(try shown([.at(10, "Boats", newer, file: name), .at(9, "Birds", file: "a.ics")]) == ["Birds"])
    // If it is alone, it is an event.
    #expect(try shown([.at(10, "Boats", file: name)]) == ["Boats"])
    let other = Event("UID:two\nSUMMARY:Bread\nDTSTART:20261120", file: "a.ics")
    #expect(try shown([.at(10, "Boats", file: name), other]) == ["Boats", "Bread"])
  }

  @Test(arguments: ["a.ics", "a (1) b.ics", "a ().ics", "a (x).ics", "1).ics", "confluence.ics", ""])
  func otherNamesAreNoCopies(name: String) throws {
    #expect(try shown([.at(9, "Birds", file: "b.ics"), .at(10, "Boats", file: name)]) == ["Birds", "Boats"])
  }

  @Test func ofAnotherOccurrenceACopyCounts() throws {
    let change = Event.at(10, "Boats", "RECURRENCE-ID:20261120T090000Z", file: "a (1).ics")
    #expect(try shown([.at(9, "Birds", "RRULE:FREQ=DAILY", file: "a.ics"), change]) == ["Birds", "Boats"])
  }

  @Test func theEventThatStartsFirstHasTheUsualIDInAnyOrder() throws {
    let given = [Event.at(9, "Birds"), .at(10, "Boats"), .at(10, "Bread"), .at(11, "Birds")]
    let keys = try events(given).items.map { ($0.start.text + $0.summary, $0.key) }
    let first = Dictionary(uniqueKeysWithValues: keys)
    #expect(first["20261120T090000ZBirds"] == "one")
    for turn in 1..<given.count {
      for order in [given[turn...] + given[..<turn], ArraySlice(given.reversed())] {
        let keys = try events(Array(order)).items.map { ($0.start.text + $0.summary, $0.key) }
        #expect(Dictionary(uniqueKeysWithValues: keys) == first)
      }
    }
  }

  @Test func theIDOfAnotherEventIsTheSameOnEveryMachine() throws {
    let events = try events([.at(9, "Birds"), .at(10, "Boats")])
    #expect(events.items.map(\.key) == ["one", "one|f09b549e769bdfed"])
    // The key depends only on its start, in any zone, and its summary.
    let berlin = Event("UID:one\nSUMMARY:Boats\nDTSTART;TZID=Europe/Berlin:20261120T110000\nLOCATION:Pier")
    #expect(try self.events([.at(9, "Birds"), berlin]).items.map(\.key) == events.items.map(\.key))
  }

  @Test func aToDoWithTheUIDOfAnEventIsAnother() throws {
    let items = try events([.at(9, "Birds")]).items + events([.at(9, "Birds")], "VTODO").items
    let both = CalendarEvents(items)
    #expect(both.items.map(\.kind) == [.event, .todo])
    #expect(both.items.map(\.key) == ["one", "one"] && both.repeated.isEmpty)
  }

  @Test func aChangeOfASeriesIsNoVersionOfIt() throws {
    let change = Event.at(11, "Birds", "SEQUENCE:2\nRECURRENCE-ID:20261121T090000Z")
    let events = try events([.at(9, "Birds", "SEQUENCE:1\nRRULE:FREQ=DAILY"), change])
    #expect(events.items.map(\.key) == ["one", "one"])
    #expect(events.items.map { $0.overrides == nil } == [true, false])
  }

  @Test func changesOfOneOccurrenceAreVersionsIfTheyShareStartOrSummary() throws {
    let id = "RECURRENCE-ID:20261121T090000Z"
    #expect(try shown([.at(9, "Birds", id), .at(9, "Boats", id)]) == ["Boats"])
    let others = try events([.at(9, "Birds", id), .at(10, "Boats", id)])
    #expect(others.items.map(\.summary) == ["Birds", "Boats"])
    let series = CalendarSeries.all(others.items)
    #expect(series.map(\.overrides.count) == [1, 1] && Set(series.map(\.key)).count == 2)
  }

  @Test func aChangeBelongsToTheSeriesThatBeganLastBeforeIt() throws {
    let spring = Event("UID:one\nSUMMARY:Spring\nDTSTART:20270302T090000Z\nRRULE:FREQ=WEEKLY")
    func change(_ day: String, _ summary: String) -> Event {
      Event("UID:one\nSUMMARY:\(summary)\nDTSTART:\(day)T120000Z\nRECURRENCE-ID:\(day)T090000Z")
    }
    let events = try events([
      spring, change("20270309", "late in spring"), .at(9, "Autumn", "RRULE:FREQ=WEEKLY"),
      change("20261127", "late in autumn"),
    ])
    let series = CalendarSeries.all(events.items)
    #expect(series.map { $0.master?.summary } == ["Spring", "Autumn"])
    #expect(series.map { $0.overrides.map(\.summary) } == [["late in spring"], ["late in autumn"]])
    #expect(series.last?.key == "one")
  }

  @Test func tenThousandEventsWithOneUIDAreToldApartInOneLook() throws {
    let one = try #require(try events([.at(9, "Birds", "RRULE:FREQ=DAILY")]).items.first)
    let items = (0..<20_000).map { number in
      var item = one
      item.summary = "\(number)"
      item.start.wall.second = number
      if number.isMultiple(of: 2) { item.overrides = item.start }
      return item
    }
    #expect(CalendarEvents(items).items.count == 20_000)
  }
}
