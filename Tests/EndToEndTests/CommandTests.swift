import Foundation
import Storage
import TerminalHarness
import Testing

/// Every command with a real database and a real settings file, as in a script.
@Suite struct CommandTests {
  // MARK: - Sources and polls

  @Test func whatIsAddedIsPolledAndListed() throws {
    let household = try Household()
    let home = household.home
    try household.write("team.xml", rss("Team", [item(2, "Coffee &amp; cake"), item(1, "First")]))
    try household.write(
      "board.json", try native("Board", [["id": 7, "title": "Lunch", "time": "2026-11-20T12:00:00Z"]]))
    try household.run("add", "\(home)/team.xml").expect("added Team: file://\(home)/team.xml\n")
    try household.run("add", "\(home)/board.json", "--name", "board", "--interval", "1h")
      .expect("added board (Board): file://\(home)/board.json\n")
    #expect(
      try household.settingsBelowTheHead() == """
        [[source]]
        name = "Team"
        url = "file://\(home)/team.xml"

        [[source]]
        name = "board"
        kind = "native"
        url = "file://\(home)/board.json"
        interval = "1h"

        """)
    try household.run("poll", "--all").expect("2 sources: nothing new\n")
    let lines = try household.run("list").output.split(separator: "\n").map { $0.dropFirst(6) }
    #expect(
      lines == [
        " ●  2026-11-20 12:00  board  Lunch", " ●  2026-11-20 00:02  Team  Coffee & cake",
        " ●  2026-11-20 00:01  Team  First",
      ])
    let sources = try household.run("sources").output.timeless
    #expect(sources == "● Team   2/2  feed  polled TIME\n● board  1/1  native  polled TIME\n")
    let mode = try FileManager.default.attributesOfItem(atPath: household.database)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }

  @Test func addingKeepsTheRestOfTheSettings() throws {
    let household = try Household()
    let written = "# mine\nmouse = false # no mouse\n\n[poll]\ninterval = \"5m\""
    try household.write(household.settingsFile, written)
    let feed = try household.write("team.xml", rss("Team", [item(1, "First")]))
    #expect(try household.run("add", feed).exit == .status(0))
    let text = try household.text(of: household.settingsFile)
    #expect(text.hasPrefix(written))
    try household.run("add", feed).expectFailure("it is already followed, as \"Team\"")
    let other = try household.write("other.xml", rss("Team", [item(1, "First")]))
    try household.run("add", other, "--name", "Team")
      .expectFailure("\"Team\" is the name of another source; give another name with --name")
    #expect(try household.text(of: household.settingsFile) == text)
    // Without `--name`, the source gets a free name.
    try household.run("add", other).expect("added Team 2 (Team): file://\(other)\n")
  }

  @Test func otherDocumentsThanFeedsAreNotAdded() throws {
    let household = try Household()
    let page = try household.write(
      "page.html", "<!doctype html><html><head><title>Hi</title></head><body>Hi</body></html>")
    let ran = try household.run("add", page)
    #expect(ran.exit == .status(1))
    #expect(ran.output == "")
    #expect(ran.errors.contains("not a feed"))
    #expect(ran.errors.filter { $0 == "\n" }.count == 1)
    #expect(!FileManager.default.fileExists(atPath: household.settingsFile))
    try household.run("add", "gopher://x").expectFailure(
      "gopher://x is neither an http, https, http+unix or file address nor a path that begins with / or ~, nor a service"
    )
  }

  @Test func asSoonAsItWasPolledAServerIsLeftAloneUnlessForced() throws {
    let server = try LyingServer()
    server.answer("/app", text: #"{"list": []}"#)
    let household = try Household()
    try household.settings(
      "[poll]\ninitial_delay = \"1ms\"",
      sources: [(name: "app", url: server.url("/app"), more: "kind = \"native\"")])
    try household.run("poll", "--all").expect("app: Nothing new\n")
    let soft = try household.run("poll", "--all")
    #expect(soft.exit == .status(0))
    #expect(soft.output.timeless == "app: Held back until TIME: it has just been polled\n")
    try household.run("poll", "--force").expect("app: Nothing new\n")
    #expect(server.requests("/app").count == 2)
  }

  @Test func aFileIsLookedAtHoweverRecentlyItWas() throws {
    let household = try householdWithTwoSources()
    try household.run("poll", "--all").expect("2 sources: nothing new\n")
    try household.run("poll", "team", "--force").expect("team: Nothing new\n")
    try household.write("team.xml", rss("Team", [item(4, "Fourth"), item(1, "First, changed")]))
    try household.run("poll", "--force", "team").expect("team: 1 new\n  Fourth\n  1 changed\n")
    let json = try household.run("poll", "team", "--force", "--json").output
    #expect(
      json.timeless == """
        {"source":"team","result":"nothing_new","new":0,"changed":0,"back":0,"again":0,"joined":0,"copies":0,"repeated_ids":0,"until":null,"message":"Nothing new"}

        """)
    #expect(try household.run("show", "1").output.hasPrefix("First, changed\n"))
  }

  @Test func anUnknownSourceIsReportedWithTheExistingOnes() throws {
    let household = try householdWithTwoSources()
    let sentence = "no source named \"tea\"; sources: team, board"
    for command in [["poll", "tea"], ["why", "tea"], ["list", "--source", "tea"], ["remove", "tea"]] {
      try household.run(command).expectFailure(sentence)
    }
  }

  @Test func sourcesAreNamedByNameTitleOrFolderAndRenamed() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--star", "1").expect("")
    let before = try household.run("list", "--json", "--source", "team").output
    try household.run("rename", "TEAM", "work").expect("renamed team to work\n")
    #expect(
      try household.run("list", "--json", "--source", "Work").output
        == before.replacing(#""source":"team""#, with: #""source":"work""#))
    // The source is also found by its title, which is that of the feed.
    #expect(try household.run("list", "--json", "--source", "team").output.contains(#""source":"work""#))
    try household.run("rename", "work", "board").expectFailure(
      "a source named \"board\" already exists; choose another name, or rename that source first")
    #expect(try household.messages("--starred").count == 1)
    // A script's source is in no file.
    _ = try household.run("push", "Pushed")
    try household.run("rename", "local", "scripts").expect("renamed local to scripts\n")
    #expect(try household.messages("--source", "scripts").count == 1)
  }

  @Test func foldersOfAListOfFeedsComeAndGoAsTheyWere() throws {
    let household = try Household()
    let opml = """
      <opml version="2.0"><head><title>x</title></head><body>
      <outline text="News"><outline text="A/B"><outline type="rss" text="The one" xmlUrl="https://one.example/f" htmlUrl="https://one.example/"/></outline></outline>
      <outline type="rss" text="Two" xmlUrl="https://two.example/f"/>
      </body></opml>
      """
    try household.run(["import", "-"], input: opml).expect(
      "added The one\nadded Two\n2 added, 0 already followed\n")
    let exported = try household.run("export").output
    #expect(
      exported.contains(
        """
            <outline text="News" title="News">
              <outline text="A/B" title="A/B">
                <outline type="rss" text="The one" title="The one" xmlUrl="https://one.example/f" htmlUrl="https://one.example/"/>
              </outline>
            </outline>
            <outline type="rss" text="Two" title="Two" xmlUrl="https://two.example/f"/>

        """), "\(exported)")
    let other = try Household()
    _ = try other.run(["import", "-"], input: exported)
    #expect(try other.run("export").output == exported)
    let names = try other.run("names", "places").output
    #expect(names == "The one\nTwo\nNews\nNews/A\u{2215}B\n")
    #expect(try other.run("sources", "--json").output.contains("\"folder\":\"News/A\u{2215}B\""))
    let listed = try other.run("list", "--source", "news")
    #expect(listed.output.isEmpty && listed.errors.contains("run reddot poll"))
  }

  @Test func removingAndAddingBackLosesNothing() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--read", "1").expect("")
    try household.run("mark", "--star", "2").expect("")
    let before = try household.run("list", "--json", "--source", "team").output
    try household.run("remove", "team").expect("removed team\n")
    #expect(try household.messages().allSatisfy { $0["source"] as? String == "board" })
    try household.run("add", "\(household.home)/team.xml", "--name", "team")
      .expect("added team (Team): file://\(household.home)/team.xml\n")
    #expect(try household.run("list", "--json", "--source", "team").output == before)
    #expect(try household.messages("--starred").map { $0["id"] as? Int } == [2])
    // The poll state of the removed source was kept, so nothing is new.
    try household.run("poll", "team", "--force").expect("team: Nothing new\n")
  }

  // MARK: - Lists

  static let selections: [([String], [Int])] = [
    ([], [5, 4, 3, 2, 1]), (["--unread"], [5, 4, 2]), (["--starred"], [2]),
    (["--source", "team"], [3, 2, 1]), (["--source", "team", "--unread"], [2]), (["--search", "cake"], [3]),
    (["--search", "out"], [4]), (["--search", "ann"], [1]), (["--search", "nowhere"], []),
    (["--query", "is:unread source:team"], [2]), (["--query", "-source:team OR is:starred"], [5, 4, 2]),
    (["--query", "title:releas*", "--source", "board"], [4]), (["--query", "title:releas"], []),
    (["--query", ""], [5, 4, 3, 2, 1]), (["--limit", "2"], [5, 4]), (["--unread", "--limit", "1"], [5]),
  ]

  @Test func aListHasTheRequestedMessages() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--read", "1", "3").expect("")
    try household.run("mark", "--star", "2").expect("")
    for (arguments, ids) in Self.selections {
      let ran = try household.run(["list"] + arguments)
      let listed = ran.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
      #expect(listed == ids.map { "\($0)" }, "list \(arguments)")
      #expect(ran.exit == .status(0))
    }
    try household.run("list").expect(
      """
           5 ●  2026-11-20 12:00  board  Lunch
           4 ●  2026-11-20 09:00  board  Release 2.0
           3    2026-11-20 00:03  team  Coffee & cake
           2 ●★ 2026-11-20 00:02  team  Second
           1    2026-11-20 00:01  team  First

      """)
    let plain = try household.run(["list", "--source", "team"], environment: ["LC_ALL": "C"])
    #expect(plain.outputBytes.allSatisfy { $0 < 0x80 })
    #expect(plain.output.contains("2 *+ 2026-11-20 00:02  team  Second\n"))
  }

  @Test func aQueryWithAMistakeSaysWhatAndWhere() throws {
    let household = try householdWithTwoSources()
    let mistakes = [
      ("tittle:cake", "tittle is not a field; did you mean title?, at character 1"),
      ("cake (is:unred)", "is: has no value unred; did you mean unread?, at character 10"),
      ("cake (", "the parenthesis is not closed, at character 6"),
    ]
    for (query, reason) in mistakes {
      let ran = try household.run("list", "--query", query)
      #expect(ran.output.isEmpty && ran.exit == .status(1), "\(query)")
      #expect(ran.errors == "reddot: not a query: \(reason)\n")
    }
    #expect(try household.run("list", "--query", "a", "--search", "b").exit == .status(64))
  }

  @Test func whatIsOffTheListsIsFoundByItsName() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--dismiss", "3").expect("")
    #expect(try household.messages("--query", "cake").isEmpty)
    #expect(try household.messages("--query", "cake is:dismissed").map { $0["id"] as? Int } == [3])
    #expect(try household.messages("--query", "in:all").map { $0["id"] as? Int } == [5, 4, 3, 2, 1])
  }

  /// The keys and values that are stable for scripts, in their order.
  @Test func jsonHasEveryKeyInOrderAndNullForWhatIsNotThere() throws {
    let household = try householdWithTwoSources()
    try household.run("mark", "--read", "4").expect("")
    let ran = try household.run("list", "--json")
    let lines = ran.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 6)
    let received = #/"received":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z"/#
    #expect(lines.dropLast().allSatisfy { $0.contains(received) })
    #expect(
      lines[1].replacing(received, with: "\"received\":R")
        == #"{"id":4,"source":"board","remote_id":"17","kind":"native","title":"Release 2.0","body":"It is out.\nRead on.","html":null,"url":"https://board.example/17","author":"Bo","published":"2026-11-20T09:00:00Z","updated":null,"received":R,"priority":4,"tags":["a","b"],"channel":null,"language":null,"visible_from":null,"expires":null,"dismissable":true,"unread":false,"actions":[{"label":"Notes","url":"https://board.example/notes"}],"answers":null,"answer":null,"ending":null,"starred":false,"dismissed":false,"snoozed_until":null,"resolved":null,"folder":null,"also_from":[],"pane":null}"#
    )
    #expect(
      lines[2].replacing(received, with: "\"received\":R")
        == #"{"id":3,"source":"team","remote_id":"3","kind":"feed","title":"Coffee & cake","body":"At three.","html":"<p>At <b>three</b>.</p>","url":"https://team.example/3","author":null,"published":"2026-11-20T00:03:00Z","updated":null,"received":R,"priority":3,"tags":[],"channel":null,"language":null,"visible_from":null,"expires":null,"dismissable":true,"unread":true,"actions":[],"answers":null,"answer":null,"ending":null,"starred":false,"dismissed":false,"snoozed_until":null,"resolved":null,"folder":null,"also_from":[],"pane":null}"#
    )
    #expect(try household.run("show", "4", "--json").output == lines[1] + "\n")
  }

  @Test func showPrintsAMessageAsTheReaderDoes() throws {
    let household = try householdWithTwoSources()
    try household.run("show", "4").expect(
      """
      Release 2.0
      Board · Bo
      Friday 20 November 2026, 09:00
      https://board.example/17
      Tags: a, b

      It is out.
      Read on.

      ────────
      [1] Notes  https://board.example/notes

      """)
    try household.run("show", "99").expectFailure("message 99 does not exist; run reddot list to see the ids")
    // Printing a message does not mark it as read.
    #expect(try household.messages("--unread").count == 5)
  }

  // MARK: - Acts

  @Test func everyMarkIsTakenBackStepByStep() throws {
    let household = try householdWithTwoSources()
    let before = try household.run("list", "--json").output
    let acts: [[String]] = [
      ["--read", "1", "2"], ["--star", "3"], ["--dismiss", "4"], ["--unread", "1"], ["--unstar", "3"],
      ["--read", "--all", "--source", "board"], ["--read", "--all"],
    ]
    var states: [[String]] = []
    func state() throws -> [String] {
      try [
        household.run("list").output, household.run("list", "--starred").output,
        // Marking messages also counts as seeing them, so an undo restores the number, but not the dot.
        household.run("status").output.filter { $0.isNumber },
      ]
    }
    for act in acts {
      states.append(try state())
      try household.run(["mark"] + act).expect("")
    }
    #expect(try household.messages("--unread").isEmpty)
    let sentences = [
      "marked the whole list read", "marked the whole list read", "unstarred", "marked unread",
      "dismissed", "starred", "marked 2 messages read",
    ]
    for (sentence, state_) in zip(sentences, states.reversed()) {
      try household.run("undo").expect("Undid: \(sentence)\n")
      #expect(try state() == state_)
    }
    try household.run("undo").expectFailure("nothing to undo")
    #expect(try household.run("list", "--json").output == before)
    try household.run("mark", "--read", "1", "99").expectFailure(
      "message 99 does not exist; run reddot list to see the ids; nothing was marked")
    #expect(try household.run("list", "--json").output == before)
  }

  @Test func aScriptPushesAndUpdates() throws {
    let household = try Household()
    try household.run(
      ["push", "Backup done", "--body", "-", "--tag", "b", "--priority", "5"], input: "one\ntwo\n"
    )
    .expect("")
    try household.run("push", "Disk at 80 %", "--id", "disk", "--url", "https://disk.example/").expect("")
    #expect(
      try household.messages("--source", "local").map { $0["title"] as? String } == [
        "Disk at 80 %", "Backup done",
      ])
    let backup = try #require(try household.messages("--search", "backup").first)
    #expect(backup["body"] as? String == "one\ntwo")
    #expect(backup["priority"] as? Int == 5)
    #expect(backup["tags"] as? [String] == ["b"])
    #expect(backup["kind"] as? String == "local")
    try household.run("status").expect("● 2\n")
    try household.run("mark", "--read", "--all").expect("")
    try household.run("push", "Disk at 90 %", "--id", "disk").expect("")
    #expect(try household.messages().count == 2)
    let disk = try #require(try household.messages("--unread").first)
    #expect(disk["title"] as? String == "Disk at 90 %")
    #expect(disk["remote_id"] as? String == "disk")
    let json = try household.run("push", "Third", "--id", "3", "--json").output.timeless
    #expect(
      json.hasPrefix(#"{"id":3,"source":"local","remote_id":"3","kind":"local","title":"Third","body":"","#))
  }

  @Test func statusSaysInOneLineWhatAwaits() throws {
    let household = try Household()
    try household.run("status").expect("")
    try household.run("status", "--check").expect("")
    try household.run("push", "One").expect("")
    try household.run("push", "Two").expect("")
    try household.run("status").expect("● 2\n")
    try household.run("status", "--check").expect("● 2\n", status: 10)
    try household.run(["status"], environment: ["LC_ALL": "C"]).expect("* 2\n")
    // Opening the list turns the dot off; the messages stay unread.
    let inbox = try household.inbox()
    try inbox.wait(forText: "Two")
    inbox.send("j")
    inbox.send("q")
    #expect(try inbox.waitForExit() == .status(0))
    try household.run("status", "--check").expect("2\n")
    try household.run("mark", "--read", "--all").expect("")
    try household.run("status", "--check").expect("")
  }

  // MARK: - Why, inspect, OPML

  @Test func whyPrintsTheAttemptsAndTheNextPoll() throws {
    let household = try householdWithTwoSources()
    #expect(try household.run("poll", "team", "--force").exit == .status(0))
    let lines = try household.run("why", "team").output.timeless.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "next poll: TIME (the normal interval)")
    #expect(lines.dropFirst().first?.hasPrefix("TIME  at once  nothing new") == true)
    #expect(lines.last?.hasPrefix("TIME  refresh  3 new") == true)
    try FileManager.default.removeItem(atPath: "\(household.home)/team.xml")
    let gone = try household.run("poll", "team", "--force")
    gone.expectFailure("team: \(household.home)/team.xml cannot be read: No such file or directory.")
    let why = try household.run("why", "team").output
    #expect(
      why.timeless.hasPrefix(
        """
        next poll: TIME (the normal interval)
        TIME  at once  \(household.home)/team.xml cannot be read: No such file or directory.
        """))
    #expect(try household.messages("--source", "team").count == 3)
    #expect(try household.run("sources").output.contains("● team   3/3  feed  file unreadable\n"))
    let json = try household.run("why", "board", "--json").output.timeless
    #expect(
      json == """
        {"source":"board","next":"TIME","rule":"the normal interval","verify":true,"moved_to":null,"moved":null,"requests_left":null,"requests_limit":null,"requests_reset":null,"stream_failure":null,"stream_failed":null,"other_channels":{},"turns":null,"waiting_acts":0,"attempts":[{"start":"TIME","end":"TIME","trigger":"soft","result":"2 new","failure":null,"problems":[],"new":2,"changed":0,"again":0,"joined":0,"copies":0,"repeated_ids":0,"explanations":[]}]}

        """)
  }

  @Test func inspectSaysWhatWouldBeMadeOfAFile() throws {
    let household = try Household()
    let path = try household.write(
      "n.json",
      #"{"title": "T", "list": [{"id": 1, "title": "A"}, {"id": {}, "title": "bad"}, {"id": 3, "title": "C"}]}"#
    )
    for ran in [
      try household.run("inspect", path, "--json"),
      try household.run(["inspect", "-", "--json"], input: try household.text(of: path)),
    ] {
      #expect(ran.exit == .status(0))
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(ran.outputBytes)) as? [String: Any])
      #expect(
        ran.output.hasPrefix(
          #"{"format":"native","title":"T","link":null,"messages":[{"id":null,"source":null,"remote_id":"1","#
        ))
      let messages = try #require(object["messages"] as? [[String: Any]])
      #expect(messages.map { $0["title"] as? String } == ["A", "C"])
      #expect(
        messages.allSatisfy { $0["id"] is NSNull && $0["received"] is NSNull && $0["unread"] is NSNull })
      let problems = try #require(object["problems"] as? [[String: String]])
      #expect(problems.count == 1)
      #expect(problems.first?["at"]?.contains("list[1]") == true)
    }
    // Nothing was stored.
    #expect(!FileManager.default.fileExists(atPath: household.database))
    try household.run("inspect", "\(household.home)/none.xml").expectFailure(
      "\(household.home)/none.xml cannot be read: No such file or directory.")
  }

  @Test func subscriptionsGoOutAndComeBack() throws {
    let household = try householdWithTwoSources()
    let opml = try household.run("export").output
    #expect(opml.contains("xmlUrl=\"file://\(household.home)/team.xml\""))
    try household.run(["import", "-"], input: opml).expect("0 added, 1 already followed\n")
    let other = try Household()
    let path = try other.write("in.opml", opml)
    try other.run("import", path).expect("added Team\n1 added, 0 already followed\n")
    // The title came from a poll there and is not known here yet; the addresses are the same.
    #expect(try other.run("export").output == opml)
    let broken = try other.write("broken.opml", "<html><body>no</body></html>")
    let ran = try other.run("import", broken)
    #expect(ran.exit == .status(1))
    #expect(ran.errors.hasPrefix("reddot: \(broken) is "))
  }

  // MARK: - Usage

  @Test(arguments: [
    ["frobnicate"], ["list", "--limit", "-1"], ["list", "--colour"], ["mark", "1"], ["mark", "--read"],
    ["mark", "--star", "--all"], ["show"], ["show", "x"], ["push", " "], ["push", "x", "--priority", "6"],
    ["push", "x", "--url", "javascript:alert(1)"], ["add"],
    ["add", "https://x.example/", "--interval", "soon"],
    ["poll", "--no"],
  ])
  func wrongUsageIsRefusedBeforeAnythingHappens(_ arguments: [String]) throws {
    let household = try Household()
    let ran = try household.run(arguments)
    #expect(ran.exit == .status(64))
    #expect(ran.output == "")
    #expect(ran.errors.contains("Error: "))
    #expect(!FileManager.default.fileExists(atPath: household.database))
  }

  @Test func filesAreTakenFromItsOptions() throws {
    let household = try Household()
    let feed = try household.write("team.xml", rss("Team", [item(1, "First")]))
    let settings = try household.write("other.toml", "[[source]]\nname = \"news\"\nurl = \"\(feed)\"\n")
    let database = household.home + "/other.sqlite"
    try household.run("poll", "--config", settings, "--database", database).expect("news: 1 new\n  First\n")
    try household.run("status", "--database=\(database)", "--config=\(settings)").expect("● 1\n")
    try household.run("status").expect("")
  }

  @Test func withNothingConfiguredPollSaysWhatToDo() throws {
    try Household().run("poll", "--all").expectFailure("nothing to poll; add a source with reddot add URL")
  }
}
