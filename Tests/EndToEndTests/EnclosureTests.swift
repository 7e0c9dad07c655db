import Foundation
import TerminalHarness
import Testing

/// An episode of a podcast, from its feed to the program that plays it.
@Suite struct EnclosureTests {
  private let household: Household
  private let server: LyingServer

  init() throws {
    household = try Household()
    server = try LyingServer()
    let enclosures = """
      <enclosure url="\(server.url("/1.mp3"))" length="34216300" type="audio/mpeg"/>
      <enclosure url="javascript:alert(1)" type="audio/mpeg"/>
      """
    server.answer(
      "/feed", text: rss("Cast", [item(1, "Nothing"), item(2, "Episode", more: enclosures), item(3, "Else")]))
    try household.write(
      "play",
      "while ! test -e ~/seen; do sleep 0.02; done; echo \"$@\" >~/played.part; mv ~/played.part ~/played\n")
    try household.settings(
      "enclosure_command = [\"sh\", \"\(household.home)/play\", \"--file={url}\"]",
      sources: [("cast", server.url("/feed"), "")])
    #expect(try household.run("poll", "--all").exit == .status(0))
  }

  @Test func itsAddressIsForDownloadTools() throws {
    let id = try #require(try household.messages("--search", "Episode").first?["id"] as? Int)
    let other = try #require(try household.messages("--search", "Nothing").first?["id"] as? Int)
    let address = server.url("/1.mp3")
    try household.run("show", "--enclosures", "\(id)", "\(other)").expect("\(address)\n")
    try household.run("show", "--enclosures", "--json", "\(id)").expect(
      """
      {"message":\(id),"url":"\(address)","type":"audio/mpeg","length":34216300,"duration":null}

      """)
    #expect(try household.run("show", "\(id)").output.contains("▸ audio/mpeg, 34 MB [1]"))
    #expect(try household.run("show", "\(id)", "\(other)").exit == .status(64))
    #expect(try household.run("show", "--enclosures", "999").exit == .status(1))
  }

  @Test func aKeyPlaysIt() throws {
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "Episode")
    terminal.send("j\r")
    try terminal.wait(forText: "▸ audio/mpeg, 34 MB [1]")
    terminal.send("1o")
    try terminal.wait(forText: "Opening \(server.url("/1.mp3"))")
    try household.write("seen", "")
    try eventually("the player") { FileManager.default.fileExists(atPath: "\(household.home)/played") }
    #expect(try household.text(of: "\(household.home)/played") == "--file=\(server.url("/1.mp3"))\n")
    try terminal.leave()
  }
}
