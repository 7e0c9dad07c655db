import CNcurses
import Screen

/// The screen that curses keeps on the terminal, and its windows.
@MainActor
struct CursesScreen {
  /// The standard window, which curses keeps in the terminal's size.
  let window: CursesWindow
  /// The pad through which keys are read: reading from the window itself would refresh it first.
  let inputPad: CursesWindow
  private let screen: OpaquePointer

  init(terminalType: String, streams: TerminalStreams, escapeDelay: Duration) throws(TerminalFailure) {
    // The terminal knows its size; LINES and COLUMNS may be out of date.
    use_env(false)
    use_tioctl(true)
    guard let screen = newterm(terminalType, streams.output, streams.input) else {
      throw .unknownTerminalType(terminalType)
    }
    guard let window = cnc_standard_screen(), let inputPad = newpad(1, 1), cnc_string_capability("cup") != nil
    else {
      endwin()
      delscreen(screen)
      throw .unusableTerminalType(terminalType)
    }
    (self.screen, self.window, self.inputPad) = (screen, window, inputPad)
    cbreak()
    noecho()
    nonl()
    intrflush(inputPad, false)
    set_escdelay(Int32(clamping: Int(escapeDelay / .milliseconds(1))))
    typeahead(-1)
    nodelay(inputPad, true)
    scrollok(window, false)
    // The first call reads the terminal's description, which replaces keys defined before.
    keypad(inputPad, true)
    CursesKeys.teach()
    streams.freeKeys()
    def_prog_mode()
  }

  func close() {
    delwin(inputPad)
    delscreen(screen)
  }

  /// Sets the terminal up again after `endwin()`, or after its modes were changed.
  func resume() {
    reset_prog_mode()
    keypad(inputPad, true)
  }

  /// Writes the differences between window and terminal, and leaves the cursor at a position.
  func update(cursor: Point) {
    wmove(window, Int32(cursor.row), Int32(cursor.column))
    wrefresh(window)
  }

  /// Forgets the terminal's content, so that the next update writes everything.
  func forgetTerminal() { clearok(window, true) }

  /// Forgets a row, so that the next update writes it.
  func forget(row: Int) { wredrawln(window, Int32(row), 1) }

  /// The attributes that the terminal can show; curses ignores the others.
  var attributes: Style.Attributes {
    let capabilities: [(Style.Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "sitm"), (.underline, "smul"), (.reverse, "rev"),
    ]
    return Style.Attributes(capabilities.filter { cnc_string_capability($0.1) != nil }.map(\.0))
  }

  /// Turns colours on, and returns how many the terminal has.
  func startColors() -> ColorDepth {
    guard has_colors(), start_color() == OK else { return .none }
    use_default_colors()
    if cnc_has_flag("RGB") { return .direct }
    switch cnc_color_count() {
    case 256...: return .indexed
    case 16...: return .sixteen
    case 8...: return .eight
    default: return .none
    }
  }

  /// The bytes that `endwin()` would send, for a signal handler, which cannot call it.
  var leavingSequence: String {
    let names = ["op", "sgr0", "cnorm", "rmkx", "rmcup"]
    let parts = names.compactMap { cnc_string_capability($0).map { String(cString: $0) } }
    let plain = parts.map { Self.withoutPadding($0) }.joined()
    return cnc_string_capability("rmcup") == nil ? plain + "\r\n" : plain
  }

  /// Returns a sequence without paddings, `$<5>`, which are for paper terminals.
  private static func withoutPadding(_ sequence: String) -> String { String(sequence.prefix { $0 != "$" }) }
}
