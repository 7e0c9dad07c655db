/// How a terminal takes pictures in pixels.
package enum GraphicsProtocol: String, Hashable, Sendable {
  /// kitty's graphics protocol, with Unicode placeholders.
  case kitty
  case sixel
}

/// Which terminals are known to show pictures in pixels, by the environment that they start programs with.
package enum GraphicsSupport {
  /// - Returns: nil where none is known, also inside of tmux and screen: whether they pass pictures on depends on their
  ///   settings and on the terminal around them.
  package static func known(in variables: [String: String]) -> GraphicsProtocol? {
    let type = variables["TERM"] ?? ""
    func has(_ name: String) -> Bool { variables[name]?.isEmpty == false }
    if multiplexers.contains(where: has) || multiplexerTypes.contains(where: type.hasPrefix) { return nil }
    for (name, format) in types where type.hasPrefix(name) { return format }
    // Several terminals call themselves xterm. A variable may be inherited from the terminal that one was started in, so
    // what another one sets excludes it.
    guard type.hasPrefix("xterm"), !others.contains(where: has) else { return nil }
    if let program = variables["TERM_PROGRAM"], !program.isEmpty { return programs[program] }
    if has("KITTY_WINDOW_ID") { return .kitty }
    return has("MLTERM") ? .sixel : nil
  }

  private static let multiplexers = ["TMUX", "STY", "ZELLIJ"]
  private static let multiplexerTypes = ["tmux", "screen"]
  private static let types: [(name: String, format: GraphicsProtocol)] = [
    ("xterm-kitty", .kitty), ("kitty", .kitty), ("xterm-ghostty", .kitty), ("ghostty", .kitty),
    ("foot", .sixel), ("mlterm", .sixel), ("wezterm", .sixel),
  ]
  private static let others = [
    "XTERM_VERSION", "VTE_VERSION", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID", "WT_SESSION",
  ]
  private static let programs: [String: GraphicsProtocol] = [
    "kitty": .kitty, "ghostty": .kitty, "WezTerm": .sixel, "mlterm": .sixel,
  ]
}
