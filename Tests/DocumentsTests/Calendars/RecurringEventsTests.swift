import Basics
import Foundation
import Testing

@testable import Calendars

/// Random rules, exceptions and changes, with the occurrences that PyPI's recurring-ical-events 3.8.2 found: through
/// both changes of clocks of four zones.
struct RecurringEventsTests {
  struct Sample: Decodable {
    /// The index of its zone.
    var z: Int
    /// The lines; `%Z` stands for the zone.
    var l: [String]
    /// The span, in seconds since 1970.
    var w: [Int]
    /// The start of each occurrence, from the span's beginning, and its length, in seconds.
    var e: [[Int]]
  }

  static let zones = ["Europe/Berlin", "America/New_York", "Australia/Sydney", "Australia/Lord_Howe"]

  static let samples: [Sample] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Data/rules.json")
    return (try? JSONDecoder().decode([Sample].self, from: Data(contentsOf: file))) ?? []
  }()

  @Test func everyRuleHasTheSameOccurrences() throws {
    #expect(Self.samples.count >= 500)
    for sample in Self.samples {
      let zone = Self.zones[sample.z]
      let lines = sample.l.joined(separator: "\n").replacing("%Z", with: ";TZID=\(zone)")
      let calendar = try CalendarSample(lines, zone: zone)
      let steps = ExpansionBudget(Limits.calendarSteps)
      let found = calendar.series.flatMap { series in
        SeriesExpansion(series, reader: calendar.reader, steps: steps)
          .occurrences(in: sample.w[0]..<sample.w[1]).map {
            [$0.startsAt - sample.w[0], $0.endsAt - $0.startsAt]
          }
      }
      #expect(Set(found) == Set(sample.e) && found.count == sample.e.count, "\(zone)\n\(lines)")
      #expect(calendar.problems.isEmpty)
    }
  }
}
