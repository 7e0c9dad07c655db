import Screen
import TerminalHarness
import Testing

@testable import Terminal

/// The pictures that a terminal stores and shows, after any change of the screen.
@Suite struct GraphicsTests {
  private func started(_ environment: [String: String] = ["GRAPHICS": "kitty"]) throws -> PseudoTerminal {
    try startedProbe(columns: 60, rows: 16, environment: environment)
  }

  private func cells(_ screen: VirtualScreen) -> [VirtualScreen.PictureCell] {
    screen.pictureCells(marks: KittyGraphics.marks)
  }

  /// Waits for the probe's page, scrolled: every visible cell of the picture shows its part, and no other does.
  private func wait(_ terminal: PseudoTerminal, down: Int, isCovered: Bool = false) throws {
    try terminal.wait(for: "the picture") { terminal in
      let cells = cells(terminal.screen)
      let rows = (0..<6).filter { (0..<16).contains(3 + $0 - down) }
      let covered = isCovered ? rows.filter { [5, 6].contains(3 + $0 - down) }.count * 4 : 0
      return cells.count == rows.count * 8 - covered && Set(cells.map(\.id)).count <= 1
        && cells.allSatisfy { $0.column == 4 + $0.pictureColumn && $0.row == 3 + $0.pictureRow - down }
        && terminal.screen.lines[15].contains("line \(15 + down)")
    }
  }

  @Test(arguments: ["xterm-256color", "xterm"])
  func aPictureIsSentOnceAndScrollsAsTextDoes(type: String) throws {
    let terminal = try started(["GRAPHICS": "kitty", "TERM": type])
    terminal.send("1")
    guard type == "xterm-256color" else {
      // Its colours are too few to number pictures.
      try terminal.wait(forText: "▄▄▄▄▄▄▄▄")
      terminal.readUntilQuiet()
      #expect(!terminal.screen.hasPictureBytes)
      return
    }
    try wait(terminal, down: 0)
    let pictures = KittyPictures(terminal.screen)
    #expect(pictures.mistakes == [] && pictures.completed == 1)
    let picture = try #require(pictures.pictures.values.first)
    #expect(picture.columns == 8 && picture.rows == 6 && picture.width == 24 && picture.height == 24)
    #expect(picture.pixels.prefix(3) == [0, 1, 2])
    var down = 0
    for key in "2222222552225522" {
      terminal.send(String(key))
      down += key == "2" ? 1 : -3
      try wait(terminal, down: down)
    }
    terminal.send("3")
    try wait(terminal, down: down, isCovered: true)
    #expect(terminal.screen.text.contains("dialog"))
    terminal.send("3")
    try wait(terminal, down: down)
    #expect(KittyPictures(terminal.screen).completed == 1)
    #expect(terminal.screen.unknown == [])
  }

  @Test func aLargePictureIsSentWhileKeysAreRead() throws {
    let terminal = try started()
    terminal.send("6")
    terminal.send("2")
    try wait(terminal, down: 1)
    let pictures = KittyPictures(terminal.screen)
    #expect(pictures.mistakes == [] && pictures.completed == 1)
    #expect(pictures.pictures.values.first?.pixels.count == 480 * 480 * 4)
  }

  @Test func otherPicturesHaveOtherNumbers() throws {
    let terminal = try started()
    terminal.send("1")
    try wait(terminal, down: 0)
    let first = cells(terminal.screen)[0].id
    terminal.send("4")
    try terminal.wait(for: "another picture") {
      let cells = cells($0.screen)
      return cells.count == 48 && cells[0].id != first
    }
    #expect(KittyPictures(terminal.screen).completed == 2)
  }

  @Test(arguments: LeavingTests.waysOut)
  func everyWayOutDeletesThem(_ way: LeavingTests.WayOut) throws {
    let terminal = try started()
    let before = try PseudoTerminal().modes
    terminal.send("1")
    try wait(terminal, down: 0)
    switch way {
    case .key(let key, _): terminal.send(key)
    case .signal(let signal, _): terminal.signal(signal)
    }
    _ = try terminal.waitForExit()
    #expect(KittyPictures(terminal.screen).pictures.isEmpty)
    terminal.expectRestored(before)
  }

  @Test func anotherProgramHasNoneOfThemAndTheyAreSentAgain() throws {
    let terminal = try started()
    terminal.send("1")
    try wait(terminal, down: 0)
    terminal.send("l")
    // This text is printed after the modes were restored, so Enter ends a line then.
    try terminal.wait(forText: "another program")
    #expect(!terminal.screen.isAlternate)
    #expect(KittyPictures(terminal.screen).pictures.isEmpty)
    terminal.send("\r")
    try terminal.wait(for: "the probe") { $0.screen.isAlternate }
    try wait(terminal, down: 0)
    let pictures = KittyPictures(terminal.screen)
    #expect(pictures.completed == 2 && pictures.mistakes == [])
  }

  @Test func drawingAnewAndNewSizesShowThemAgain() throws {
    let terminal = try started()
    terminal.send("1")
    try wait(terminal, down: 0)
    terminal.pretend("\u{1B}[4;5Hnoise")
    terminal.send("r")
    try wait(terminal, down: 0)
    #expect(KittyPictures(terminal.screen).completed == 2)
    terminal.resize(columns: 80, rows: 16)
    try terminal.wait(for: "the last column") { $0.screen.columns == 80 }
    terminal.send("2")
    try wait(terminal, down: 1)
    #expect(KittyPictures(terminal.screen).completed == 2)
  }

  @Test(arguments: [
    ["GRAPHICS": "none"], ["GRAPHICS": "kitty", "NO_COLOR": "1"], ["GRAPHICS": "kitty", "LC_ALL": "C"],
  ])
  func elsewhereNothingIsSent(environment: [String: String]) throws {
    let terminal = try started(environment)
    terminal.send("1")
    try terminal.wait(forText: "line 15")
    terminal.readUntilQuiet()
    #expect(!terminal.screen.hasPictureBytes)
  }
}
