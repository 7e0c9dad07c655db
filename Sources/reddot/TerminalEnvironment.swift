/// What the environment's variables say about the terminal.
struct TerminalEnvironment {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  /// ncurses's own variable, in milliseconds. Nil where it is not set, or says nothing that can be meant.
  var escapeDelay: Duration? {
    variables["ESCDELAY"].flatMap { Int($0) }.flatMap {
      (0...10_000).contains($0) ? .milliseconds($0) : nil
    }
  }

  /// Terminals that call themselves xterm and drop OSC 52 without a word: those made of VTE, and Apple's.
  var hasClipboard: Bool {
    (variables["TMUX"] ?? "").isEmpty == false
      || (variables["VTE_VERSION"] ?? "").isEmpty && variables["TERM_PROGRAM"] != "Apple_Terminal"
  }
}
