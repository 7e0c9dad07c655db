import Foundation
import TerminalHarness
import Testing

/// The settings file while the inbox runs.
@Suite struct LiveSettingsTests {
  private static let source = "[[source]]\nname = \"lab\"\nkind = \"local\"\n"

  private func household(_ lines: String = "") throws -> Household {
    let household = try Household()
    try household.write(household.settingsFile, lines + Self.source)
    return household
  }

  @Test func filesWithoutASlashInTheirNamesAreWatched() throws {
    let household = try Household()
    try household.write("a.toml", Self.source)
    let terminal = try PseudoTerminal(columns: 120, rows: 24)
    let program = BuiltProduct.path("reddot")
    try terminal.start(
      "/bin/sh", ["-c", "cd \"$HOME\" && exec '\(program)' --config a.toml --database b.sqlite"],
      environment: household.environment)
    try terminal.wait(forText: "lab")
    try household.write("a.toml", Self.source + "[[source]]\nname = \"yard\"\nkind = \"local\"\n")
    try terminal.wait(forText: "yard")
    // Another process writes to the same database.
    let pushed = try household.run(
      "push", "A parcel", "--config", "\(household.home)/a.toml", "--database", "\(household.home)/b.sqlite")
    #expect(pushed.exit == .status(0), "\(pushed.errors)")
    try terminal.wait(forText: "A parcel")
    try household.write("a.toml", Self.source + "interval = \"7 apples\"\n")
    try terminal.wait(forText: "a.toml:4: interval")
    try household.write("a.toml", Self.source)
    try terminal.wait(for: "no mistake") { !$0.screen.text.contains("a.toml") }
    try terminal.leave()
  }

  @Test func theMouseSourcesAndSchedulesFollowTheSettings() throws {
    let household = try household()
    let terminal = try household.inbox(columns: 160)
    try terminal.wait(forText: "lab")
    #expect(terminal.screen.modes.contains(1000))
    try household.write(household.settingsFile, "mouse = false\n" + Self.source)
    try terminal.wait(for: "no mouse") { !$0.screen.modes.contains(1000) }
    try household.write(household.settingsFile, "mouse = true\n" + Self.source)
    try terminal.wait(for: "the mouse") { $0.screen.modes.contains(1000) }
    // If the file is removed, the settings stay.
    unlink(household.settingsFile)
    try terminal.wait(forText: "config.toml is not there any more")
    #expect(terminal.screen.text.contains("lab"))
    try household.write(
      household.settingsFile, Self.source + "[[source]]\nname = \"yard\"\nkind = \"local\"\n")
    try terminal.wait(for: "the new source") {
      $0.screen.text.contains("yard") && !$0.screen.text.contains("not there any more")
    }
    // Settings that wait for the next start are named.
    try household.write(household.settingsFile, "[poll]\ninitial_delay = \"5s\"\n" + Self.source)
    try terminal.wait(forText: "Takes effect at the next start: initial_delay")
    // A schedule that is added meanwhile is watched.
    let plan = try household.write("plan.json", "[]")
    try household.write(
      household.settingsFile,
      Self.source + "[[source]]\nname = \"plan\"\nkind = \"schedule\"\nurl = \"\(plan)\"\n")
    try terminal.wait(forText: "plan")
    try household.write(
      "plan.json",
      #"[{"id": 1, "type": 2, "data": {"start": "2020/01/01 09:00", "interval": "second", "translations": {"default": {"title": "Water the plants", "msg": "Now."}}}}]"#
    )
    try terminal.wait(forText: "Water the plants")
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(!terminal.screen.modes.contains(1000))
  }
}
