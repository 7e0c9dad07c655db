import Foundation
import TerminalHarness
import Testing

/// Each time the inbox opens it requests the control file; and the question of a view stays after the view is closed.
@Suite(.serialized) struct BannerOpeningTests {
  /// With reddot's own grace: none of these polls would be made again for three minutes.
  private func household(_ publisher: Publisher) throws -> Household {
    let household = try Household()
    try household.settings(
      "animations = false\n[poll]\ninitial_delay = \"10ms\"",
      sources: [("team", publisher.server.url("/control.json"), "kind = \"banners\"")])
    return household
  }

  @Test func graceAndCronKeepNoOpeningFromAsking() throws {
    let publisher = try Publisher()
    publisher.view("<p>Hello there.</p>")
    let control = "{\(publisher.banner("news"))}"
    publisher.server.answer("/control.json") { connection in
      connection.respond("200 OK", ["ETag: \"1\""], Data(control.utf8))
    }
    let household = try household(publisher)
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

  @Test func aHostWithRetryAfterGetsNoRequest() throws {
    let publisher = try Publisher()
    publisher.server.answer("/control.json") { connection in
      connection.respond("503 Service Unavailable", ["Retry-After: 600"], Data())
    }
    let household = try household(publisher)
    #expect(try household.run("poll", "--all").exit == .status(1))
    let terminal = try household.inbox(columns: 120, arguments: [])
    terminal.send("p")
    try terminal.wait(forText: "asked to wait")
    try terminal.leave()
    #expect(publisher.server.requests("/control.json").count == 1)
  }

  @Test(arguments: [
    "close(); openUrl('https://a.example/get')", "openUrl('https://a.example/get'); close()",
  ])
  func theQuestionAboutAnAddressStaysAfterTheViewIsClosed(script: String) throws {
    let publisher = try Publisher()
    publisher.view("<p>Version 2 is out.</p><p><button onclick=\"\(script)\">Get it</button></p>")
    publisher.control(publisher.banner("news"))
    let household = try household(publisher)
    let record = "\(household.home)/opened"
    try household.settings(
      "animations = false\nopen_command = [\"/bin/sh\", \"-c\", \"echo $0 > '\(record)'\"]\n[poll]\ninitial_delay = \"10ms\"",
      sources: [("team", publisher.server.url("/control.json"), "kind = \"banners\"")])
    for answer in ["\u{1B}", "\r"] {
      let terminal = try household.inbox()
      try terminal.wait(forText: "Version 2 is out.")
      terminal.send("\t")
      try terminal.wait(forText: "press")
      terminal.send("\r")
      try terminal.wait(for: "the question alone") {
        $0.screen.text.contains("Open https://a.example/get?")
          && !$0.screen.text.contains("Version 2 is out.")
      }
      #expect(!FileManager.default.fileExists(atPath: record))
      terminal.send(answer)
      try terminal.wait(forNoText: "Open https://a.example/get?")
      if answer == "\r" {
        try terminal.wait(for: "the browser") { _ in FileManager.default.fileExists(atPath: record) }
      }
      try terminal.leave()
    }
    #expect(try household.text(of: record) == "https://a.example/get\n")
  }

  @Test func behindAViewThatCoversTheScreenNoKeyActsOnTheList() throws {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news", height: nil))
    publisher.view("<p>All of it.</p><p><button onclick=\"close()\">Away</button></p>")
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(for: "nothing but the view") {
      $0.screen.text.contains("All of it.") && !$0.screen.text.contains("Newer")
    }
    terminal.send("dsA")
    terminal.send("\u{1B}")
    try terminal.wait(forText: "Newer")
    try terminal.leave()
    let messages = try household.messages()
    #expect(messages.map { $0["title"] as? String } == ["Newer", "Older"])
    #expect(messages.map { $0["unread"] as? Bool } == [true, true])
    #expect(try household.messages("--starred").isEmpty)
  }
}
