import Basics

/// A terminal that follows xterm's control sequences: the environment by which it is recognised, and its abilities. The
/// terminal is not queried: a response could arrive as keys in another pane.
struct KnownTerminal {
  /// The beginnings of `TERM`.
  var types: [String] = []
  /// Whether other terminals also use these types.
  var isFamily = false
  /// The values of `TERM_PROGRAM`.
  var programs: [String] = []
  /// The variables that the terminal sets.
  var marks: [String] = []
  var graphics: GraphicsProtocol?
  /// The lowest version in which links (OSC 8) are known to do no harm, 0 if they do none in any version, or
  /// `nil` if the terminal has no links. The value of the first variable in `marks` is the terminal's
  /// version.
  var linksSince: Int?
  var notices: NoticeSupport.Code?
  /// Whether the terminal accepts OSC 52, text for the clipboard; other terminals drop it silently.
  var hasClipboard = false

  /// The known terminals. If the variables of two are set, the first one takes precedence: a terminal started in
  /// another one inherits its variables, and those that come first here are more often the inner one.
  static let all = [
    KnownTerminal(types: ["xterm"], isFamily: true, marks: ["XTERM_VERSION"], hasClipboard: true),
    KnownTerminal(types: ["vte", "gnome"], isFamily: true, marks: ["VTE_VERSION"], linksSince: 5000),
    KnownTerminal(
      types: ["konsole"], isFamily: true, marks: ["KONSOLE_VERSION"], linksSince: 201_200, notices: .titled),
    KnownTerminal(types: ["alacritty"], marks: ["ALACRITTY_WINDOW_ID"], linksSince: 0, hasClipboard: true),
    KnownTerminal(marks: ["WT_SESSION"], linksSince: 0, hasClipboard: true),
    KnownTerminal(
      types: ["xterm-kitty", "kitty"], programs: ["kitty"], marks: ["KITTY_WINDOW_ID"], graphics: .kitty,
      linksSince: 0, notices: .identified, hasClipboard: true),
    KnownTerminal(
      types: ["xterm-ghostty", "ghostty"], programs: ["ghostty"], marks: ["GHOSTTY_RESOURCES_DIR"],
      graphics: .kitty, linksSince: 0, notices: .titled, hasClipboard: true),
    KnownTerminal(
      types: ["wezterm"], programs: ["WezTerm"], marks: ["WEZTERM_PANE"], graphics: .sixel, linksSince: 0,
      notices: .titled, hasClipboard: true),
    KnownTerminal(types: ["foot"], graphics: .sixel, linksSince: 0, notices: .titled, hasClipboard: true),
    KnownTerminal(
      types: ["mlterm"], programs: ["mlterm"], marks: ["MLTERM"], graphics: .sixel, hasClipboard: true),
    // ssh passes the second of its marks on.
    KnownTerminal(
      types: ["iterm"], programs: ["iTerm.app"], marks: ["ITERM_SESSION_ID", "LC_TERMINAL=iTerm2"],
      linksSince: 0,
      notices: .plain, hasClipboard: true),
    KnownTerminal(types: ["contour"], programs: ["contour"], linksSince: 0, hasClipboard: true),
    KnownTerminal(types: ["mintty"], programs: ["mintty"], linksSince: 0, hasClipboard: true),
    KnownTerminal(programs: ["vscode", "rio"], linksSince: 0, hasClipboard: true),
    KnownTerminal(programs: ["WarpTerminal", "zed"], notices: .plain, hasClipboard: true),
    KnownTerminal(programs: ["Apple_Terminal"]),
    KnownTerminal(types: ["st-"], hasClipboard: true),
    KnownTerminal(types: ["rxvt", "putty", "screen"]),
    KnownTerminal(types: ["tmux"], linksSince: 0, hasClipboard: true),
  ]

  /// Returns the terminal of a `TERM`; if there are several, the one with the longest name.
  static func ofType(_ type: String) -> KnownTerminal? {
    let found = all.flatMap { terminal in
      terminal.types.filter(type.hasPrefix).map { (terminal: terminal, length: $0.count) }
    }
    return found.max { $0.length < $1.length }?.terminal
  }
}

/// The abilities of the terminal, according to environment variables.
package struct TerminalEnvironment {
  private let variables: [String: String]
  private var type: String { variables["TERM"] ?? "" }

  package init(_ variables: [String: String]) { self.variables = variables }

  /// The value of `ESCDELAY`, the variable of ncurses, or `nil` if it isn't set or isn't valid.
  package var escapeDelay: Duration? {
    variables["ESCDELAY"].flatMap { Int($0) }.flatMap {
      (0...10_000).contains($0) ? .milliseconds($0) : nil
    }
  }

  package var isInTmux: Bool { has("TMUX") || type.hasPrefix("tmux") }

  /// Whether reddot runs in GNU screen, which drops sequences that it does not know.
  private var isInScreen: Bool { !isInTmux && (has("STY") || type.hasPrefix("screen")) }

  /// The protocol for pictures in pixels, or `nil` if it isn't known. Multiplexers have none: whether they pass
  /// pictures on depends on their settings and on the terminal around them.
  package var graphics: GraphicsProtocol? {
    isInTmux || isInScreen || has("ZELLIJ") ? nil : terminal?.graphics
  }

  /// Whether the terminal has links. An unknown terminal has none, since its handling of them is unknown.
  package var hasHyperlinks: Bool {
    // tmux passes links on since 3.4 and drops them before.
    if isInTmux { return true }
    guard !isInScreen, let terminal, let least = terminal.linksSince else { return false }
    return least == 0 || terminal.marks.first.flatMap { variables[$0] }.flatMap { Int($0) } ?? 0 >= least
  }

  /// The code for notifications; inside tmux, that of the terminal around it.
  var notices: NoticeSupport.Code? { isInTmux ? marked?.notices : isInScreen ? nil : terminal?.notices }

  /// Whether OSC 52 works, according to the environment.
  package var hasClipboard: Bool { isInTmux || terminal?.hasClipboard ?? true }

  /// The terminal according to `TERM` and the other variables, or `nil` if it is not known. It is meant for
  /// use outside of multiplexers.
  private var terminal: KnownTerminal? {
    guard let named = KnownTerminal.ofType(type), named.isFamily else { return KnownTerminal.ofType(type) }
    return marked ?? named
  }

  /// The terminal according to variables other than `TERM`.
  private var marked: KnownTerminal? {
    let known = KnownTerminal.all
    if let xterm = known.first(where: { $0.marks.contains("XTERM_VERSION") }), has("XTERM_VERSION") {
      return xterm
    }
    // tmux sets this one, too.
    if let program = variables["TERM_PROGRAM"], !program.isEmpty, program != "tmux" {
      return known.first { $0.programs.contains(program) }
    }
    return known.first { $0.marks.contains(where: has) }
  }

  /// - Parameter mark: the name of an environment variable, which must have a value, or a name, `=` and the
  ///   required value.
  private func has(_ mark: String) -> Bool {
    let parts = mark.split(onBytes: "=", maxSplits: 1)
    guard let name = parts.first, let value = variables[String(name)] else { return false }
    return parts.count > 1 ? value == parts[1] : !value.isEmpty
  }
}
