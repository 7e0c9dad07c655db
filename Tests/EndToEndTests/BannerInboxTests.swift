import Foundation
import Messages
import Storage
import TerminalHarness
import Testing

/// Banners in the inbox, from the publisher's server to the user's keys.
@Suite(.serialized) struct BannerInboxTests {
  private static let page = """
    <p>Version <b id="n">1</b> is out.</p>
    <p><button onclick="document.getElementById('n').textContent = '2'; ">More</button>
    <button onclick="display('full')">All</button> <button onclick="close()">Away</button>
    <button onclick="setFlag('never', true); close()">Never</button></p>
    """

  private func publisher() throws -> Publisher {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news", views: ["v", "full"]))
    publisher.view(Self.page)
    publisher.view(
      "<h1>The whole story</h1><p><button onclick=\"display('v')\">Back</button></p>", as: "full")
    return publisher
  }

  @Test func tabFocusesEnterPressesAndTheScriptChangesTheText() throws {
    let publisher = try publisher()
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Version 1 is out.")
    terminal.send("\t")
    try terminal.wait(forText: "press")
    terminal.send("\r")
    try terminal.wait(forText: "Version 2 is out.")
    // After the last control the list has the keys again.
    terminal.send("\t\t\t\t")
    try terminal.wait(forNoText: "press")
    terminal.send("u")
    terminal.send("/Old")
    try terminal.wait(forNoText: "Newer")
    #expect(terminal.screen.text.contains("Version 2 is out."))
  }

  @Test func displayOpensTheFullScreenAndEscClosesTheBanner() throws {
    let publisher = try publisher()
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Version 1 is out.")
    let before = try household.memory(of: "news")
    #expect(before?.isDisplayed == true && before?.launches == 0)
    terminal.send("\t\t\r")
    try terminal.wait(for: "the full view over the list") {
      $0.screen.text.contains("The whole story") && !$0.screen.text.contains("Newer")
    }
    terminal.send("\r")
    try terminal.wait(for: "the small view beside the list") {
      $0.screen.text.contains("Version 1 is out.") && $0.screen.text.contains("Newer")
    }
    terminal.send("\u{1B}")
    try terminal.wait(forNoText: "Version 1 is out.")
    terminal.send("j")
    try terminal.wait(for: "the list's keys") { $0.chosen.contains("Older") }
    try terminal.leave()
    // Another view of the same banner isn't a display.
    #expect(try household.memory(of: "news") == before)
  }

