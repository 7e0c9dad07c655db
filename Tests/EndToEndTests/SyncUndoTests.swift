import Foundation
import TerminalHarness
import TestBasics
import Testing

/// A source that one machine added and removed again, on both of them. It is the middle one of three sources.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SyncUndoTests {
  private let laptop: Household
  private let server: Household
  private let feeds: LyingServer

  init() throws {
    (laptop, server, feeds) = (try Household(), try Household(), try LyingServer())
    for (machine, name) in [(laptop, "laptop"), (server, "server")] {
      try machine.write(
        machine.settingsFile, "[sync]\nname = \"\(name)\"\n[poll]\ninitial_delay = \"1h\"\n")
    }
    for name in ["one", "two", "three"] {
      feeds.answer("/\(name)", text: rss(name.capitalized, [item(1, "First of \(name)", site: name)]))
    }
    #expect(try laptop.run("sync", "init", "\(laptop.home)/place").exit == .status(0))
    let key = try laptop.syncKey()
    #expect(try server.run("sync", "join", "\(laptop.home)/place", key).exit == .status(0))
  }

  private func add(_ name: String, on machine: Household) throws {
    let ran = try machine.run("add", feeds.url("/\(name)"))
    #expect(ran.exit == .status(0), "\(ran.errors)")
  }

  private func synchronise(_ machines: Household...) throws {
    for machine in machines { #expect(try machine.run("sync").exit == .status(0)) }
  }

  private func expect(_ names: [String], on machines: Household...) throws {
    for machine in machines {
      let sources = try machine.objects(["sources", "--json"]).compactMap { $0["name"] as? String }
      #expect(Set(sources) == Set(names) && sources.count == names.count, "\(sources)")
    }
  }

  /// One and Two by the laptop, Three by the server; both have all of them.
  private func addThree() throws {
    try add("one", on: laptop)
    try add("two", on: laptop)
    try synchronise(laptop, server)
    try add("three", on: server)
    try synchronise(server, laptop)
    try expect(["One", "Two", "Three"], on: laptop, server)
  }

  @Test func anAdditionIsTakenBackAndDoneAgainOnBoth() throws {
    try addThree()
    try laptop.run("undo").expect("Undid: added Two\n")
    try synchronise(laptop, server)
    try expect(["One", "Three"], on: laptop, server)
    try laptop.run("undo", "--redo").expect("Redid: added Two\n")
    try synchronise(laptop, server)
    try expect(["One", "Two", "Three"], on: laptop, server)
    // Only the other machine can undo its own changes.
    try server.run("undo").expect("Undid: added Three\n")
    try server.run("undo").expectFailure("nothing to undo")
  }

  @Test func theSameByTheKeysOfTheInbox() throws {
    try add("one", on: laptop)
    let terminal = try laptop.inbox(columns: 120, rows: 30)
    try terminal.wait(forText: "One")
    terminal.send("a\(feeds.url("/two"))\r")
    try terminal.wait(forText: "Added Two")
    // The inbox would send this change a moment later, and the following changes half a minute later. A command sends them now.
    try synchronise(laptop, server)
    try add("three", on: server)
    try synchronise(server)
    try terminal.wait(forText: "Three")
    try expect(["One", "Two", "Three"], on: laptop, server)
    terminal.send("U")
    try terminal.wait(forText: "Undid: added Two")
    try synchronise(laptop, server)
    try expect(["One", "Three"], on: laptop, server)
    terminal.send("\u{12}")
    try terminal.wait(forText: "Redid: added Two")
    try synchronise(laptop, server)
    try expect(["One", "Two", "Three"], on: laptop, server)
    try terminal.leave()
  }

  @Test func aNameThatTheOtherMachineGaveIsNotTakenBack() throws {
    try addThree()
    try server.run("rename", "Two", "Deux").expect("renamed Two to Deux\n")
    try synchronise(server, laptop)
    let refused = try laptop.run("undo")
    #expect(
      refused.exit == .status(1) && refused.errors.contains("\"added Two\" is not undone: ")
        && refused.errors.contains("was edited there since; nothing was changed"), "\(refused.errors)")
    try synchronise(laptop, server)
    try expect(["One", "Deux", "Three"], on: laptop, server)
    // The acts before it can be undone.
    try laptop.run("undo").expect("Undid: added One\n")
    try synchronise(laptop, server)
    try expect(["Deux", "Three"], on: laptop, server)
  }

  /// Neither machine knows the other's act. The source is removed on both, and a redo restores it with the new name.
  @Test func anUndoAndARenamingAtTheSameTimeEndAlike() throws {
    try addThree()
    try server.run("rename", "Two", "Deux").expect("renamed Two to Deux\n")
    try laptop.run("undo").expect("Undid: added Two\n")
    try synchronise(laptop, server, laptop, server)
    try expect(["One", "Three"], on: laptop, server)
    try laptop.run("undo", "--redo").expect("Redid: added Two\n")
    try synchronise(laptop, server, laptop, server)
    try expect(["One", "Deux", "Three"], on: laptop, server)
  }
}
