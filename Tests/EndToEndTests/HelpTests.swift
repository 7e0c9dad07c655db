import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The manual: one Markdown page for each topic is the text of `reddot help`, of the man page, and of the
/// documentation.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HelpTests {
  /// Topic, Markdown page, man page.
  private static let topics = [
    ("commands", "Commands", "reddot.1"), ("config", "Settings", "reddot-config.5"),
    ("keys", "Keys", "reddot-keys.7"), ("query", "Queries", "reddot-query.7"),
    ("services", "Services", "reddot-services.7"), ("rules", "Rules", "reddot-rules.7"),
    ("formats", "Formats", "reddot-formats.7"),
    ("sync", "Synchronisation", "reddot-sync.7"), ("hub", "Hub", "reddot-hub.1"),
    ("first-day", "FirstDay", "reddot-first-day.7"),
    ("moving", "Moving", "reddot-moving.7"),
    ("phone", "Phone", "reddot-phone.7"),
    ("server", "Server", "reddot-server.7"),
    ("stored", "Stored", "reddot-stored.7"),
    ("privacy", "Privacy", "reddot-privacy.7"),
    ("troubleshooting", "Troubleshooting", "reddot-troubleshooting.7"),
    ("publisher", "Publisher", "reddot-publisher.7"),
  ]

  /// The headings of a Markdown page, as they are printed.
  private static func headings(of page: String) throws -> [String] {
    try Project.text("Sources/Programs/reddot/Documentation.docc/\(page).md").split(separator: "\n").filter {
      $0.hasPrefix("## ")
    }.map { $0.dropFirst(3).uppercased().replacing("`", with: "") }
  }

  @Test func theManPagesAreTheMarkdownPages() throws {
    let household = try Household()
    try household.run("manual", "--man", "\(household.home)/man").expect("")
    let version = try #require(
      household.run("--version").output.firstMatch(of: #/^reddot (\d+\.\d+\.\d+), commit /#)
    ).1
    for (topic, markdown, manual) in Self.topics {
      let section = String(manual.suffix(1))
      let page = try household.text(of: "\(household.home)/man/man\(section)/\(manual)")
      let name = manual.dropLast(2).uppercased().replacing("-", with: "\\-")
      #expect(page.contains("\n.TH \(name) \(section) \"\" \"reddot \(version)\"\n"), "\(topic)")
      for heading in try Self.headings(of: markdown) {
        #expect(page.contains("\n.SH \(heading.replacing("-", with: "\\-"))\n"), "\(topic): \(heading)")
      }
      // A comment without its backslash, which troff takes for a macro.
      #expect(!page.contains("\n.\""))
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: "\(household.home)/man")
    #expect(files.count { $0.contains("/") } == Self.topics.count)
  }

  @Test func withoutATopicTheTopicsAreListed() throws {
    let ran = try Household().run("help")
    #expect(ran.exit == .status(0))
    for (topic, _, _) in Self.topics { #expect(ran.output.contains("\n  \(topic) "), "\(topic)") }
    #expect(ran.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func aTopicIsAPageOf80Columns() throws {
    let household = try Household()
    for (topic, page, _) in Self.topics {
      let ran = try household.run("help", topic)
      #expect(ran.exit == .status(0))
      let lines = ran.output.split(separator: "\n", omittingEmptySubsequences: false)
      let long = lines.filter { line in
        line.unicodeScalars.count(where: { $0.properties.generalCategory != .nonspacingMark }) > 80
      }
      #expect(long == [], "\(topic)")
      for heading in try Self.headings(of: page) {
        #expect(lines.contains { $0 == heading }, "\(topic): \(heading)")
      }
    }
  }

  @Test func theNameOfAMergedPageShowsTheOneThatHasIt() throws {
    let household = try Household()
    for (earlier, page) in [
      ("bars", "commands"), ("two-machines", "sync"), ("postgresql", "sync"), ("team", "hub"),
    ] {
      let (ran, expected) = (try household.run("help", earlier), try household.run("help", page))
      #expect(ran.exit == .status(0) && ran.output == expected.output, "\(earlier)")
    }
  }

  @Test func aCommandsHelpIsThatOfTheCommand() throws {
    let household = try Household()
    #expect(try household.run("help", "push").output == household.run("push", "--help").output)
    #expect(
      try household.run("help", "rules", "test").output == household.run("rules", "test", "--help").output)
  }

  /// `reddot help` with a topic, in a terminal of 80 columns.
  private func help(_ topic: String, rows: Int, pager: String) throws -> PseudoTerminal {
    let household = try Household()
    let terminal = try PseudoTerminal(columns: 80, rows: rows)
    try terminal.start(
      BuiltProduct.path("reddot"), ["help", topic],
      environment: household.environment.merging(["PAGER": pager]) { $1 }, keeping: household)
    return terminal
  }

  @Test func aPageLongerThanTheScreenIsForThePager() throws {
    let terminal = try help("keys", rows: 24, pager: "head -n 1; echo PAGED")
    try terminal.wait(forText: "PAGED")
    #expect(terminal.screen.text.contains("KEYS"))
    #expect(try terminal.waitForExit() == .status(0))
  }

  @Test func aPageThatFitsIsPrinted() throws {
    let terminal = try help("query", rows: 500, pager: "echo PAGED")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.text.contains("QUERIES") && !terminal.screen.text.contains("PAGED"))
  }

  @Test func aPagerThatIsMissingIsNamed() throws {
    let terminal = try help("keys", rows: 24, pager: "no-such-pager")
    try terminal.wait(forText: "set PAGER to another")
    #expect(try terminal.waitForExit() == .status(1))
  }
}
