import Basics
import Formats
import Foundation
import Testing

@testable import Platform
@testable import Subscriptions

struct SchedulePreviewTests {
  static let saturday = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21T00:00:00Z

  private func preview(
    _ text: String, count: Int = 3, zone: ZoneClock = .gmt, language: String = "en",
    installed: Date = saturday
  ) throws -> SchedulePreview {
    SchedulePreview(
      try ScheduleFile.read(Data(text.utf8)), from: Self.saturday, count: count, zone: zone,
      installed: installed, language: language)
  }

  @Test func theJSONHasTheAgreedShape() throws {
    let shown = try preview(
      #"[{"id": 4, "time": "09:00", "repeat": "daily", "title": {"en": "Tea", "hi": "चाय"}}, {"id": "x", "time": "25:00"}, {"time": "08:00", "day": "sunday", "repeat": 7, "occurrence": 1, "title": "{{%s}}"}]"#,
      count: 2, language: "hi-IN")
    #expect(
      shown.json
        == #"{"entries":[{"id":4,"title":"चाय","occurrences":["2026-11-21T09:00:00Z","2026-11-22T09:00:00Z"],"error":null},{"id":"x","title":"","occurrences":[],"error":"$[1].time: its time must be HH:MM, 00:00 to 23:59; 25 is not an hour"},{"id":null,"title":"reddot","occurrences":["2026-11-22T08:00:00Z"],"error":null}]}"#
    )
  }

  @Test func peopleReadWeekdayDateTimeZoneAndDistance() throws {
    let zone = try #require(ZoneClock(named: "Asia/Kolkata"))
    let shown = try preview(
      #"[{"id": 4, "time": "19:00", "day": "Tuesday", "repeat": "weekly", "title": "Tea"}, {"time": "1"}, {"id": 5, "data": {"start": "2019/05/20 19:00"}, "colour": 1}]"#,
      count: 2, zone: zone)
    #expect(
      shown.lines == [
        "times in Asia/Kolkata", "", "Tea (4)", "  Tue 2026-11-24 19:00 +05:30  in 3 days",
        "  Tue 2026-12-01 19:00 +05:30  in 10 days", "", "$[1]",
        "  rejected: $[1].time: its time must be HH:MM, 00:00 to 23:59", "", "5", "  fires no more",
        "  note: $[2].colour: is unknown here and has no effect",
      ])
  }

  @Test(arguments: [
    (0, "now"), (1, "in 1 second"), (59, "in 59 seconds"), (60, "in 1 minute"), (3599, "in 59 minutes"),
    (3600, "in 1 hour"), (86399, "in 23 hours"), (86400, "in 1 day"), (3 * 86400, "in 3 days"),
    (59 * 86400, "in 59 days"), (61 * 86400, "in 2 months"), (365 * 86400, "in 12 months"),
    (1096 * 86400, "in 3 years"),
  ])
  func theDistanceIsSaidInTheLargestUnitThatFits(seconds: Int, words: String) {
    let date = Self.saturday.addingTimeInterval(TimeInterval(seconds))
    #expect(SchedulePreview.distance(date, from: Self.saturday, in: .gmt) == words)
  }

  @Test func aWeekdayStartCountsFromTheInstallation() throws {
    let text = #"{"id": 1, "data": {"start": "4 19:00", "interval": "week", "occurrence": 3}}"#
    let late = try preview(text, installed: Self.saturday.addingTimeInterval(-14 * 86400))
    #expect(late.entries[0].occurrences.map { $0.formatted(.iso8601) } == ["2026-11-26T19:00:00Z"])
    #expect(try preview(text).entries[0].occurrences.count == 3)
  }

  @Test func hostileTitlesReachNoTerminal() throws {
    let shown = try preview(#"[{"id": "\u001b", "time": "09:00", "title": "\u001b]0;x\u0007"}]"#)
    #expect(!(shown.lines.joined() + shown.json).unicodeScalars.contains { $0.value < 32 })
  }

  @Test(.enabled(if: !ScheduleConformanceTests.isMissing, "the published cases are not here"))
  func thePublishedCasesHoldInTheJSON() throws {
    let folder = try #require(ScheduleConformanceTests.folder)
    let cases = try JSONReader.parse(Data(contentsOf: folder.appending(path: "cases.json")))
    let elements = try #require(cases.elements)
    #expect(elements.count == 63)
    for case .object(let item) in elements {
      let name = try #require(item["name"]?.text)
      let zone = try #require(item["zone"]?.text.flatMap { ZoneClock(named: $0) })
      let from = try #require(item["from"]?.text.flatMap(ISOInstant.parse))
      let installed = try #require(item["installed"]?.text.flatMap(ISOInstant.parse))
      let written = try #require(item["entry"]).serialized()
      let preview = SchedulePreview(
        try ScheduleFile.read(Data(written.utf8)), from: from, count: item["count"]?.integer ?? 5, zone: zone,
        installed: installed, language: "en")
      let json = try JSONReader.parse(preview.json)
      let entry = try #require(json.object?["entries"]?.elements?.first?.object)
      #expect(entry.members.map(\.key) == ["id", "title", "occurrences", "error"])
      if item["error"] == .bool(true) {
        #expect(entry["error"]?.text?.isEmpty == false, "\(name) must say why")
        #expect(entry["occurrences"] == .array([]), "\(name)")
      } else {
        #expect(entry["error"] == .null, "\(name)")
        #expect(entry["occurrences"] == item["expect"], "\(name) in \(zone.name)")
      }
    }
  }
}

