import Basics
import Foundation
import TestBasics
import Testing

@testable import Formats

@Suite struct ScheduleFileTests {
  typealias Start = WallSchedule.Start

  private func entry(_ text: String) throws -> ScheduleFileEntry {
    try #require(try ScheduleFile.read(Data(text.utf8)).entries.first)
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Start {
    .day(.init(year: year, month: month, day: day), .init(hour: hour, minute: minute))
  }

  @Test(arguments: [
    (
      #""start": "2019/05/20 19:00", "interval": "month""#,
      WallSchedule(start: day(2019, 5, 20, 19, 0), interval: .init(.month))
    ),
    (#""start": "2019/5/2 7:05""#, WallSchedule(start: day(2019, 5, 2, 7, 5))),
    (
      #""start": "4 19:00", "interval": "weekday""#,
      WallSchedule(start: .weekday(4, .init(hour: 19, minute: 0)), interval: .init(.week))
    ),
    (
      #""start": "7 00:00", "interval": "week", "occurrence": 3"#,
      WallSchedule(start: .weekday(7, .init(hour: 0, minute: 0)), interval: .init(.week), end: .count(3))
    ),
    (
      #""start": "1 23:59", "interval": null, "occurrence": null"#,
      WallSchedule(start: .weekday(1, .init(hour: 23, minute: 59)))
    ),
    (
      #""start": "2024/02/29 08:00", "interval": 5, "occurance": 2"#,
      WallSchedule(start: day(2024, 2, 29, 8, 0), interval: .init(5, .day), end: .count(2))
    ),
    (
      #""start": "2024/02/28 08:00", "interval": "quarter", "occurrence": 0"#,
      WallSchedule(start: day(2024, 2, 28, 8, 0), interval: .init(.quarter))
    ),
    (
      #""start": "2024/02/28 08:00", "interval": "second""#,
      WallSchedule(start: day(2024, 2, 28, 8, 0), interval: .init(.second))
    ),
  ])
  func theFirstShape(data: String, schedule: WallSchedule) throws {
    let entry = try entry(
      "{\"id\": 7, \"type\": 1, \"data\": {\(data), \"translations\": {\"en\": {\"title\": \"T\", \"msg\": \"M\"}}}}"
    )
    #expect(entry.schedule == schedule)
    #expect(entry.problems == [])
    #expect(entry.identity == "7")
    #expect(entry.texts == [LocalizedText(language: "en", title: "T", body: "M")])
  }

  @Test(arguments: [
    (
      #""time": "19:30", "day": "Tuesday", "repeat": 7, "occurrence": 4"#,
      WallSchedule(start: .weekday(2, .init(hour: 19, minute: 30)), interval: .init(7, .day), end: .count(4))
    ),
    (
      #""time": "7:05", "date": 31, "repeat": 30"#,
      WallSchedule(start: .dayOfMonth(31, .init(hour: 7, minute: 5)), interval: .init(30, .day))
    ),
    (
      #""time": "06:00", "repeat": "daily", "endRepeat": {"days": 3}"#,
      WallSchedule(
        start: .time(.init(hour: 6, minute: 0)), interval: .init(.day), end: .before(.init(3, .day)))
    ),
    (
      #""time": "06:00", "date": 20, "repeat": "monthly", "endRepeat": {"date": "20/05/2026"}"#,
      WallSchedule(
        start: .dayOfMonth(20, .init(hour: 6, minute: 0)), interval: .init(.month),
        end: .through(.init(year: 2026, month: 5, day: 20)))
    ),
    (
      #""time": "06:00", "interval": 5, "endRepeat": {"weeks": 6}"#,
      WallSchedule(
        start: .time(.init(hour: 6, minute: 0)), interval: .init(5, .day), end: .before(.init(6, .week)))
    ),
    (
      #""time": "9:45", "day": ["Monday", "friday"], "repeat": "weekly""#,
      WallSchedule(start: .weekdays([1, 5], .init(hour: 9, minute: 45)), interval: .init(.week))
    ),
    (
      #""time": "9:45", "day": ["Monday", "friday"], "repeat": 14"#,
      WallSchedule(start: .weekdays([1, 5], .init(hour: 9, minute: 45)), interval: .init(14, .day))
    ),
    (
      #""time": "06:00", "day": "sunday", "repeat": "weekly", "endRepeat": {"repeatCount": 10}"#,
      WallSchedule(start: .weekday(7, .init(hour: 6, minute: 0)), interval: .init(.week), end: .count(10))
    ),
    (
      #""time": "06:00", "repeat": "yearly", "endRepeat": {"months": 30}"#,
      WallSchedule(
        start: .time(.init(hour: 6, minute: 0)), interval: .init(.year), end: .before(.init(30, .month)))
    ),
    (#""time": "06:00", "endRepeat": null"#, WallSchedule(start: .time(.init(hour: 6, minute: 0)))),
  ])
  func theOtherShapes(fields: String, schedule: WallSchedule) throws {
    let entry = try entry("{\(fields), \"title\": \"T\", \"msg\": \"M\"}")
    #expect(entry.schedule == schedule)
    #expect(entry.problems == [])
  }

  @Test(arguments: [
    (#"{"data": {"start": "0 10:00", "interval": "week"}}"#, "$.data.start"),
    (#"{"data": {"start": "8 10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "2026/01/30 24:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "2026/01/30 10:60"}}"#, "$.data.start"),
    (#"{"data": {"start": "2026/02/30 10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "2023/02/29 10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "2026/13/01 10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "26/01/01 10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "2026-01-01 10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "2026/01/01  10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "2026/01/01T10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": "Mon 10:00"}}"#, "$.data.start"),
    (#"{"data": {"start": 5}}"#, "$.data.start"), (#"{"data": {}}"#, "$.data.start"),
    (#"{"data": []}"#, "$.data"),
    (#"{"data": {"start": "4 19:00", "interval": "day"}}"#, "$.data.interval"),
    (#"{"data": {"start": "4 19:00", "interval": 7}}"#, "$.data.interval"),
    (#"{"data": {"start": "2026/01/01 10:00", "interval": "fortnight"}}"#, "$.data.interval"),
    (#"{"data": {"start": "2026/01/01 10:00", "interval": 0}}"#, "$.data.interval"),
    (#"{"data": {"start": "2026/01/01 10:00", "interval": -1}}"#, "$.data.interval"),
    (#"{"data": {"start": "2026/01/01 10:00", "interval": 1.5}}"#, "$.data.interval"),
    (#"{"data": {"start": "2026/01/01 10:00", "interval": "day", "occurrence": -1}}"#, "$.data.occurrence"),
    (#"{"data": {"start": "2026/01/01 10:00", "interval": "day", "occurance": "x"}}"#, "$.data.occurance"),
    (#"{"data": {"start": "2026/01/01 10:00", "occurrence": 1, "occurance": 2}}"#, "$.data.occurance"),
    (#"{"time": "1000", "repeat": "daily"}"#, "$.time"), (#"{"time": "24:00"}"#, "$.time"),
    (#"{"time": "10:00:00"}"#, "$.time"),
    (#"{"repeat": "daily"}"#, "$.time"), (#"{"time": "-1:00"}"#, "$.time"), (#"{"time": "٣:00"}"#, "$.time"),
    (#"{"time": "10:00", "day": "Monday", "date": 3}"#, "$.date"),
    (#"{"time": "10:00", "day": "Moday"}"#, "$.day"), (#"{"time": "10:00", "day": []}"#, "$.day"),
    (#"{"time": "10:00", "day": ["Monday", "monday"]}"#, "$.day"),
    (#"{"time": "10:00", "day": ["Monday", "Friday"], "repeat": "daily"}"#, "$.repeat"),
    (#"{"time": "10:00", "day": ["Monday", "Friday"], "interval": 5}"#, "$.interval"),
    (#"{"time": "10:00", "day": 8}"#, "$.day"), (#"{"time": "10:00", "date": 32}"#, "$.date"),
    (#"{"time": "10:00", "date": 0}"#, "$.date"),
    (#"{"time": "10:00", "repeat": 0}"#, "$.repeat"), (#"{"time": "10:00", "interval": 0}"#, "$.interval"),
    (#"{"time": "10:00", "repeat": "hourly"}"#, "$.repeat"),
    (#"{"time": "10:00", "repeat": "daily", "interval": 2}"#, "$.interval"),
    (#"{"time": "10:00", "repeat": -7}"#, "$.repeat"),
    (#"{"time": "10:00", "repeat": 7, "occurrence": -4}"#, "$.occurrence"),
    (#"{"time": "10:00", "repeat": "daily", "endRepeat": {"weeks": 2, "repeatCount": 3}}"#, "$.endRepeat"),
    (#"{"time": "10:00", "repeat": "daily", "endRepeat": {}}"#, "$.endRepeat"),
    (#"{"time": "10:00", "endRepeat": 5}"#, "$.endRepeat"),
    (#"{"time": "10:00", "endRepeat": {"date": "2026/05/20"}}"#, "$.endRepeat.date"),
    (#"{"time": "10:00", "endRepeat": {"date": "05/20/2026"}}"#, "$.endRepeat.date"),
    (#"{"time": "10:00", "endRepeat": {"date": "30/02/2026"}}"#, "$.endRepeat.date"),
    (#"{"time": "10:00", "endRepeat": {"weeks": -1}}"#, "$.endRepeat.weeks"),
    (#"{"time": "10:00", "endRepeat": {"years": 1}}"#, "$.endRepeat.years"),
    (#"{"time": "10:00", "repeat": 7, "occurrence": 2, "endRepeat": {"days": 3}}"#, "$.endRepeat"),
    (#"{"id": true, "time": "10:00"}"#, "$.id"),
  ])
  func aBadEntryIsRejectedAtItsPath(text: String, path: String) throws {
    let entry = try entry(text)
    #expect(entry.schedule == nil)
    #expect(entry.problems.map(\.at) == [path])
  }

  @Test(arguments: [
    (
      #"{"time": "10:00", "endRepeat": {"days": 3}}"#, "$.endRepeat.days",
      "has no effect: the entry does not repeat, without day, date, repeat or interval"
    ),
    (
      #"{"time": "10:00", "endRepeat": {"date": "20/05/2030"}}"#, "$.endRepeat.date",
      "has no effect: the entry does not repeat, without day, date, repeat or interval"
    ),
    (
      #"{"time": "10:00", "day": "Monday", "endRepeat": {"weeks": 3}}"#, "$.endRepeat.weeks",
      "has no effect: without repeat or interval the entry fires once"
    ),
    (
      #"{"time": "10:00", "repeat": "daily", "occurrence": 2, "endRepeat": {"days": 3}}"#, "$.endRepeat",
      "cannot be used with occurrence: an entry has one end"
    ),
    (
      #"{"data": {"start": "2026/11/20 09:00", "occurrence": 3}}"#, "$.data.occurrence",
      "has no effect: without interval the entry fires once"
    ),
  ])
  func contradictionsAreReportedWithTheirPath(text: String, path: String, reason: String) throws {
    let problems = try entry(text).problems
    #expect(problems.map(\.at) == [path])
    #expect(problems.map(\.message) == [reason])
  }

  @Test func theReasonSaysWhatIsAllowed() throws {
    #expect(
      try entry(#"{"data": {"start": "2026/02/30 10:00"}}"#).problems.first?.message
        == "must be \"YYYY/MM/DD HH:MM\", or \"D HH:MM\" with D from 1 (Monday) to 7 (Sunday); month 2 of 2026 has no day 30"
    )
  }

  @Test func aBadEntryLeavesItsNeighboursAlone() throws {
    let file = try ScheduleFile.read(
      Data(
        #"[{"id": "a", "time": "1:00"}, 5, {"id": "b", "time": "25:00"}, {"time": "2:00", "colour": 1}]"#.utf8
      ))
    #expect(file.entries.map { $0.schedule != nil } == [true, false, false, true])
    #expect(file.problems.map(\.at) == ["$[1]", "$[2].time", "$[3].colour"])
    #expect(file.entries.map(\.path) == ["$[0]", "$[1]", "$[2]", "$[3]"])
    #expect(file.entries[2].id?.text == "b")
  }

  @Test func entriesKeepAnIdentityOfTheirOwn() throws {
    let file = try ScheduleFile.read(
      Data(
        #"[{"id": 1, "time": "1:00"}, {"id": "1", "time": "2:00"}, {"time": "3:00"}, {"time": "3:00"}, {"time": "4:00"}]"#
          .utf8))
    #expect(Set(file.entries.map(\.identity)).count == 5)
    #expect(file.entries[0].identity == "1")
    #expect(file.entries[4].identity == #"{"time":"4:00"}"#)
    #expect(file.entries.allSatisfy { $0.schedule != nil })
    #expect(file.problems.map(\.at) == ["$[1].id"])
  }

  @Test(arguments: [
    (#""title": "T", "msg": "M""#, ["default|T|M"]),
    (#""title": {"en": "T", "hi": "H"}, "msg": {"hi": "I", "en": "M"}"#, ["en|T|M", "hi|H|I"]),
    (#""title": "{\"en\":\"T\"}", "msg": "{\"en\":\"M\"}""#, ["en|T|M"]),
    (#""title": "T", "msg": {"en": "M"}"#, ["default|T|M", "en|T|M"]),
    (#""title": "{not json", "msg": null"#, ["default|{not json|"]), (#""msg": "M""#, ["default||M"]),
    (#""title": """#, []),
  ])
  func titleAndMessageAreTextsMapsOrJSON(fields: String, texts: [String]) throws {
    let entry = try entry("{\"time\": \"1:00\", \(fields)}")
    #expect(entry.texts.map { "\($0.language)|\($0.title)|\($0.body)" } == texts)
    #expect(entry.problems == [])
  }

  @Test(arguments: ["", "[", "{\"time\": 1", "[1,]"])
  func invalidJSONIsRefusedCompletely(text: String) {
    #expect(throws: ScheduleFileFailure.self) { try ScheduleFile.read(Data(text.utf8)) }
  }

  @Test(arguments: ["7", "\"x\"", "null", "true"])
  func whatHoldsNoEntriesIsRefusedWhole(text: String) throws {
    let found = try JSONReader.parse(text).kindInWords
    #expect(throws: ScheduleFileFailure.notSchedules(found: found)) { try ScheduleFile.read(Data(text.utf8)) }
  }
}

@Suite(
  .enabled("skipped: no published schedules; name their folder in REDDOT_CORPORA") {
    Corpora.find("schedules") != nil
  })
struct PublishedSchedulesTests {
  @Test func exactlyTheCasesWithAnErrorAreRefused() throws {
    let folder = try #require(Corpora.find("schedules"))
    let cases = try #require(
      try JSONReader.parse(try Data(contentsOf: folder.appending(path: "cases.json"))).elements)
    #expect(cases.count == 63)
    for published in cases {
      let published = try #require(published.object)
      let entry = try #require(published["entry"])
      let read = try #require(try ScheduleFile.read(Data(entry.serialized().utf8)).entries.first)
      let name = published["name"]?.text ?? ""
      #expect((read.schedule == nil) == (published["error"] == .bool(true)), "\(name)")
      #expect(read.problems.isEmpty == (read.schedule != nil), "\(name)")
      #expect(!read.texts.isEmpty)
    }
  }

  @Test func sunbirdFiresOnThursdaysAtSeven() throws {
    let folder = try #require(Corpora.find("schedules"))
    let file = try ScheduleFile.read(try Data(contentsOf: folder.appending(path: "sunbird.json")))
    let entry = try #require(file.entries.first)
    #expect(
      entry.schedule == WallSchedule(start: .weekday(4, .init(hour: 19, minute: 0)), interval: .init(.week)))
    #expect(entry.problems == [])
    #expect(entry.texts.map(\.language) == ["en", "hi", "kn", "ta", "te", "ur", "default"])
    #expect(entry.texts.choice(for: "hi-IN")?.naming(application: "reddot").body == "आज reddot से कुछ नया सीखे!")
    #expect(entry.texts.choice(for: "fr")?.language == "default")
  }
}
