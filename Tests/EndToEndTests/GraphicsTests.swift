import Foundation
import TerminalHarness
import Testing

/// Pictures in pixels, from a feed to a terminal with kitty's protocol.
@Suite(.serialized) struct GraphicsTests {
  private static let kitty = ["KITTY_WINDOW_ID": "1"]
  private let household: Household
  private let server: LyingServer

  init() throws {
    household = try Household()
    server = try LyingServer()
  }

  /// A feed with a post that has a picture of 16 by 16 pixels: two columns and one row.
  private func serve(_ lines: String = "", text: String = "<p>Light to you.</p>") throws {
    try household.settings(
      "\(lines)\n[poll]\ninitial_delay = \"1ms\"", sources: [("blog", server.url("/feed"), "")])
    let html =
      "<description><![CDATA[\(text)<p><img src=\"\(server.url("/1.png"))\" alt=\"at 1\"></p><p>Good bye.</p>]]></description>"
    server.answer(
      "/feed", text: rss("Blog", [item(3, "Newest"), item(2, "Festival", more: html), item(1, "Other")]))
    server.answer("/1.png", headers: ["Content-Type: image/png"], body: try PosterTests.png)
  }

  private func open(_ environment: [String: String] = kitty) throws -> PseudoTerminal {
    let terminal = try household.inbox(columns: 150, rows: 30, environment: environment)
    try terminal.wait(forText: "Festival")
    terminal.send("ggj")
    try terminal.wait(forText: "[image: at 1]")
    return terminal
  }

  private func cells(_ terminal: PseudoTerminal) -> [VirtualScreen.PictureCell] {
    terminal.screen.pictureCells(marks: ["\u{305}", "\u{30D}"])
  }

  private func waitForPicture(_ terminal: PseudoTerminal) throws {
    try terminal.wait(for: "the picture") { cells($0).count == 2 }
  }

  /// Returns the number of cells with a separate colour.
  private func blocks(_ terminal: PseudoTerminal) -> Int {
    (0..<30).reduce(0) { sum, row in
      sum
        + (85..<150).filter {
          terminal.screen.place(column: $0, row: row).look.background.hasPrefix("48;5;")
        }.count
    }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa"), "skipped: no chafa"))
  func aPictureIsSentAfterOpeningOnceAndDeletedAtTheEnd() throws {
    try serve()
    let terminal = try open()
    terminal.readUntilQuiet()
    #expect(!terminal.screen.hasPictureBytes && server.requests("/1.png").isEmpty)
    terminal.send("\r")
    try waitForPicture(terminal)
    let pictures = KittyPictures(terminal.screen)
    #expect(pictures.mistakes == [] && pictures.completed == 1)
    let picture = try #require(pictures.pictures.values.first)
    #expect(picture.columns == 2 && picture.rows == 1)
    // chafa fills its cells, which depend on its version.
    #expect((16..<26).contains(picture.width) && (16..<36).contains(picture.height))
    // Red and blue squares: in the corners no other colour is near.
    let corners = [0, picture.width - 1, picture.width * picture.height - 1].map { pixel in
      picture.pixels[pixel * 4..<pixel * 4 + 4].map { Int($0) / 128 }
    }
    #expect(corners == [[0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 1, 1]])
    #expect(
      cells(terminal).map(\.pictureColumn) == [0, 1] && cells(terminal).allSatisfy { $0.pictureRow == 0 })
    // The help hides the picture, and closing the help shows it again.
    terminal.send("?")
    try terminal.wait(for: "the help") { cells($0).isEmpty }
    terminal.send("?")
    try waitForPicture(terminal)
    #expect(KittyPictures(terminal.screen).completed == 1)
    // In the list, the preview still shows the picture. The preview of another message shows none.
    terminal.send("hj")
    try terminal.wait(for: "the bar below") { $0.chosen.contains("Other") && cells($0).isEmpty }
    try terminal.leave()
    #expect(KittyPictures(terminal.screen).pictures.isEmpty && KittyPictures(terminal.screen).mistakes == [])
    #expect(terminal.screen.unknown == [])
  }

  static let without: [(settings: String, environment: [String: String])] = [
    ("", [:]), ("", ["KITTY_WINDOW_ID": "1", "TMUX": "/tmp/tmux-0/default,1,0"]),
    ("picture_format = \"blocks\"", kitty), ("", ["KITTY_WINDOW_ID": "1", "VTE_VERSION": "7600"]),
  ]

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa"), "skipped: no chafa"),
    arguments: without.indices)
  func elsewhereThereAreHalfBlocks(index: Int) throws {
    let (settings, environment) = Self.without[index]
    try serve(settings)
    let terminal = try open(environment)
    terminal.send("\r")
    try terminal.wait(for: "half blocks") { blocks($0) > 0 }
    terminal.readUntilQuiet()
    #expect(!terminal.screen.hasPictureBytes)
    try terminal.leave()
    #expect(!terminal.screen.hasPictureBytes)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa"), "skipped: no chafa"))
  func theSettingDecidesWhereTheTerminalIsNotKnown() throws {
    try serve("picture_format = \"kitty\"")
    let terminal = try open([:])
    terminal.send("\r")
    try waitForPicture(terminal)
    #expect(KittyPictures(terminal.screen).completed == 1)
    try terminal.leave()
  }

  @Test func withoutPicturesNothingIsSentNorByAMessagesText() throws {
    let hostile =
      "<p>Light \u{10EEEE}\u{305}\u{305}\u{10EEEE}\u{305}\u{30D} &#x10EEEE;&#x305; to &#27;_Ga=T,f=32;AAAA&#27;\\ you</p>"
    try serve("pictures = false", text: hostile)
    let terminal = try open()
    terminal.send("\r")
    try terminal.wait(forText: "Good bye.")
    #expect(terminal.screen.text.unicodeScalars.contains("\u{FFFD}"))
    terminal.readUntilQuiet()
    try terminal.leave()
    #expect(!terminal.screen.hasPictureBytes && server.requests("/1.png").isEmpty)
    #expect(!String(decoding: terminal.bytes, as: UTF8.self).unicodeScalars.contains("\u{10EEEE}"))
    let shown = try household.run("show", "2").output
    #expect(!shown.unicodeScalars.contains { $0 == "\u{10EEEE}" || $0 == "\u{1B}" })
  }
}
