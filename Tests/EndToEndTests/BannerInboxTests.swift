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

  @Test func aBannerComesWhenTheInboxOpensAndTakesNoKeysFromTheList() throws {
    let publisher = try publisher()
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Version 1 is out.")
    #expect(terminal.chosen.contains("Newer"))
    terminal.send("j")
    try terminal.wait(for: "the bar below") { $0.chosen.contains("Older") }
    terminal.send("k")
    try terminal.wait(for: "the bar above") { $0.chosen.contains("Newer") }
    terminal.send("s")
    try terminal.wait(forText: "★")
    #expect(terminal.screen.text.contains("Version 1 is out."))
    // Below the list, above the last line.
    #expect(try #require(terminal.row(of: "Version 1")) > (try #require(terminal.row(of: "Older"))))
    try terminal.leave()
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

  /// A view whose script asks and closes while it loads: the keys of someone who reads the list don't answer.
  @Test func keysOfTheListDoNotAnswerWhatAViewAsksByItself() throws {
    let publisher = try publisher()
    publisher.view("<p>Here</p><script>openUrl('https://a.example/get'); close()</script>")
    let household = try publisher.reader()
    let record = "\(household.home)/opened"
    try household.write(
      household.settingsFile,
      "open_command = [\"/bin/sh\", \"-c\", \"echo $0 > '\(record)'\"]\n"
        + household.text(of: household.settingsFile))
    let terminal = try household.inbox()
    try terminal.wait(forText: "Open https://a.example/get? o yes, esc no")
    terminal.send("\r")
    try terminal.wait(forNoText: "Open https://a.example/get?")
    terminal.send("h")
    try terminal.wait(for: "the list") { $0.chosen.contains("Newer") }
    try terminal.leave()
    let again = try household.inbox()
    try again.wait(forText: "Open https://a.example/get?")
    again.send("o")
    try again.wait(for: "the browser") { _ in FileManager.default.fileExists(atPath: record) }
    try again.leave()
    #expect(try household.text(of: record) == "https://a.example/get\n")
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

  @Test(arguments: [("500 Oops", "{}", "status 500"), ("200 OK", "{\n oops", "unreadable")])
  func withoutAControlFileThereIsNoBannerAndNoLaunch(
    _ status: String, _ body: String, said: String
  ) throws {
    let publisher = try publisher()
    func serve() {
      publisher.control(
        publisher.banner("news", conditions: #"{"all": {"lastDisplayMinimumLaunches": 1}}"#),
        publisher.banner("other", conditions: #"{"all": {"neverDisplayed": true}}"#, views: ["other"]))
    }
    serve()
    publisher.view("<p>The other one</p>", as: "other")
    let household = try publisher.reader()
    try household.visit(until: "The other one")
    #expect(try household.memory(of: "news")?.launches == 1)
    publisher.server.answer("/control.json", status: status, text: body)
    let terminal = try household.inbox(columns: 120, rows: 40)
    terminal.send("p")
    try terminal.wait(forText: said)
    terminal.send("pj")
    try terminal.wait(for: "the list's keys") { $0.chosen.contains("Older") }
    #expect(!terminal.screen.text.contains("Version 1"))
    try terminal.leave()
    #expect(publisher.server.requests("/v.html").isEmpty)
    #expect(try household.memory(of: "news")?.launches == 1)
    // After a failure it is polled again later, or now by force: it is shown at the second counted launch.
    serve()
    let last = try household.inbox()
    try last.wait(forText: "Newer")
    last.send("R")
    try last.wait(forText: "Version 1 is out.")
  }

  @Test func a304IsALaunchAndTheValidatorsGoBackAsTheyCame() throws {
    let publisher = try publisher()
    let etag = #"W/"odd é\""#
    publisher.control(
      publisher.banner("news", conditions: #"{"all": {"lastDisplayMinimumLaunches": 2}}"#),
      publisher.banner("other", views: ["other"]),
      headers: ["ETag: \(etag)", "Last-Modified: Fri, 20 Nov 2026 1:2:3 GMT"])
    publisher.view("<p>The other one</p>", as: "other")
    let household = try publisher.reader()
    try household.visit(until: "The other one")
    publisher.server.answer("/control.json", status: "304 Not Modified", text: "")
    try household.visit(until: "The other one")
    try household.visit(until: "Version 1 is out.")
    let request = try #require(publisher.server.requests("/control.json").last)
    #expect(request.headers["if-none-match"] == etag)
    #expect(request.headers["if-modified-since"] == "Fri, 20 Nov 2026 1:2:3 GMT")
    // Each start requested the control file once.
    #expect(publisher.server.requests("/control.json").count == 3)
  }
}
