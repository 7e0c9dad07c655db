import Basics
import Calendars
import Formats
import Foundation
import TestBasics
import Testing

@testable import Polling

/// The published schedules, each with the instants that it must yield.
struct ScheduleConformanceTests {
  static let folder = Corpora.find("schedules")

  static let isMissing: Bool = folder == nil

  private func text(_ object: JSONObject, _ key: String) throws -> String {
    guard case .string(let text)? = object[key] else { throw CocoaError(.coderInvalidValue) }
    return text
  }

  @Test(.enabled(if: !isMissing, "the published cases are not here"))
  func everyCaseFiresWhenItMust() throws {
    let folder = try #require(Self.folder)
    let cases = try JSONReader.parse(Data(contentsOf: folder.appending(path: "cases.json")))
    guard case .array(let cases) = cases else { throw CocoaError(.coderInvalidValue) }
    #expect(cases.count == 63)
    for case .object(let item) in cases {
      let name = try text(item, "name")
      let zone = try #require(ZoneClock(named: try text(item, "zone")))
      let installed = try Date(text(item, "installed"), strategy: .iso8601)
      let from = try Date(text(item, "from"), strategy: .iso8601)
      let entry = try #require(item["entry"])
      let file = try ScheduleFile.read(Data(entry.serialized().utf8))
      let schedule = file.entries.first?.schedule
      if item["error"] == .bool(true) {
        #expect(schedule == nil, "\(name) must be refused")
        #expect(!file.problems.isEmpty, "\(name) must say why")
        continue
      }
      guard case .number(let count)? = item["count"], case .array(let expected)? = item["expect"] else {
        throw CocoaError(.coderInvalidValue)
      }
      let firings = Firings(Recurrence(try #require(schedule, "\(name)")), zone: zone, reference: installed)
      var instants: [JSONValue] = []
      var next = firings.next(from: from)
      while let firing = next, instants.count < Int(count) ?? 0 {
        instants.append(.string(firing.instant.formatted(.iso8601)))
        next = firings.next(after: firing.instant)
      }
      #expect(instants == expected, "\(name) in \(zone.name)")
    }
  }

  @Test(.enabled(if: !isMissing, "the published cases are not here"))
  func aScheduleAsShippedFiresOnThursdays() throws {
    let folder = try #require(Self.folder)
    let file = try ScheduleFile.read(Data(contentsOf: folder.appending(path: "sunbird.json")))
    let schedule = try #require(file.entries.first?.schedule)
    let zone = try #require(ZoneClock(named: "Asia/Kolkata"))
    let installed = try Date("2026-11-21T00:00:00Z", strategy: .iso8601)
    let firings = Firings(Recurrence(schedule), zone: zone, reference: installed).prefix(3)
    #expect(
      firings.map { $0.instant.formatted(.iso8601) }
        == ["2026-11-26T13:30:00Z", "2026-12-03T13:30:00Z", "2026-12-10T13:30:00Z"])
    #expect(file.entries.first?.texts.count == 7)
  }
}
