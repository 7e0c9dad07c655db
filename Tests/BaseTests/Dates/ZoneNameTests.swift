import Foundation
import TestBasics
import Testing

@testable import Basics

/// Names of zones as calendars, settings and people write them.
struct ZoneNameTests {
  /// The offsets in January and in July, in minutes.
  private func offsets(_ name: String) -> [Int]? {
    ZoneClock(named: name).map { clock in [1_768_000_000, 1_784_000_000].map { clock.offset(at: $0) / 60 } }
  }

  @Test(arguments: [
    ("Europe/Vienna", [60, 120]), ("/Europe/Vienna", [60, 120]), ("europe/vienna", [60, 120]),
    ("EUROPE/VIENNA", [60, 120]), ("America/New York", [-300, -240]),
    ("america/port-au-prince", [-300, -240]),
    ("/example.org/20260101_1/America/Argentina/Salta", [-180, -180]), ("Etc/GMT+5", [-300, -300]),
    ("us/eastern", [-300, -240]), ("Asia/Calcutta", [330, 330]), (" Asia/Tokyo ", [540, 540]),
    ("\"Asia/Tokyo\"", [540, 540]),
    ("UTC", [0, 0]), ("gmt", [0, 0]), ("Z", [0, 0]), ("tzone://Microsoft/Utc", [0, 0]),
    ("W. Europe Standard Time", [60, 120]), ("w. europe standard time", [60, 120]),
    ("W. Europe Standard Time 1", [60, 120]), ("AUS Eastern Standard Time", [660, 600]),
    ("UTC-02", [-120, -120]), ("UTC+12", [720, 720]),
    ("(UTC-05:00) Eastern Time (US and Canada)", [-300, -240]),
    ("(GMT-05:00) Eastern Time (US & Canada)", [-300, -240]), ("Eastern Time (US & Canada)", [-300, -240]),
    ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", [60, 120]),
    ("(UTC) Coordinated Universal Time", [0, 0]), ("(UTC+05:45) Nowhere in the table", [345, 345]),
    ("(UTC+09:30) Australia/Darwin", [570, 570]),
    ("GMT -0500 (Standard) / GMT -0400 (Daylight)", [-300, -240]),
    ("GMT +0100 (Standard) / GMT +0200 (Daylight)", [60, 120]),
    ("GMT +0530 (Standard) / GMT +0530 (Daylight)", [330, 330]),
    ("UTC+02:00", [120, 120]), ("GMT-0330", [-210, -210]), ("+05:30", [330, 330]), ("UTC-3", [-180, -180]),
  ])
  func theZoneIsFound(name: String, minutes: [Int]) {
    #expect(offsets(name) == minutes)
  }

  @Test(arguments: [
    "", " ", "Middle Earth", "tzone://Microsoft/Custom", "Customized Time Zone", "Europe/Atlantis", "12:00",
    "+25:00", "UTC+", "GMT -0500 (Standard) / GMT +0700 (Daylight)", "/", "../../etc/passwd",
    String(repeating: "a/", count: 1000),
  ])
  func otherTextIsNoZone(name: String) { #expect(ZoneClock(named: name) == nil) }

  /// Each line of the table is an existing zone, and each name stands for one zone.
  @Test func everyNameOfTheTableIsAZone() throws {
    let table = try Project.text("Resources/tables/windows-zones.txt")
    var zones: [String: String] = [:]
    for line in table.split(separator: "\n") {
      let names = line.split(separator: "\t").map(String.init)
      try #require(names.count >= 2)
      for name in names.dropFirst() {
        #expect(zones.updateValue(names[0], forKey: name) == nil, "\(name) is there twice")
        #expect(offsets(name) == offsets(names[0]) && offsets(name) != nil, "\(name)")
      }
    }
    #expect(zones.count > 250)
  }
}
