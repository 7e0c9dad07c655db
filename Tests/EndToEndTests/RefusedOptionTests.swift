import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Options that mean something, and those that do not.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct RefusedOptionTests {
  private let household: Household

  init() throws {
    household = try Household()
    try household.write("news.xml", rss("News", (1...3).map { item($0, "Message \($0)") }))
    try household.settings(
      sources: [
        ("news", "\(household.home)/news.xml", "folder = \"Dev\""),
        ("other", "\(household.home)/other.xml", "folder = \"Dev\""),
      ])
  }

  @Test(arguments: [
    (["add", "x.xml", "--title", "X"], "Unknown option '--title'"),
    (["add", "x.xml", "--interwal", "1h"], "Unknown option '--interwal'. Did you mean '--interval'?"),
    (["add", "x.xml", "y.xml"], "Unexpected argument 'y.xml'"),
    (["add", "x.xml", "--", "y"], "only a program has arguments: --kind command"),
    (["add", "https://h.example/f", "--server", "https://s.example"], "--server is for services"),
    (
      ["add", "--kind", "command", "--token-file", "t", "--", "df"],
      "--token-file has no meaning for --kind command"
    ),
    (
      ["add", "s.json", "--kind", "schedule", "--no-verify"], "--no-verify has no meaning for --kind schedule"
    ),
    (["add", "x", "--kind", "local"], "a source of kind local has no address"),
    (["add"], "give an address"),
    (
      ["push", "-host down"],
      "\"-host down\" begins with a dash and is not an option; write -- in front of it"
    ),
    (["push", "-x"], "write -- in front of it"), (["remind", "2h", "-tea"], "write -- in front of it"),
    (["list", "--limit", "some"], "'some' is invalid"), (["list", "--limit", "-1"], "dash"),
    (["list", "--unreed"], "Did you mean '--unread'?"),
    (
      ["help", "nonsense"],
      "\"nonsense\" is neither a page of the manual nor a command; reddot help lists the pages"
    ),
    (["help", "troubelshooting"], "did you mean troubleshooting?"), (["help", "pol"], "did you mean poll?"),
  ])
  func itIsRefusedWithAWay(_ words: [String], _ sentence: String) throws {
    let ran = try household.run(words)
    #expect(ran.exit == .status(64), "\(words): \(ran.output)\(ran.errors)")
    #expect(ran.errors.contains(sentence), "\(ran.errors)")
    #expect(ran.output.isEmpty)
    #expect(try household.messages().isEmpty)
  }

  @Test func whatBeginsWithADashIsStoredBehindDashes() throws {
    #expect(try household.run("push", "--", "-host down").exit == .status(0))
    #expect(try household.messages().map { $0["title"] as? String } == ["-host down"])
    for help in ["-h", "--help"] {
      #expect(try household.run("push", help).output.contains("USAGE: reddot push"))
    }
    #expect(try household.messages("--query", "-title:other").count == 1)
  }

  @Test(arguments: ["push", "list", "poll"]) func theFilesMayBeNamedInFrontOfTheCommand(_ command: String)
    throws
  {
    let settings = try household.write("other.toml", "")
    let database = "\(household.home)/other.sqlite"
    let more = command == "push" ? ["Here"] : []
    let files = ["--config", settings, "--database=\(database)"]
    let ran = try household.run(files + [command] + more)
    #expect(ran.exit == (command == "poll" ? .status(1) : .status(0)), "\(ran.errors)")
    #expect(!FileManager.default.fileExists(atPath: household.database))
    if command == "push" {
      #expect(try household.run(["rules"] + files + ["list"]).exit == .status(0))
      #expect(try household.messages("--database", database).count == 1)
    }
  }

  @Test func aFolderIsNoSource() throws {
    let ran = try household.run("remove", "Dev")
    #expect(ran.errors == "reddot: \"Dev\" is a folder; give one of its sources: \"news\", \"other\"\n")
    #expect(ran.exit == .status(1))
    #expect(try household.run("list", "--source", "Dev").exit == .status(0))
  }

  @Test func aPathInTheSettingsIsWhole() throws {
    try household.write("a b/token", "secret\n")
    let ran = try Running(
      "/bin/sh",
      [
        "-c",
        "cd '\(household.home)/a b' && '\(BuiltProduct.path("reddot"))' add https://h.example/f --force --token-file token --ca-file ca.pem",
      ],
      environment: household.environment, keeping: household
    ).waitForEnd()
    #expect(ran.exit == .status(0), "\(ran.errors)")
    let settings = try household.text(of: household.settingsFile)
    #expect(settings.contains("token_file = \"\(household.home)/a b/token\""))
    #expect(settings.contains("ca_file = \"\(household.home)/a b/ca.pem\""))
  }

  // MARK: - Lists

  @Test func aListIsWholeUnlessATerminalShowsIt() throws {
    try household.write("news.xml", rss("News", (1...120).map { item($0, "Message \($0)") }))
    #expect(try household.run("poll", "news").exit == .status(0))
    #expect(try household.run("list").output.split(separator: "\n").count == 120)
    #expect(try household.run("list", "--json").output.split(separator: "\n").count == 120)
    for all in ["all", "0"] {
      #expect(try household.run("list", "--limit", all).output.split(separator: "\n").count == 120)
    }
    let short = try household.run("list", "--limit", "7")
    #expect(short.output.split(separator: "\n").count == 7 && short.errors.isEmpty)
    let terminal = try PseudoTerminal(columns: 100, rows: 70)
    try terminal.start(
      BuiltProduct.path("reddot"), ["list"], environment: household.environment, keeping: household)
    try terminal.wait(forText: "reddot: 50 of 120; use --limit all to print all of them")
    #expect(!terminal.screen.text.contains("Message 70"))
  }

  // MARK: - Queries

  @Test(arguments: [
    ("kind:gihub", "did you mean github?"), ("-kind:gihub", "did you mean github?"),
    ("source:newz", "source:newz names no source; did you mean news?"), ("folder:Dec", "did you mean Dev?"),
    ("rule:nois", "did you mean noise?"), ("title:/a(?C)b/", "(?C is not known in a regular expression"),
    ("-title:/\\C/", "\\C is not known"),
  ])
  func aValueThatAFieldCannotHave(_ query: String, _ sentence: String) throws {
    let text = try household.text(of: household.settingsFile)
    try household.write(
      household.settingsFile, text + "\n[[rule]]\nname = \"noise\"\nwhen = \"source:news\"\ndo = [\"read\"]\n"
    )
    for words in [["list", "--query", query], ["rules", "test", "--", query]] {
      let ran = try household.run(words)
      #expect(ran.exit == .status(1) && ran.errors.contains(sentence), "\(words): \(ran.errors)")
    }
    // A pattern, and a known name, is no unknown name.
    for query in ["kind:f*", "source:news", "source:n*", "folder:dev", "title:/v\\d+/"] {
      #expect(try household.run("list", "--query", query).exit == .status(0), "\(query)")
    }
  }

  @Test func aRuleWithSuchAValueIsNamed() throws {
    let text = try household.text(of: household.settingsFile)
    try household.write(
      household.settingsFile,
      text + """

        [[rule]]
        name = "good"
        when = "source:news"
        do = ["read"]

        [[rule]]
        name = "no source"
        when = "source:newz"
        do = ["read"]

        [[rule]]
        name = "no kind"
        when = "kind:gihub"
        do = ["read"]

        [[rule]]
        name = "no pattern"
        when = "title:/a(?C)b/"
        do = ["read"]

        """)
    let ran = try household.run("rules")
    #expect(ran.exit == .status(1))
    #expect(ran.output.contains("source:newz names no source; did you mean news?"))
    #expect(ran.output.contains("no kind: does nothing, because of an error"))
    #expect(ran.output.contains("no pattern: does nothing, because of an error"))
    #expect(ran.errors.contains("did you mean github?"))
    #expect(ran.output.contains("good: source:news"))
  }

  // MARK: - Output

  @Test func sourcesStandInColumns() throws {
    try household.settings(
      sources: [
        ("news", "\(household.home)/news.xml", ""), ("中文新聞", "\(household.home)/b.xml", ""),
        ("日本", "\(household.home)/c.xml", ""),
      ])
    let lines = try household.run("sources").output.split(separator: "\n").map(String.init)
    let wide = Set("中文新聞日本")
    let places = lines.map { line in
      line.prefix { $0 != "/" }.reduce(0) { $0 + (wide.contains($1) ? 2 : 1) }
    }
    #expect(lines.count == 3 && Set(places).count == 1, "\(lines)")
  }
}
