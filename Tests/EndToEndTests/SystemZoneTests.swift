import Foundation
import TerminalHarness
import Testing

/// The system's time zone, which may change while the program runs.
@Suite struct SystemZoneTests {
  enum Kind: CaseIterable { case file, link }

  private let household: Household
  private let path: String

  init() throws {
    household = try Household()
    path = "\(household.home)/zone"
  }

  private var environment: [String: String] { ["TZ": ":\(path)"] }

  /// Puts another file, or link, in its place, as the system's tools do.
  private func setZone(_ name: String, _ kind: Kind) throws {
    let zone = "/usr/share/zoneinfo/\(name)"
    switch kind {
    case .file: try household.write(path, Data(contentsOf: URL(fileURLWithPath: zone)))
    case .link:
      try FileManager.default.createSymbolicLink(atPath: "\(path)-new", withDestinationPath: zone)
      try #require(rename("\(path)-new", path) == 0)
    }
  }

  private func time(in line: String) throws -> String {
    try String(#require(line.firstMatch(of: /\d?\d:\d\d/)).0)
  }

  @Test(arguments: Kind.allCases) func theInboxShowsTheNewZone(kind: Kind) throws {
    try setZone("Etc/UTC", kind)
    #expect(try household.run("push", "Now").exit == .status(0))
    let first = try time(in: household.run("list", environment: environment).output)
    let terminal = try household.inbox(environment: environment)
    try terminal.wait(forText: first)
    for zone in ["Asia/Kolkata", "Etc/UTC", "Asia/Tokyo", "America/St_Johns"] {
      try setZone(zone, kind)
      let now = try time(in: household.run("list", environment: environment).output)
      #expect((now == first) == (zone == "Etc/UTC"))
      try terminal.wait(forText: now)
    }
    // Typed times are also in the zone.
    terminal.send("Quntil 4:56\r")
    try terminal.wait(forText: "04:56")
    try terminal.leave()
  }

  @Test(arguments: Kind.allCases) func aTimeThatIsGivenIsInTheZone(kind: Kind) throws {
    try setZone("Asia/Tokyo", kind)
    let answer = try household.run("quiet", "until", "4:56", environment: environment)
    #expect(answer.exit == .status(0) && answer.output.contains("4:56"), "\(answer.output)\(answer.errors)")
  }

  /// Nine o'clock in summer, as the C library counts it: the list, schedules and reminders have one clock.
  @Test(arguments: [
    ("UTC-3", "06:00"), ("GMT+5", "14:00"), ("EST5EDT", "13:00"), ("JST-9", "00:00"),
    ("<+0530>-5:30", "03:30"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "07:00"), ("Etc/GMT+5", "14:00"), ("Europe/Berlin", "07:00"),
    (":file", "07:00"),
  ])
  func everyFormOfTheVariableMeansOneClock(zone: String, time: String) throws {
    try setZone("Europe/Berlin", .file)
    let environment = ["TZ": zone == ":file" ? ":\(path)" : zone]
    let title = #"{"en": {"title": "Tea", "text": "Tea"}}"#
    try household.write(
      "tea.json",
      #"[{"id": "tea", "type": 1, "data": {"start": "2027/07/01 09:00", "interval": "day", "translations": \#(title)}}]"#
    )
    let firing = try household.run(
      "schedule", "preview", "\(household.home)/tea.json", "--from", "2027-06-01T00:00:00Z", "--count", "1",
      "--json",
      environment: environment)
    #expect(firing.output.contains("\"2027-07-01T\(time):00Z\""), "\(firing.output)\(firing.errors)")
    let reminder = try household.run("remind", "2027-07-01 9:00", "Tea", environment: environment)
    #expect(reminder.output.contains("9:00"), "\(reminder.output)\(reminder.errors)")
  }

  @Test func aNameIsAZoneToo() throws {
    for zone in ["Asia/Tokyo", ":Asia/Tokyo", "EST5EDT", "XYZ-9:30"] {
      let answer = try household.run("quiet", "until", "4:56", environment: ["TZ": zone])
      #expect(answer.output.contains("4:56"), "\(zone): \(answer.output)\(answer.errors)")
    }
  }
}
