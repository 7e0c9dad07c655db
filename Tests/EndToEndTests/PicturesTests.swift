import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The pictures of the README and the pages: the demo's morning, at one instant, as the built program draws it.
@Suite(.serialized, .timeLimit(.minutes(HangLimit.minutes))) struct PicturesTests {
  private static let folder = "Resources/pictures"
  /// Set by Resources/write-pictures.
  private static let writes = ProcessInfo.processInfo.environment["REDDOT_PICTURES"] == "write"

  private struct Taken {
    var name: String
    var title: String
    var picture: TerminalPicture
  }

  private static func path(_ name: String, _ palette: TerminalPicture.Palette) -> String {
    "\(folder)/\(name)-\(palette.rawValue).svg"
  }

  /// Runs the demo, whose clock does not advance, and examines it after each of these steps.
  private static func take(_ palette: TerminalPicture.Palette) throws -> [Taken] {
    let household = try Household()
    let terminal = try household.inbox(
      columns: 100, rows: 30, arguments: ["demo", "--still", "2026-11-26T09:41:00Z"],
      environment: ["COLORFGBG": palette == .dark ? "15;0" : "0;15"])
    var taken: [Taken] = []
    func take(_ name: String, _ title: String, _ texts: String...) throws {
      try terminal.wait(for: "\(texts)") { terminal in
        texts.allSatisfy { terminal.screen.text.contains($0) }
      }
      taken.append(
        Taken(name: name, title: title, picture: TerminalPicture(terminal.screen, palette)))
    }
    try take(
      "list", "The list of all sources on a busy morning", "● All", "Stand-up in ten",
      "1 of 24")
    terminal.send("jjjjjj\r")
    try take(
      "reading", "A message and the list", "Linux 6.19 in three changes", "planned for January",
      "   Kernel weekly ›")
    terminal.send("hjW")
    try terminal.wait(forText: "1 of 24 messages")
    terminal.send("\u{15}source:deps")
    try take(
      "rule", "A new rule and its dry run", "9 of 24 messages",
      "you had opened none of them")
    terminal.send("\u{1B}")
    try terminal.wait(forText: "Stand-up in ten")
    terminal.send("/invoice")
    try take("search", "A search while it is typed", "1 of 3", "Invoice run of October")
    terminal.send("\u{1B}")
    try terminal.wait(forText: "Stand-up in ten")
    terminal.send("?")
    try take("help", "The keys", "Moving")
    terminal.send("\u{1B}")
    try terminal.wait(forText: "Stand-up in ten")
    try terminal.leave()
    #expect(terminal.screen.unknown == [])
    return taken
  }

  @Test(arguments: TerminalPicture.Palette.allCases)
  func thePicturesShowWhatTheProgramShows(_ palette: TerminalPicture.Palette) throws {
    for taken in try Self.take(palette) {
      let path = Self.path(taken.name, palette)
      let svg = taken.picture.svg(title: taken.title)
      if Self.writes {
        try svg.write(to: Project.folder.appending(path: path), atomically: true, encoding: .utf8)
      }
      #expect(
        try TerminalPicture(svg: svg) == taken.picture,
        "\(taken.name) is not read as it was written")
      let text = try? Project.text(path)
      let stored = try text.map { try TerminalPicture(svg: $0) }
      let differences =
        stored.map { taken.picture.differences(from: $0) } ?? ["there is no such file"]
      #expect(
        differences == [],
        "\(path) shows something else: run Resources/write-pictures.\n\(differences.joined(separator: "\n"))"
      )
    }
  }

  @Test func everyPictureIsUsed() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Project.folder.appending(path: Self.folder).path)
    let pages = "Sources/Programs/reddot/Documentation.docc"
    let texts = try FileManager.default.contentsOfDirectory(
      atPath: Project.folder.appending(path: pages).path
    ).filter { $0.hasSuffix(".md") }.map { try Project.text("\(pages)/\($0)") }
    let all = try ([Project.text("README.md")] + texts).joined()
    for name in names { #expect(all.contains("\(Self.folder)/\(name)"), "no page shows \(name)") }
    #expect(names.count >= 8)
  }
}

/// The SVG of a picture.
struct TerminalPictureTests {
  @Test func whatIsWrittenIsReadBack() throws {
    var screen = VirtualScreen(columns: 24, rows: 4)
    screen.feed(
      Array(
        ("plain & <b>  two\r\n\u{1B}[1;31mbold\u{1B}[0m \u{1B}[7mreversed \u{1B}[0m\u{1B}[4m \u{1B}[0m.\r\n"
          + "会议\u{1B}[38;5;203m 红 \u{1B}[48;2;1;2;3mx  y\u{1B}[0m\r\n\u{1B}[2;9mdim\u{1B}[0m e\u{301}")
          .utf8))
    for palette in TerminalPicture.Palette.allCases {
      let picture = TerminalPicture(screen, palette)
      #expect(try TerminalPicture(svg: picture.svg(title: "A & B")) == picture)
    }
    #expect(TerminalPicture(screen, .dark) != TerminalPicture(screen, .light))
  }

  @Test func whatDiffersIsNamed() throws {
    func picture(_ text: String) -> TerminalPicture {
      var screen = VirtualScreen(columns: 10, rows: 3)
      screen.feed(Array(text.utf8))
      return TerminalPicture(screen, .dark)
    }
    let first = picture("one\r\ntwo\r\nthree")
    #expect(first.differences(from: first) == [])
    #expect(
      first.differences(from: picture("one\r\n2\r\nthree")) == ["row 1: “two”, not “2”"])
    let colored = picture("one\r\ntwo\r\nth\u{1B}[31mr\u{1B}[0mee").differences(from: first)
    #expect(colored.count == 1 && colored[0].hasPrefix("row 2, column 2: "), "\(colored)")
    var other = VirtualScreen(columns: 9, rows: 3)
    other.feed(Array("one".utf8))
    #expect(first.differences(from: TerminalPicture(other, .dark)) == ["10×3 cells, not 9×3"])
  }
}
