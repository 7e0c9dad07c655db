import TerminalHarness
import TestBasics
import Testing

/// A list that moves by rows reuses the rows that it already has, and the terminal may scroll them.
@Suite struct ScrollingTests {
  private static let count = 300

  /// A typical size of a screen, and small sizes, with and without other panes next to the list.
  @Test(arguments: [(120, 40), (60, 12), (20, 5)])
  func aListThatHasMovedLooksAsIfDrawnAnew(columns: Int, rows: Int) throws {
    let household = try Household()
    let items = (0..<Self.count).reversed().map { number in
      item(number, "Nr \(number)\(number % 7 == 0 ? " 消息中心" : "") of these", minute: number)
    }
    try household.write("team.xml", rss("Team", items))
    // No poll begins between two pictures: a source that is being polled has a sign.
    try household.settings(
      "[poll]\ninitial_delay = \"10m\"",
      sources: [(name: "team", url: "\(household.home)/team.xml", more: "")])
    #expect(try household.run("poll", "--all").exit == .status(0))

    let terminal = try household.inbox(columns: columns, rows: rows)
    var random = SeededRandom(seed: columns)
    var selected = 1
    try wait(for: 0, in: terminal)
    terminal.send("j")
    try wait(for: selected, in: terminal)
    // The dots of the viewed list disappear automatically.
    try terminal.wait(for: "the list to be seen") { !$0.screen.lines[0].contains("●") }
    for _ in 0..<50 {
      let steps = [1, 1, 1, 2, 3, 5, rows / 2, rows].randomElement(using: &random) ?? 1
      let isDown = Int.random(in: 0..<5, using: &random) > 0
      selected = min(max(0, selected + (isDown ? steps : -steps)), Self.count - 1)
      terminal.send((steps == 1 ? "" : "\(steps)") + (isDown ? "j" : "k"))
      try wait(for: selected, in: terminal)
      let shown = terminal.screen
      let written = terminal.bytes.count
      terminal.send("\u{0C}")
      try terminal.wait(for: "a frame drawn anew") {
        $0.bytes[written...].contains(0x4A) && $0.screen.row == shown.row
      }
      // The header and the bottom line are skipped, since they contain the time.
      for row in 1..<rows - 1 {
        for column in 0..<columns {
          let (place, anew) = (
            shown.place(column: column, row: row), terminal.screen.place(column: column, row: row)
          )
          if place != anew {
            Issue.record(
              "\(column),\(row): \(place) instead of \(anew) at message \(selected)\n\(shown.text)")
            return
          }
        }
      }
    }
    #expect(terminal.screen.unknown == [])
  }

  private func wait(for selected: Int, in terminal: PseudoTerminal) throws {
    let title = "Nr \(Self.count - 1 - selected) "
    try terminal.wait(for: "the cursor on \(title)") { terminal in
      terminal.screen.lines[terminal.screen.row].contains(title)
    }
  }
}
