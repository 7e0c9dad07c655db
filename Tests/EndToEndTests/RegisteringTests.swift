import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Several processes that start at the same time, each with the settings that it read: in any order, acknowledged
/// messages are in a list.
@Suite(.serialized, .timeLimit(.minutes(HangLimit.minutes))) struct RegisteringTests {
  @Test(arguments: [true, false]) func messagesPushedWhileOthersStartAreInTheList(isFirstStart: Bool) throws {
    for round in 1...5 {
      let household = try Household()
      try household.settings(sources: [(name: "team", url: "\(household.home)/team.xml", more: "")])
      try household.write("team.xml", rss("Team", [item(1, "First")]))
      if !isFirstStart { #expect(try household.run("poll", "--force").exit == .status(0)) }
      let commands = [
        ["push", "Done", "--source", "new"], ["status"], ["sources"], ["list"], ["poll", "--force"],
        ["status"],
      ]
      for running in try commands.map({ try household.start($0) }) {
        let ran = try running.waitForEnd()
        #expect(ran.exit == .status(0), "\(ran.errors)")
      }
      let titles = try household.messages().compactMap { $0["title"] as? String }
      #expect(titles.sorted() == ["Done", "First"], "round \(round)")
    }
  }

  @Test func whatIsAddedWhileOthersPollIsFollowed() throws {
    for round in 1...4 {
      let household = try Household()
      try household.settings(sources: [(name: "team", url: "\(household.home)/team.xml", more: "")])
      for name in ["team", "board"] {
        try household.write("\(name).xml", rss(name, [item(1, "Of \(name)", site: name)]))
      }
      let commands = [
        ["poll", "--force"], ["add", "\(household.home)/board.xml"], ["poll", "--force"], ["status"],
      ]
      for running in try commands.map({ try household.start($0) }) {
        let ran = try running.waitForEnd()
        #expect(ran.exit == .status(0), "\(ran.errors)")
      }
      #expect(try household.run("poll", "--force").exit == .status(0))
      let titles = try household.messages().compactMap { $0["title"] as? String }
      #expect(titles.sorted() == ["Of board", "Of team"], "round \(round)")
    }
  }

  @Test func commandsThatLookMakeNoDatabase() throws {
    let household = try Household()
    try household.settings(sources: [(name: "team", url: "\(household.home)/team.xml", more: "")])
    try household.run("status").expect("")
    let listed = try household.run("list")
    #expect(listed.output.isEmpty && listed.errors.contains("run reddot poll"))
    try household.run("sources").expect("  team  0/0  feed\n")
    let why = try household.run("why", "team")
    #expect(why.exit == .status(0) && why.output.contains("as soon as reddot runs"))
    #expect(!FileManager.default.fileExists(atPath: household.database))
  }

  // MARK: - Pushed again, and what cannot be dismissed

  @Test func whatCannotBeDismissedSaysSo() throws {
    let household = try Household()
    let item: [String: Any] = ["id": 1, "type": "non-cancellable", "actiondata": ["title": "Stays"]]
    try household.write("team.json", try native("Team", [item]))
    try household.settings(sources: [
      (name: "team", url: "\(household.home)/team.json", more: "kind = \"native\"")
    ])
    #expect(try household.run("poll", "--force").exit == .status(0))
    let message = try #require(try household.messages().first)
    #expect(message["dismissable"] as? Bool == false)
    try household.run("mark", "--dismiss", "1").expectFailure(
      "message 1 cannot be dismissed: its source wants it on the list until it expires; nothing was marked")
    try household.run("snooze", "1", "2h").expectFailure(
      "message 1 cannot be snoozed: its source wants it on the list until it expires")
    #expect(try household.messages().count == 1)
  }
}
