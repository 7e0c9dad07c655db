import Foundation
import TerminalHarness
import Testing

/// The first steps of somebody who has nothing yet.
@Suite struct FirstHoursTests {
  @Test func emptyListsSayWhatToDo() throws {
    let household = try Household()
    for command in ["list", "sources"] {
      let ran = try household.run(command)
      #expect(ran.exit == .status(0) && ran.output == "")
      #expect(
        ran.errors.contains("reddot add ADDRESS") && ran.errors.contains("reddot demo"), "\(ran.errors)")
    }
    let feed = try household.write("team.xml", rss("Team", [item(1, "First")]))
    try household.settings(sources: [("team", "file://\(feed)", "")])
    #expect(try household.run("list").errors.contains("nothing was polled yet: reddot poll"))
    #expect(try household.run("sources").errors == "")
    #expect(try household.run("poll", "--all").exit == .status(0))
    try household.run("list", "--search", "nothing").expect("")
  }

  @Test func anOPMLFileIsImportedByOneKey() throws {
    let household = try Household()
    let feed = try household.write("team.xml", rss("Team", [item(1, "First")]))
    try household.write(
      "feeds.opml",
      "<opml version=\"2.0\"><body><outline type=\"rss\" text=\"Team\" xmlUrl=\"file://\(feed)\"/></body></opml>"
    )
    let terminal = try household.inbox(columns: 110)
    try terminal.wait(forText: "Welcome to reddot")
    terminal.send("I")
    try terminal.wait(forText: "Address: ~/")
    terminal.send("feeds.opml\r")
    try terminal.wait(forText: "First")
    try terminal.leave()
  }

  @Test func theDemoIsOneKeyAwayAndComesBack() throws {
    let household = try Household()
    let terminal = try household.inbox(columns: 110, rows: 30)
    try terminal.wait(forText: "Welcome to reddot")
    terminal.send("T")
    try terminal.wait(forText: "demo: 10 min are 10 s")
    terminal.send("q")
    try terminal.wait(forText: "Welcome to reddot")
    try terminal.leave()
    #expect(!FileManager.default.fileExists(atPath: household.settingsFile))
  }

  @Test func theAddressIsInTheFormAndCanBeAnother() throws {
    let household = try Household()
    let first = try household.write("first.xml", rss("Team", [item(1, "First")]))
    let second = try household.write("second.xml", rss("Team", [item(1, "First"), item(2, "Second")]))
    try household.settings(sources: [("team", "file://\(first)", "")])
    let terminal = try household.inbox(columns: 110)
    try terminal.wait(forText: "First")
    terminal.send("e")
    try terminal.wait(forText: "Address")
    terminal.send("\t\t\u{15}file://\(second)\r")
    try terminal.wait(for: "the form to close") { !$0.screen.text.contains("Interval") }
    terminal.send("r")
    try terminal.wait(forText: "Second")
    try terminal.leave()
    #expect(try household.text(of: household.settingsFile).contains("url = \"file://\(second)\""))
    #expect(try household.messages().count == 2)
  }

  @Test func anAddressWithoutASchemeIsAskedWithHTTPS() throws {
    let household = try Household()
    // Nothing listens there; what was asked is in the answer.
    let ran = try household.run("add", "127.0.0.1:1/feed")
    #expect(ran.exit == .status(1))
    #expect(ran.errors.contains("https://127.0.0.1:1/feed: "), "\(ran.errors)")
    // Unchecked, a server of this network is one without a certificate, and any other one has it.
    for (typed, url) in [
      ("localhost:1/feed", "http://localhost:1/feed"), ("192.168.1.5:8080", "http://192.168.1.5:8080"),
      ("nas.local/feed", "http://nas.local/feed"), ("https://localhost:2/feed", "https://localhost:2/feed"),
      ("127.example/feed", "https://127.example/feed"),
    ] {
      #expect(try household.run("add", typed, "--force").exit == .status(0))
      #expect(try household.text(of: household.settingsFile).contains("url = \"\(url)\""), "\(typed)")
    }
    let near = try household.run("add", "githib")
    #expect(near.errors.contains("did you mean github?"), "\(near.errors)")
  }
}
