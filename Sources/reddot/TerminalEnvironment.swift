/// The terminal's properties by environment variables.
struct TerminalEnvironment {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  /// The variable of ncurses, in milliseconds; nil if it isn't set or isn't valid.
  var escapeDelay: Duration? {
    variables["ESCDELAY"].flatMap { Int($0) }.flatMap {
      (0...10_000).contains($0) ? .milliseconds($0) : nil
    }
  }

  /// Whether OSC 52 works. Terminals that identify as xterm and silently ignore it are those based on VTE, and Apple's.
  var hasClipboard: Bool {
    (variables["TMUX"] ?? "").isEmpty == false
      || (variables["VTE_VERSION"] ?? "").isEmpty && variables["TERM_PROGRAM"] != "Apple_Terminal"
  }
}
