import Foundation
import Messages
import Storage
import TerminalHarness
import Testing

/// Which banner of which control file is shown, and what its links and addresses may do.
@Suite(.serialized) struct BannerChoiceTests {
  @Test func ofTenBannersTheFirstThatHoldsComes() throws {
    let publisher = try Publisher()
    let banners = (1...10).map { number in
      publisher.banner(
        "b\(11 - number)",
        conditions: number < 7 ? #"{"all": {"appVersionLessThan": "0"}}"# : "{}", views: ["v\(number)"])
    }
    publisher.server.answer("/control.json", text: "{\(banners.joined(separator: ","))}")
    for number in 1...10 { publisher.view("<p>This is number \(number).</p>", as: "v\(number)") }
    let household = try publisher.reader()
    try household.visit(until: "This is number 7.")
    // As the publisher's own command says.
    let explained = try household.run("banner", "explain", publisher.server.url("/control.json"))
    #expect(explained.output.hasPrefix("shown: b4\n"))
    #expect(try household.memory(of: "b4")?.isDisplayed == true)
    #expect(try household.memory(of: "b1")?.isDisplayed == false)
    #expect(try household.memory(of: "b10")?.launches == 1)
    #expect(publisher.server.requests("/v8.html").isEmpty)
  }

  @Test func bannersOfOneNameAtTwoAddressesComeOneAfterTheOther() throws {
    let publisher = try Publisher()
    let conditions = #"{"all": {"neverDisplayed": true, "flagNotSet": "never"}}"#
    for name in ["one", "two"] {
      publisher.control(
        publisher.banner("same", conditions: conditions, views: [name]), at: "/\(name).json")
      publisher.view("<p>From \(name).</p><button onclick=\"setFlag('never', 1)\">Never</button>", as: name)
    }
    let household = try publisher.reader(paths: [("one", "/one.json"), ("two", "/two.json")])
    let terminal = try household.inbox()
    try terminal.wait(forText: "From ")
    let first = terminal.screen.text.contains("From one.") ? "one" : "two"
    let second = first == "one" ? "two" : "one"
    #expect(!terminal.screen.text.contains("From \(second)."))
    terminal.send("\t\r")
    try eventually("the flag in the database") {
      try household.memory(of: "same", source: first)?.flags == ["never": true]
    }
    terminal.send("\u{1B}")
    try terminal.wait(forText: "From \(second).")
    try terminal.leave()
    // Flags belong to one banner.
    #expect(try household.memory(of: "same", source: second)?.flags == [:])
    #expect(try household.memory(of: "same", source: second)?.isDisplayed == true)
  }

  @Test func aViewThatIsNotThereSaysSoAndTheListWorks() throws {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news", views: ["missing"]))
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "This view could not be loaded: The server answered 404")
    terminal.send("j")
    try terminal.wait(for: "the bar below") { $0.chosen.contains("Older") }
    terminal.send("\t\u{1B}")
    try terminal.wait(forNoText: "could not be loaded")
    try terminal.leave()
    #expect(try household.memory(of: "news")?.isDisplayed == true)
  }

  /// A program instead of the browser that records its arguments, one in each line.
  private func browser(_ household: Household) throws -> (command: String, record: String) {
    let record = "\(household.home)/opened"
    let script = try household.write(
      "browser",
      "#!/bin/sh\n{ echo \"$#\"; printf '%s\\n' \"$@\"; } > '\(record).part'\nmv '\(record).part' '\(record)'\n"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    return (script, record)
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
    let (command, record) = try browser(household)
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

  @Test func linksOfOtherKindsAreNotOffered() throws {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news", height: 160))
    publisher.view(
      """
      <p><a href="data:text/html,x">one</a> <a href="file:///etc/passwd">two</a> <a href="ftp://x.example/">three</a>
      <a href="vbscript:x">four</a> <a href="https://x.example/five">five</a> <a href="javascript:close()">six</a>
      <button onclick="openUrl('file:///etc/passwd')">seven</button>
      <button onclick="openUrl('javascript:close()')">eight</button></p>
      """)
    let household = try publisher.reader()
    let (command, record) = try browser(household)
    try household.write(
      household.settingsFile,
      "open_command = [\"\(command)\"]\n" + household.text(of: household.settingsFile))
    let terminal = try household.inbox(columns: 120)
    try terminal.wait(forText: "eight")
    // Of all these the first that can be pressed is the fifth.
    terminal.send("\t")
    try terminal.wait(forText: "https://x.example/five")
    terminal.send("\t\t\r")
    try terminal.wait(forText: "file:///etc/passwd")
    #expect(terminal.screen.text.contains("Only web and mail links are opened"))
    terminal.send("\t\r")
    try terminal.wait(forText: "not javascript:close()")
    #expect(terminal.screen.text.contains("eight"))
    // A script's link runs in the engine, as a button does.
    terminal.send("\u{1B}[D\u{1B}[D\r")
    try terminal.wait(forNoText: "eight")
    try terminal.leave()
    #expect(!FileManager.default.fileExists(atPath: record))
  }

  @Test func anAddressInsideIsGoneTo() throws {
    let publisher = try Publisher()
    publisher.control(publisher.banner("news"))
    publisher.view(
      "<a href=\"reddot:source/local\">Scripts</a> <button onclick=\"openUrl('reddot:message/1')\">One</button>"
    )
    let household = try publisher.reader()
    let terminal = try household.inbox()
    try terminal.wait(forText: "Scripts")
    terminal.send("\t\t\r")
    try terminal.wait(for: "the message") {
      $0.screen.lines[2] == " Older" && $0.screen.text.contains("1 unread")
    }
    terminal.send("h")
    try terminal.wait(forText: "Newer")
    // The view has the same position.
    terminal.send("\t\u{1B}[D\r")
    try terminal.wait(for: "the source's list") { $0.screen.lines[0].contains("local") }
  }
}
