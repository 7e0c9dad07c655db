import Foundation
import TerminalHarness
import Testing

/// Checking, inspecting and following schedule files.
@Suite struct ScheduleCommandTests {
  static let switching = #"""
    [{"id": 5, "type": 3, "data": {"start": "2026/11/20 09:00", "interval": "day", "feature": "lamps", "level": 2}},
     {"id": 6, "type": 3, "data": {"start": "2026/11/20 09:00", "actiontype": "disable-feature", "name": "heat"}},
     {"id": 7, "type": 3, "data": {"start": "2026/11/20 09:00", "translations": {"en": {"title": "T", "msg": "M"}}}},
     {"id": 8, "type": 2, "time": "10:00", "title": "Plain", "msg": "text"}]
    """#

  private let preview = [
    "--from", "2026-11-20T00:00:00Z", "--count", "1", "--zone", "UTC",
  ]

  @Test func whatIsNotDisplayedSaysSo() throws {
    let household = try Household()
    let file = try household.write("plan.json", Self.switching)
    try household.run(["schedule", "preview", file] + preview).expect(
      """
      times in GMT

      5
        not displayed: shows nothing, switches lamps on
        Fri 2026-11-20 09:00 +00:00  in 9 hours

      6
        not displayed: shows nothing, switches heat off
        Fri 2026-11-20 09:00 +00:00  in 9 hours

      T (7)
        not displayed: shows nothing, and its data names no feature
        Fri 2026-11-20 09:00 +00:00  in 9 hours

      Plain (8)
        Fri 2026-11-20 10:00 +00:00  in 10 hours

      """)
    let json = try household.run(["schedule", "preview", file, "--json"] + preview).output
    #expect(
      json.hasPrefix(
        #"{"entries":[{"id":5,"title":"","occurrences":["2026-11-20T09:00:00Z"],"error":null,"displayed":false,"features":["lamps"],"enabled":true},"#
      ))
    #expect(
      json.hasSuffix(
        #"{"id":8,"title":"Plain","occurrences":["2026-11-20T10:00:00Z"],"error":null}]}"# + "\n"))
    try household.run("schedule", "check", file).expect("\(file): 4 entries, no problems\n")
  }

  @Test func itsMomentSwitchesAndShowsNothing() throws {
    let household = try Household()
    // Every second from long ago: due at the second poll at any time.
    let file = try household.write(
      "plan.json",
      #"[{"id": 5, "type": "3", "data": {"start": "2020/01/01 00:00", "interval": "second", "feature": "lamps", "level": 2}}]"#
    )
    try household.settings(
      "[poll]\ninitial_delay = \"1ms\"\ngrace = \"1ms\"",
      sources: [(name: "plan", url: file, more: "kind = \"schedule\"")])
    try eventually("the second to come") {
      _ = try household.run("poll", "--force")
      return try household.run("features").output.hasPrefix("on   lamps  plan 5  ")
    }
    try household.run("list").expect("")
    #expect(
      try household.run("features").output.hasSuffix("  without end  {\"feature\":\"lamps\",\"level\":2}\n"))
  }

  @Test func aContradictionIsReportedWithItsPath() throws {
    let household = try Household()
    let problem = "$.endRepeat: cannot be used with occurrence: an entry has one end"
    let file = try household.write(
      "plan.json", #"{"time": "10:00", "repeat": "daily", "occurrence": 2, "endRepeat": {"days": 3}}"#)
    try household.run("schedule", "check", file).expect("\(file): \(problem)\n", status: 1)
    let inspected = try household.run("inspect", file)
    #expect(inspected.output.contains(problem), "\(inspected.output)")
  }

  @Test func inspectShowsWhatPreviewShows() throws {
    let household = try Household()
    let file = try household.write(
      "plan.json",
      #"[{"id": 1, "time": "10:00", "repeat": "daily", "title": "Tea", "msg": "m"}, {"id": 2, "time": "25:00"}]"#
    )
    let inspected = try household.run("inspect", file)
    #expect(inspected.exit == .status(0))
    let previewed = try household.run("schedule", "preview", file).output
    #expect(inspected.output.hasPrefix("format: schedule\n"))
    let lines = previewed.split(separator: "\n").dropFirst().filter { !$0.contains(" in ") }
    for line in lines { #expect(inspected.output.contains(line), "\(line)\n\(inspected.output)") }
    #expect(inspected.output.contains("problem: $[1].time: "))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(household.run("inspect", file, "--json").outputBytes))
        as? [String: Any])
    #expect(json["format"] as? String == "schedule")
    let entries = try #require(json["entries"] as? [[String: Any]])
    #expect(entries.map { $0["title"] as? String } == ["Tea", ""])
    #expect((entries.first?["occurrences"] as? [String])?.count == 5)
    #expect((json["problems"] as? [[String: String]])?.map { $0["at"] } == ["$[1].time"])
    // A file without valid entries is still a schedule file.
    let broken = try household.write("broken.json", #"[{"id": 2, "time": "25:00"}]"#)
    #expect(try household.run("inspect", broken).output.hasPrefix("format: schedule\n"))
  }
}
