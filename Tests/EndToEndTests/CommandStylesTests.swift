import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Colour and bold in the output of commands: on a terminal only.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct CommandStylesTests {
  /// Runs a command in a terminal, and returns its output with the line ends of a pipe.
  private func terminal(
    _ household: Household, _ arguments: [String], columns: Int = 80, _ more: [String: String] = [:]
  ) throws -> String {
    let terminal = try PseudoTerminal(columns: columns, rows: 500)
    try terminal.start(
      BuiltProduct.path("reddot"), arguments, environment: household.environment.merging(more) { $1 },
      keeping: household)
    #expect(try terminal.waitForExit() == .status(0), "\(arguments)")
    return String(decoding: terminal.bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  private func withoutStyles(_ text: String) -> String { text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }

  private static let commands = [
    ["list"], ["search", "is:unread"], ["show", "4"], ["why", "team"], ["why", "4"], ["sources"], ["status"],
    ["help"], ["help", "publisher"], ["--help"], ["help", "list"], ["rules", "test", "is:unread"],
    ["check"], ["remind", "--list"],
  ]

  @Test(arguments: commands) func stylesAreForTerminalsThatWantThem(_ command: [String]) throws {
    let household = try householdWithTwoSources()
    #expect(try household.run("mark", "--star", "2").exit == .status(0))
    #expect(try household.run("remind", "2099-12-24 18:00", "Candles").exit == .status(0))
    let styled = try terminal(household, command)
    #expect(styled.contains("\u{1B}["), "\(command)")
    #expect(PlainText.problems(Array(withoutStyles(styled).utf8)) == [])
    let plain = try terminal(household, command, ["NO_COLOR": "1"])
    #expect(!plain.contains("\u{1B}"), "\(command)")
    #expect(try terminal(household, command, ["TERM": "dumb"]) == plain)
    // An empty variable is none.
    #expect(try terminal(household, command, ["NO_COLOR": ""]) == styled)
    #expect(
      withoutStyles(styled).filter { $0 != " " } == plain.filter { $0 != " " }, "\(command)")
    // A list is cut to the width of the terminal.
    let isList = ["list", "search"].contains(command[0])
    if !isList { #expect(try household.run(command).output == plain, "\(command)") }
  }

  @Test func theDotIsRed() throws {
    let household = try householdWithTwoSources()
    let dot = "\u{1B}[1;31m●\u{1B}[0m"
    #expect(try terminal(household, ["status"]) == "\(dot)\u{1B}[1m 5\u{1B}[0m\n")
    try household.run("status").expect("● 5\n")
    let sources = try terminal(household, ["sources"]).split(separator: "\n")
    #expect(sources.count == 2 && sources.allSatisfy { $0.hasPrefix("\(dot) \u{1B}[1m") })
    try household.run("mark", "--read", "3").expect("")
    try household.run("mark", "--star", "2").expect("")
    let list = try terminal(household, ["list"]).split(separator: "\n")
    func line(_ id: Int, _ time: String, _ signs: String, _ source: String, _ title: String) -> String {
      "\u{1B}[2m     \(id) \u{1B}[0m\(signs)\u{1B}[2m 2026-11-20 \(time)  \u{1B}[0m\u{1B}[36m\(source)\u{1B}[0m  "
        + title
    }
    #expect(
      list
        == [
          line(5, "12:00", "\(dot) ", "board", "\u{1B}[1mLunch\u{1B}[0m"),
          line(4, "09:00", "\(dot) ", "board", "\u{1B}[1mRelease 2.0\u{1B}[0m"),
          line(3, "00:03", "  ", "team ", "Coffee & cake"),
          line(2, "00:02", "\(dot)\u{1B}[33m★\u{1B}[0m", "team ", "\u{1B}[1mSecond\u{1B}[0m"),
          line(1, "00:01", "\(dot) ", "team ", "\u{1B}[1mFirst\u{1B}[0m"),
        ].map { Substring($0) })
  }

  @Test func theThemeOfTheSettingsHolds() throws {
    let household = try householdWithTwoSources()
    let settings = try household.text(of: household.settingsFile)
    try household.write(household.settingsFile, "theme = \"plain\"\n" + settings)
    #expect(try terminal(household, ["status"]) == "\u{1B}[1m●\u{1B}[0m\u{1B}[1m 5\u{1B}[0m\n")
    try household.write(household.settingsFile, "[theme]\ndot = \"#ff0000\"\n\n" + settings)
    #expect(try terminal(household, ["status"]).hasPrefix("\u{1B}[38;2;255;0;0m●\u{1B}[0m"))
  }

  @Test func noTextOfAMessageActsOnTheTerminal() throws {
    let household = try householdWithTwoSources()
    for (place, attack) in HostileText.attacks.enumerated() where !attack.contains("\0") {
      guard place.isMultiple(of: 6) else { continue }
      _ = try household.run(["push", "--source", "notes", "--body=\(attack)", "--", "t \(attack)"])
    }
    let ids = try household.messages("--source", "notes").compactMap { $0["id"] as? Int }
    #expect(ids.count > 10)
    for command in [["list"], ["search", "PWN"]] + ids.prefix(8).map({ ["show", "\($0)"] }) {
      let bytes = Array(withoutStyles(try terminal(household, command)).utf8)
      #expect(PlainText.problems(bytes) == [], "\(command)")
    }
  }

  @Test func aPageOfTheManualHasNoSignsOfMarkdown() throws {
    let household = try Household()
    for topic in ["query", "keys", "publisher", "commands"] {
      for page in [try household.run("help", topic).output, try terminal(household, ["help", topic])] {
        #expect(!page.contains("`") && !page.contains("](") && !page.contains("│"), "\(topic)")
        #expect(!page.contains("**"), "\(topic)")
      }
    }
    // The words are there, and what has a style is marked by it.
    #expect(try household.run("help", "query").output.contains("swift OR linux: with"))
    #expect(try terminal(household, ["help", "query"]).contains("\u{1B}[33mOR\u{1B}[0m"))
  }

  @Test func lessShowsTheStylesOfAPageAndAnotherPagerGetsPlainText() throws {
    let household = try Household()
    let less = try household.write("bin/less", "#!/bin/sh\ncat > ~/page; echo \"$LESS\" > ~/options\n")
    chmod(less, 0o755)
    for (pager, options) in [(less, "X"), ("cat > ~/page", "")] {
      let terminal = try PseudoTerminal(columns: 80, rows: 24)
      try terminal.start(
        BuiltProduct.path("reddot"), ["help", "keys"],
        environment: household.environment.merging(["PAGER": pager, "LESS": options]) { $1 },
        keeping: household)
      #expect(try terminal.waitForExit() == .status(0))
      #expect(try household.text(of: "\(household.home)/page").contains("\u{1B}[") == true)
    }
    #expect(try household.text(of: "\(household.home)/options") == "-R -X\n")
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    try terminal.start(
      BuiltProduct.path("reddot"), ["help", "keys"],
      environment: household.environment.merging(["PAGER": "tee ~/page"]) { $1 }, keeping: household)
    #expect(try terminal.waitForExit() == .status(0))
    #expect(try !household.text(of: "\(household.home)/page").contains("\u{1B}"))
  }
}
