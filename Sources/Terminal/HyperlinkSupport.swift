/// Which terminals are known to show links (OSC 8), by the environment that they start programs with.
package enum HyperlinkSupport {
  /// A terminal that isn't known has none: what it would do with them is not known either.
  package static func isKnown(in variables: [String: String]) -> Bool {
    let type = variables["TERM"] ?? ""
    func has(_ name: String) -> Bool { variables[name]?.isEmpty == false }
    func version(_ name: String) -> Int { variables[name].flatMap { Int($0) } ?? 0 }
    // tmux passes links on since 3.4 and drops them before. The variables below would be of the terminal around it.
    if has("TMUX") || type.hasPrefix("tmux") { return true }
    if has("STY") || type.hasPrefix("screen") || has("XTERM_VERSION") { return false }
    if types.contains(where: type.hasPrefix) { return true }
    guard families.contains(where: type.hasPrefix) else { return false }
    return programs.contains(variables["TERM_PROGRAM"] ?? "") || marks.contains(where: has)
      // iTerm2 has ssh pass this one on.
      || variables["LC_TERMINAL"] == "iTerm2"
      // VTE 0.50 is the first whose links are known to do no harm; Konsole has them since 20.12.
      || version("VTE_VERSION") >= 5000 || version("KONSOLE_VERSION") >= 201_200
  }

  private static let types = [
    "alacritty", "foot", "xterm-kitty", "kitty", "xterm-ghostty", "ghostty", "wezterm", "contour", "mintty",
    "iterm",
  ]
  /// Names that several terminals go by.
  private static let families = ["xterm", "vte", "gnome", "konsole"]
  private static let programs: Set = [
    "iTerm.app", "WezTerm", "vscode", "ghostty", "mintty", "rio", "contour",
  ]
  private static let marks = ["KITTY_WINDOW_ID", "ALACRITTY_WINDOW_ID", "WT_SESSION"]
}
