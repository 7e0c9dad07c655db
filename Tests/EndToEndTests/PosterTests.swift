import Foundation
import TerminalHarness
import Testing

/// Posters: fetched on opening, drawn if the terminal can, otherwise replaced by a sentence.
@Suite(.serialized) struct PosterTests {
  /// 16 by 16 pixels, red and blue squares.
  private static let picture = """
    iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAIklEQVR42mNgYPgPR/+ROLjFB58G4kxF4g1CDaPxMCg0AACR6v8BTjsT
    ZwAAAABJRU5ErkJggg==
    """

  static var png: Data {
    get throws { try #require(Data(base64Encoded: picture, options: .ignoreUnknownCharacters)) }
  }

  private func team() throws -> Team {
    let team = try Team()
    try team.serve(
      #"{"id": 1, "type": 2, "actiondata": {"title": "Other", "msg": "Nothing to see."}}"#,
      #"""
      {"id": 2, "type": 2, "poster": "\#(team.server.url("/poster"))",
        "actiondata": {"title": "Festival", "msg": "Light to you."}}
      """#,
      #"{"id": 3, "type": 2, "actiondata": {"title": "Newest", "msg": "Nothing here either."}}"#)
    team.server.answer("/poster", headers: ["Content-Type: image/png"], body: try Self.png)
    return team
  }

  /// The inbox with the poster's message chosen.
  private func open(_ team: Team, environment: [String: String] = [:]) throws -> PseudoTerminal {
    let terminal = try team.household.inbox(columns: 150, rows: 30, environment: environment)
    try terminal.wait(forText: "Festival")
    terminal.send("ggj")
    try terminal.wait(forText: "Light to you.")
    return terminal
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa"), "skipped: no chafa"))
  func itIsDrawnAfterOpeningAndNotFetchedBefore() throws {
    let team = try team()
    let terminal = try open(team)
    #expect(terminal.screen.text.contains("Light to you."))
    terminal.readUntilQuiet()
    #expect(team.server.requests("/poster").isEmpty)
    terminal.send("\r")
    try terminal.wait(for: "half blocks in two colours") { terminal in
      let places = (0..<30).flatMap { row in
        (85..<150).map { terminal.screen.place(column: $0, row: row) }
      }
      let blocks = places.filter {
        $0.text == "▄" || $0.text == "▀" || ($0.text == " " && $0.look.background.hasPrefix("48;5;"))
      }
      return Set(blocks.map(\.look.background)).count >= 2
    }
    #expect(team.server.requests("/poster").count == 1)
    try terminal.wait(forText: team.server.url("/poster"))
    // The picture is drawn again for another size, but not fetched again.
    terminal.resize(columns: 60, rows: 24)
    try terminal.wait(for: "a frame") { $0.screen.lines.last?.contains("help") == true }
    terminal.readUntilQuiet()
    #expect(team.server.requests("/poster").count == 1)
    #expect(terminal.screen.unknown == [])
    try terminal.leave()
  }

  @Test(arguments: [["TERM": "xterm"], ["NO_COLOR": "1"], ["LC_ALL": "C"]])
  func whereItCannotBeDrawnItIsNotFetchedAndItsLinkIsOffered(_ environment: [String: String]) throws {
    let team = try team()
    let terminal = try open(team, environment: environment)
    terminal.send("\r")
    try terminal.wait(forText: team.server.url("/poster"))
    try terminal.leave()
    #expect(team.server.requests("/poster").isEmpty)
  }
}
