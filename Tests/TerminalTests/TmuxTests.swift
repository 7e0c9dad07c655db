import TerminalHarness
import Testing

/// tmux shows the same as our terminal.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed")) struct TmuxTests {
  @Test(arguments: [("w", "ascii"), ("c", "underline"), ("h", "hello")])
  func tmuxShowsWhatTheVirtualScreenShows(key: String, text: String) throws {
    let tmux = try TmuxSession(columns: 40, rows: 10, program: BuiltProduct.path("TerminalProbe"))
    try tmux.wait(forText: "probe 40x10")
    try tmux.send(key)
    let terminal = try startedProbe(columns: 40, rows: 10, environment: ["TERM": "screen"])
    terminal.send(key)
    try terminal.wait(forText: text)
    // The last of the frame may come later, on either side.
    try tmux.wait(for: "what our own terminal shows") { lines in
      terminal.read(for: 0)
      return lines == terminal.screen.lines
    }
    #expect(terminal.screen.text.contains(text))
  }

  @Test func titleAndResizeReachTmux() throws {
    let tmux = try TmuxSession(columns: 40, rows: 10, program: BuiltProduct.path("TerminalProbe"))
    try tmux.wait(forText: "probe 40x10")
    try tmux.send("t")
    try tmux.wait(forText: "key t")
    #expect(try tmux.title() == "probe ● 3")
    try tmux.resize(columns: 60, rows: 20)
    try tmux.wait(forText: "probe 60x20")
  }
}
