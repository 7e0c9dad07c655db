import Foundation
import Storage
import TerminalHarness
import Testing

/// Banners with features, versions, other languages, pictures, and a lost network.
@Suite(.serialized) struct BannerEnvironmentTests {
  private func publisher(_ conditions: String = "{}") throws -> Publisher {
    let publisher = try Publisher()
    publisher.control(
      publisher.banner("news", conditions: conditions), publisher.banner("other", views: ["other"]))
    publisher.view("<p>The first one</p><button onclick=\"close()\">Away</button>")
    publisher.view("<p>The other one</p>", as: "other")
    return publisher
  }

  @Test func aFeatureThatANotificationEnabledLetsABannerCome() throws {
    let publisher = try publisher(#"{"all": {"featureEnabled": "lamps"}}"#)
    let household = try publisher.reader()
    try household.visit(until: "The other one")
    let feed = try household.write(
      "app.json", #"{"list": [{"id": 1, "type": "enable-feature", "data": {"feature": "lamps"}}]}"#)
    let settings = try household.text(of: household.settingsFile)
    try household.write(
      household.settingsFile,
      settings + "\n[[source]]\nname = \"app\"\nkind = \"native\"\nurl = \"\(feed)\"\n")
    #expect(try household.run("poll", "app").exit == .status(0))
    try household.visit(until: "The first one")
    try household.write(
      "app.json", #"{"list": [{"id": 2, "type": "disable-feature", "data": {"feature": "lamps"}}]}"#)
    #expect(try household.run("poll", "app", "--force").exit == .status(0))
    try household.visit(until: "The other one")
  }

  @Test func theAppsVersionIsTheSourcesOrWhatItsCommandPrints() throws {
    let publisher = try publisher(#"{"all": {"appVersionLessThan": "1.10"}}"#)
    let household = try publisher.reader()
    let settings = try household.text(of: household.settingsFile)
    for (line, text) in [
      ("app_version = \"1.9\"", "The first one"), ("app_version = \"1.10\"", "The other one"),
      ("app_version_command = \"echo 1.9\"", "The first one"),
      ("app_version_command = [\"echo\", \"1.11\"]", "The other one"),
      // reddot's own version is used, and is lower.
      ("app_version_command = \"exit 3\"", "The first one"),
    ] {
      try household.write(household.settingsFile, settings + "\n\(line)\n")
      try household.visit(until: text)
    }
  }

  @Test func offlineTheCopyOfAViewIsShown() throws {
    let publisher = try publisher()
    let household = try publisher.reader()
    try household.visit(until: "The first one")
    publisher.server.answer("/v.html") { _ in }
    try household.visit(until: "The first one")
    publisher.server.answer("/v.html", status: "500 Oops", text: "<p>Not this</p>")
    try household.visit(until: "The first one")
    #expect(publisher.server.requests("/v.html").count == 3)
  }

  @Test func aChangedLanguageAppliesToTheBannerToo() throws {
    let publisher = try publisher()
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "The first one")
    terminal.send("\t")
    try terminal.wait(forText: "esc close")
    let settings = try household.text(of: household.settingsFile)
    try household.write(household.settingsFile, "language = \"zh-Hans\"\n" + settings)
    try terminal.wait(for: "Chinese around it") {
      !$0.screen.text.contains("close") && $0.screen.text.contains("The first one")
        && $0.screen.text.contains("帮助")
    }
    // It is as it was: it has the keys, and its button is pressed.
    terminal.send("\r")
    try terminal.wait(forNoText: "The first one")
    try terminal.leave()
  }

  @Test func aMistakeInTheSettingsIsSaidAndTheBannerStays() throws {
    let publisher = try publisher()
    let household = try publisher.reader()
    let terminal = try household.inbox(columns: 160)
    try terminal.wait(forText: "The first one")
    let settings = try household.text(of: household.settingsFile)
    try household.write(household.settingsFile, "langauge = \"hi\"\n" + settings)
    try terminal.wait(forText: "langauge")
    #expect(terminal.screen.text.contains("The first one"))
    try household.write(household.settingsFile, settings)
    terminal.send("\t\r")
    try terminal.wait(forNoText: "The first one")
    try terminal.leave()
  }

  @Test func aPictureInAViewIsDrawnOrReplacedByItsText() throws {
    let publisher = try publisher()
    publisher.control(publisher.banner("news", height: 128))
    publisher.view("<p>Look:</p><img src=\"lamp.png\" alt=\"a lamp\"><img src=\"gone.png\" alt=\"a cloud\">")
    publisher.server.answer("/lamp.png", headers: ["Content-Type: image/png"], body: try PosterTests.png)
    let household = try publisher.reader()
    let isDrawn = FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa")
    for environment in isDrawn ? [[:], ["TERM": "xterm"]] : [["TERM": "xterm"]] {
      let terminal = try household.inbox(environment: environment)
      try terminal.wait(forText: "Look:")
      try terminal.wait(forText: "a cloud")
      if environment.isEmpty {
        try terminal.wait(for: "colours") { terminal in
          let places = (10..<22).flatMap { row in (0..<80).map { terminal.screen.place(column: $0, row: row) }
          }
          return Set(places.map(\.look.background)).count >= 3
        }
      } else {
        #expect(terminal.screen.text.contains("a lamp"))
      }
      try terminal.leave()
    }
    #expect(publisher.server.requests("/lamp.png").count == (isDrawn ? 1 : 0))
  }

  @Test func aFullViewCoversTheListUntilItIsClosed() throws {
    let publisher = try publisher()
    publisher.control(publisher.banner("news", height: nil))
    publisher.view(
      (1...100).map { "<p>Line \($0).</p>" }.joined() + "<button onclick=\"close()\">Away</button>")
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(for: "nothing but the view") {
      $0.screen.text.contains("Line 1.") && !$0.screen.text.contains("Newer")
    }
    terminal.send("\tG")
    try terminal.wait(forText: "Line 100.")
    terminal.send("\r")
    try terminal.wait(forText: "Newer")
    terminal.send("j")
    try terminal.wait(for: "the bar below") { $0.chosen.contains("Older") }
    try terminal.leave()
  }
}
