import Screen
import TerminalHarness
import Testing

/// Pictures in sixel: written over blank cells if all of a picture is visible, otherwise half blocks.
@Suite struct SixelTests {
  private func started(cell: (width: Int, height: Int)? = (10, 20)) throws -> PseudoTerminal {
    try startedProbe(columns: 60, rows: 16, environment: ["GRAPHICS": "sixel"], cell: cell)
  }

  /// Returns the number of times that a picture was written at a place, counted from 1.
  private func count(_ terminal: PseudoTerminal, row: Int, column: Int = 5, number: Int = 1) -> Int {
    terminal.screen.strings.count {
      $0.kind == "P" && $0.row == row - 1 && $0.column == column - 1
        && $0.text.hasPrefix("0;1;0q\"1;1;80;120#0;2;100;0;\(number)#0!80~-")
    }
  }

  private func all(_ terminal: PseudoTerminal) -> Int { terminal.screen.strings.count { $0.kind == "P" } }

  private func hasBlocks(_ terminal: PseudoTerminal) -> Bool { terminal.screen.text.contains("▄▄▄▄▄▄▄▄") }

  @Test func itIsWrittenOnceAtItsPlace() throws {
    let terminal = try started()
    terminal.send("1")
    try terminal.wait(for: "the picture") { count($0, row: 4) == 1 }
    terminal.readUntilQuiet()
    #expect(all(terminal) == 1 && !hasBlocks(terminal))
    #expect(terminal.screen.text.contains("line 15"))
    #expect(terminal.screen.unknown == [])
  }

  @Test func whereAPartOfItIsOutOfSightItIsHalfBlocks() throws {
    let terminal = try started()
    terminal.send("1")
    try terminal.wait(for: "the picture") { count($0, row: 4) == 1 }
    terminal.send("2222")
    try terminal.wait(for: "half blocks") { hasBlocks($0) && $0.screen.text.contains("line 19") }
    let before = all(terminal)
    terminal.send("2")
    try terminal.wait(forText: "line 20")
    #expect(all(terminal) == before)
    terminal.send("5")
    try terminal.wait(for: "the picture again") { count($0, row: 2) > 0 && !hasBlocks($0) }
  }

  @Test func whatCoversItIsSeen() throws {
    let terminal = try started()
    terminal.send("1")
    try terminal.wait(for: "the picture") { count($0, row: 4) == 1 }
    terminal.send("3")
    try terminal.wait(for: "the dialog") {
      $0.screen.text.contains("dialog") && $0.screen.text.contains("▄▄")
    }
    terminal.readUntilQuiet()
    #expect(count(terminal, row: 4) == 1)
    terminal.send("3")
    try terminal.wait(for: "the picture again") { count($0, row: 4) == 2 && !hasBlocks($0) }
  }

  @Test func anotherPictureTakesItsPlace() throws {
    let terminal = try started()
    terminal.send("1")
    try terminal.wait(for: "the picture") { count($0, row: 4) == 1 }
    terminal.send("4")
    try terminal.wait(for: "the other picture") { count($0, row: 4, number: 2) == 1 }
    terminal.readUntilQuiet()
    #expect(count(terminal, row: 4) == 1)
  }

  @Test func afterAnotherProgramAndARedrawItIsWrittenAgain() throws {
    let terminal = try started()
    terminal.send("1")
    try terminal.wait(for: "the picture") { count($0, row: 4) == 1 }
    terminal.pretend("\u{1B}[4;5Hnoise")
    terminal.send("r")
    try terminal.wait(for: "the picture again") { count($0, row: 4) == 2 }
    #expect(!terminal.screen.text.contains("noise"))
  }

  @Test(arguments: [nil, (width: 8, height: 16)] as [(width: Int, height: Int)?])
  func withoutCellsOfItsSizeItIsHalfBlocks(cell: (width: Int, height: Int)?) throws {
    let terminal = try started(cell: cell)
    terminal.send("1")
    try terminal.wait(for: "half blocks") { hasBlocks($0) }
    terminal.readUntilQuiet()
    #expect(all(terminal) == 0)
  }
}