  @Test func aFlagKeepsABannerAwayForGood() throws {
    let publisher = try publisher()
    publisher.control(
      publisher.banner("news", conditions: #"{"all": {"flagNotSet": "never"}}"#),
      publisher.banner("other", views: ["other"]))
    publisher.view("<p>The other one</p>", as: "other")
    let household = try publisher.reader()
    try household.visit(until: "Version 1 is out.")
    let terminal = try household.inbox()
    try terminal.wait(forText: "Version 1 is out.")
    terminal.send("\t\t\t\t\r")
    try terminal.wait(forNoText: "Version 1 is out.")
    try terminal.leave()
    #expect(try household.memory(of: "news")?.flags == ["never": true])
    for _ in 0..<2 { try household.visit(until: "The other one") }
    try household.run("banner", "reset", "news").expect("forgot news of team\n")
    try household.visit(until: "Version 1 is out.")
  }

  @Test func killedBeforeItsHTMLCameABannerWasDisplayed() throws {
    let publisher = try publisher()
    publisher.control(
      publisher.banner("news", conditions: #"{"all": {"neverDisplayed": true}}"#),
      publisher.banner("other", views: ["other"]))
    publisher.view("<p>The other one</p>", as: "other")
    publisher.server.answer("/v.html") { $0.waitForClose() }
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(for: "the request of the view") { _ in
      !publisher.server.requests("/v.html").isEmpty
    }
    try terminal.wait(forText: "Loading")
    terminal.signal(SIGKILL)
    #expect(try terminal.waitForExit() == .signal(SIGKILL))
    #expect(try household.memory(of: "news")?.isDisplayed == true)
    publisher.view(Self.page)
    try household.visit(until: "The other one")
  }

  @Test func anAddressIsShownAndOpenedAsOneArgumentOnlyAfterEnter() throws {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news"))
    let address = "https://x.example/?q=$(touch+pwned);a&b='c'"
    publisher.view(
      """
      <p><button id="go">Go</button> <span id="state"></span></p>
      <script>document.getElementById('go').onclick = function () { openUrl("\(address)"); };
      document.getElementById('state').textContent = 'is ready';</script>
      """)
    let household = try publisher.reader()
    // Instead of the browser, it records its arguments, one in each line.
    let record = "\(household.home)/opened"
    let command = try household.write(
      "browser",
      "#!/bin/sh\n{ echo \"$#\"; printf '%s\\n' \"$@\"; } > '\(record).part'\nmv '\(record).part' '\(record)'\n"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: command)
    try household.write(
      household.settingsFile,
      "open_command = [\"\(command)\", \"--new\"]\n" + household.text(of: household.settingsFile))
    let terminal = try household.inbox(columns: 120)
    try terminal.wait(forText: "is ready")
    terminal.send("\t\r")
    try terminal.wait(forText: "Open \(address)?")
    #expect(!FileManager.default.fileExists(atPath: record))
    // Esc refuses it, and the banner stays.
    terminal.send("\u{1B}")
    try terminal.wait(forNoText: "Open https")
    terminal.send("\r")
    try terminal.wait(forText: "Open \(address)?")
    #expect(!FileManager.default.fileExists(atPath: record))
    terminal.send("\r")
    try terminal.wait(for: "the browser") { _ in FileManager.default.fileExists(atPath: record) }
    #expect(try household.text(of: record) == "2\n--new\n\(address)\n")
    // The selection in the list does not matter.
    #expect(terminal.screen.text.contains("2 unread"))
    terminal.send("q")
    try terminal.wait(forNoText: "is ready")
    try terminal.leave()
    #expect(try household.messages("--unread").count == 2)
  }

  @Test func graceAndCronKeepNoOpeningFromAsking() throws {
    let publisher = try Publisher()
    publisher.view("<p>Hello there.</p>")
    let control = "{\(publisher.banner("news"))}"
    publisher.server.answer("/control.json") { connection in
      connection.respond("200 OK", ["ETag: \"1\""], Data(control.utf8))
    }
    // The default grace period applies, so none of these polls would be repeated for three minutes.
    let household = try Household()
    try household.settings(
      "animations = false\n[poll]\ninitial_delay = \"10ms\"",
      sources: [("team", publisher.server.url("/control.json"), "kind = \"banners\"")])
    try household.visit(until: "Hello there.")
    #expect(try household.run("poll", "--all").output.contains("Held back"))
    #expect(try household.run("poll", "--force").exit == .status(0))
    publisher.server.answer("/control.json") { connection in
      connection.respond("304 Not Modified", ["ETag: \"1\""], Data())
    }
    try household.visit(until: "Hello there.")
    try household.visit(until: "Hello there.")
    let requests = publisher.server.requests("/control.json")
    #expect(requests.map { $0.headers["if-none-match"] } == [nil, nil, "\"1\"", "\"1\""])
  }

  @Test func aChangedLanguageAppliesToTheBannerToo() throws {
    let publisher = try publisher()
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Version 1 is out.")
    terminal.send("\t")
    try terminal.wait(forText: "esc close")
    let settings = try household.text(of: household.settingsFile)
    try household.write(household.settingsFile, "language = \"zh-Hans\"\n" + settings)
    try terminal.wait(for: "Chinese around it") {
      !$0.screen.text.contains("close") && $0.screen.text.contains("Version 1 is out.")
        && $0.screen.text.contains("帮助")
    }
    // The banner has the keys again, and its first button can be pressed.
    terminal.send("\r")
    try terminal.wait(forText: "Version 2 is out.")
    terminal.send("\u{1B}")
    try terminal.wait(forNoText: "Version 2 is out.")
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
}
