/// What the environment says of the terminal.
struct TerminalSurroundings {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// ncurses's own variable, in milliseconds. Nil where it is not set, or says nothing that can be meant.
  var escapeDelay: Duration? {
    environment["ESCDELAY"].flatMap { Int($0) }.flatMap {
      (0...10_000).contains($0) ? .milliseconds($0) : nil
    }
  }

  /// Terminals that call themselves xterm and drop OSC 52 without a word: those made of VTE, and Apple's.
  var hasClipboard: Bool {
    (environment["TMUX"] ?? "").isEmpty == false
      || (environment["VTE_VERSION"] ?? "").isEmpty && environment["TERM_PROGRAM"] != "Apple_Terminal"
  }
}
