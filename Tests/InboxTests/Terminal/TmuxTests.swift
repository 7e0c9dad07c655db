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
    // The end of the frame may arrive later, on either side.
    try tmux.wait(for: "what our own terminal shows") { lines in
      terminal.read(for: 0)
      return lines == terminal.screen.lines
    }
    #expect(terminal.screen.text.contains(text))
  }

  /// tmux before 3.4 drops links, a later one keeps them: the text is the same.
  @Test func linksDoNotDisturbTmux() throws {
    let tmux = try TmuxSession(
      columns: 60, rows: 10, program: BuiltProduct.path("TerminalProbe"), environment: ["LINKS": "1"])
    try tmux.wait(forText: "probe 60x10")
    let terminal = try startedProbe(columns: 60, rows: 10, environment: ["TERM": "screen"])
    for key in ["k", "K", "K", "u", "I", "v", "i"] {
      try tmux.send(key)
      terminal.send(key)
      try tmux.wait(for: "what our own terminal shows after \(key)") { lines in
        terminal.read(for: 0)
        return lines == terminal.screen.lines
      }
    }
    #expect(terminal.screen.text.contains("7777"))
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
