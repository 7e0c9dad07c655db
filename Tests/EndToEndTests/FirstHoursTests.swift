import Foundation
import TerminalHarness
import Testing

/// The first steps of a new user who has no data yet.
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
    #expect(try household.run("list").errors.contains("nothing was polled yet; run reddot poll"))
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

  @Test func whatIsOnThisMachineIsOfferedOnce() throws {
    let household = try Household()
    let feed = try household.write("a.xml", rss("Team", [item(1, "First"), item(2, "Second")]))
    try household.write(".newsboat/urls", "file://\(feed)\n")
    let environment = ["SHELL": "/bin/bash"]
    let terminal = try household.inbox(columns: 100, rows: 30, environment: environment)
    try terminal.wait(forText: "Found on this machine.")
    #expect(terminal.screen.text.contains("1 feed of newsboat"))
    terminal.send("j")
    // Right after the page was shown, a key takes nothing.
    try terminal.wait(for: "an offer that is taken") {
      if $0.screen.text.contains("Commands in bash that take long  added") { return true }
      $0.send("\r")
      return false
    }
    terminal.send("k\r")
    try terminal.wait(forText: "with what you have read  added")
    terminal.send("\u{1B}")
    try terminal.wait(forText: "Second")
    try terminal.leaveFromAnywhere()
    #expect(try household.text(of: "\(household.home)/.bashrc").contains("hooks bash"))
  }

  @Test func theNextStartOffersNothingMore() throws {
    let household = try Household()
    try household.write(".newsboat/urls", "https://a.example/feed\n")
    let first = try household.inbox(columns: 100)
    try first.wait(forText: "Found on this machine.")
    first.send("\u{1B}")
    try first.wait(forText: "Welcome to reddot")
    try first.leaveFromAnywhere()
    let second = try household.inbox(columns: 100)
    try second.wait(forText: "Welcome to reddot")
    second.send("?")
    try second.wait(forText: "Moving")
    #expect(!String(decoding: second.bytes, as: UTF8.self).contains("Found on this machine."))
    try second.leaveFromAnywhere()
  }

  @Test func theDemoIsOneKeyAwayAndComesBack() throws {
    let household = try Household()
    let terminal = try household.inbox(columns: 110, rows: 30)
    try terminal.wait(forText: "Welcome to reddot")
    terminal.send("T")
    try terminal.wait(forText: "Mina: can you look")
    terminal.send("q")
    try terminal.wait(forText: "Welcome to reddot")
    try terminal.leave()
    #expect(!FileManager.default.fileExists(atPath: household.settingsFile))
  }

  @Test func anAddressWithoutASchemeIsAskedWithHTTPS() throws {
    let household = try Household()
    // Nothing listens there; the address is in the response.
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