struct ScheduleCheckTests {
  private func check(_ text: String) throws -> ScheduleCheck {
    ScheduleCheck(try ScheduleFile.read(Data(text.utf8)), name: "r.json")
  }

  @Test(arguments: [
    (#"{"time": "09:00", "repeat": "daily", "title": "T"}"#, "r.json: 1 entry, no problems"),
    ("[]", "r.json: 0 entries, no problems"),
  ])
  func aGoodFileIsOneShortLine(text: String, line: String) throws {
    #expect(try check(text).lines == [line])
    #expect(try check(text).isFine)
  }

  @Test(arguments: [
    (
      #"[{"id": 1, "time": "9:00", "day": "Monday", "date": 3}, {"id": 1, "time": "24:00"}, 7]"#,
      ["$[0].date", "$[1].time", "$[1].id", "$[2]"]
    ),
    (#"{"data": {"start": "0 19:00"}}"#, ["$.data.start"]),
    (#"{"data": {"start": "2026/02/30 19:00"}}"#, ["$.data.start"]),
    (#"{"data": {"start": "2026/02/03 19:00", "interval": 0}}"#, ["$.data.interval"]),
    (#"{"data": {"start": "2026/02/03 19:00", "occurrence": -1}}"#, ["$.data.occurrence"]),
    (#"{"time": "9:00", "repeat": "daily", "endRepeat": {"date": "2019/05/20"}}"#, ["$.endRepeat.date"]),
    (#"{"time": "9:00", "repeat": "daily", "endRepeat": {"days": 1, "weeks": 2}}"#, ["$.endRepeat"]),
  ])
  func everyProblemHasItsPath(text: String, paths: [String]) throws {
    let check = try check(text)
    #expect(check.problems.map(\.at) == paths)
    #expect(!check.isFine)
    for (line, path) in zip(check.lines, paths) { #expect(line.hasPrefix("r.json: \(path): ")) }
    #expect(check.json.hasPrefix(#"{"entries":"#))
  }

  @Test func invalidJSONIsReportedWithItsLine() throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write("[\n  {\"time\": }\n]")
    let failure = #expect(throws: GivenFile.Failure.self) { try ScheduleCheck.given(folder.path) }
    #expect(failure?.sentence.hasPrefix("\(folder.path):2:12: ") == true)
    try folder.write("7")
    #expect(throws: GivenFile.Failure.self) { try ScheduleCheck.given(folder.path) }
    #expect(throws: GivenFile.Failure.self) { try ScheduleCheck.given("/no/such/file") }
  }
}
