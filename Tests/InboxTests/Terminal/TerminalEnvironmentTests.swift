import Testing

@testable import Terminal

/// The known abilities of terminals.
@Suite struct TerminalEnvironmentTests {
  @Test(arguments: [
    ["TERM": "xterm-kitty"], ["TERM": "xterm-kitty", "VTE_VERSION": "7600"], ["TERM": "kitty-direct"],
    ["TERM": "xterm-ghostty"], ["TERM": "ghostty"], ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"],
  ])
  func kittyAndGhosttyHavePlaceholders(variables: [String: String]) {
    #expect(TerminalEnvironment(variables).graphics == .kitty)
  }

  @Test(arguments: [
    ["TERM": "foot"], ["TERM": "foot-direct"], ["TERM": "foot-extra", "KITTY_WINDOW_ID": "1"],
    ["TERM": "mlterm"], ["TERM": "mlterm-256color"], ["TERM": "xterm-256color", "MLTERM": "3.9.3"],
    ["TERM": "wezterm"], ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"],
  ])
  func othersHaveSixel(variables: [String: String]) {
    #expect(TerminalEnvironment(variables).graphics == .sixel)
  }

  @Test(arguments: [
    [:], ["TERM": "xterm-256color"], ["TERM": "xterm"], ["TERM": "linux", "KITTY_WINDOW_ID": "1"],
    ["TERM": "xterm-256color", "KITTY_WINDOW_ID": ""],
    // A terminal that was started in another one inherits its variables.
    ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1", "VTE_VERSION": "7600"],
    ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1", "TERM_PROGRAM": "vscode"],
    ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1", "XTERM_VERSION": "XTerm(390)"],
    ["TERM": "xterm-256color", "MLTERM": "3.9.3", "KONSOLE_VERSION": "230800"],
    ["TERM": "alacritty", "KITTY_WINDOW_ID": "1"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"],
    // The codes that a multiplexer passes on are not known.
    ["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"],
    ["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"],
    ["TERM": "screen-256color", "TERM_PROGRAM": "ghostty"], ["TERM": "foot", "STY": "1.pts"],
    ["TERM": "xterm-ghostty", "ZELLIJ": "0"],
  ])
  func elsewhereAreHalfBlocks(variables: [String: String]) {
    #expect(TerminalEnvironment(variables).graphics == nil)
  }
}
