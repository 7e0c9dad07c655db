import CNcurses
import Screen

/// The results of `wgetch` as our values.
@MainActor
enum CursesKeys {
  /// The codes for sequences that we define in curses; above all codes from terminfo descriptions.
  private static let taught: [(code: Int32, sequence: String, symbol: InputSymbol)] = [
    (5001, "\u{1B}[<", .mouseStart), (5002, "\u{1B}[M", .oldMouseStart), (5003, "\u{1B}[I", .focusIn),
    (5004, "\u{1B}[O", .focusOut), (5005, "\u{1B}[200~", .pasteStart), (5006, "\u{1B}[201~", .pasteEnd),
  ]

  /// Defines the codes of `taught` in curses.
  static func teach() {
    for key in taught { _ = cnc_define_key(key.sequence, key.code) }
  }

  /// Returns the symbol, or `nil` for codes that aren't input: `KEY_RESIZE`, and keys without a name here.
  static func symbol(for code: Int32) -> InputSymbol? {
    if code < 256 { return .byte(UInt8(truncatingIfNeeded: code)) }
    if let known = taught.first(where: { $0.code == code }) { return known.symbol }
    return press(for: code).map { .key($0) }
  }

  private static func press(for code: Int32) -> KeyPress? {
    switch code {
    case KEY_UP: KeyPress(.up)
    case KEY_DOWN: KeyPress(.down)
    case KEY_LEFT: KeyPress(.left)
    case KEY_RIGHT: KeyPress(.right)
    case KEY_PPAGE, KEY_A3: KeyPress(.pageUp)
    case KEY_NPAGE, KEY_C3: KeyPress(.pageDown)
    case KEY_HOME, KEY_A1, KEY_FIND: KeyPress(.home)
    case KEY_END, KEY_C1, KEY_LL, KEY_SELECT: KeyPress(.end)
    case KEY_ENTER: KeyPress(.enter)
    case KEY_BACKSPACE: KeyPress(.backspace)
    case KEY_DC: KeyPress(.delete)
    case KEY_IC: KeyPress(.insert)
    case KEY_BTAB: KeyPress(.backTab)
    case KEY_SR: KeyPress(.up, .shift)
    case KEY_SF: KeyPress(.down, .shift)
    case KEY_SLEFT: KeyPress(.left, .shift)
    case KEY_SRIGHT: KeyPress(.right, .shift)
    case KEY_SPREVIOUS: KeyPress(.pageUp, .shift)
    case KEY_SNEXT: KeyPress(.pageDown, .shift)
    case KEY_SHOME: KeyPress(.home, .shift)
    case KEY_SEND: KeyPress(.end, .shift)
    case KEY_SDC: KeyPress(.delete, .shift)
    case KEY_SIC: KeyPress(.insert, .shift)
    case KEY_F0 + 1...KEY_F0 + 63: function(Int(code - KEY_F0))
    default: modified(code)
    }
  }

  /// Returns a function key. xterm's descriptions number F1 to F12 with Shift as 13 to 24, with Control as 25 to 36,
  /// with both as 37 to 48, with Alt as 49 to 60.
  private static func function(_ number: Int) -> KeyPress {
    let modifiers: [Modifiers] = [[], .shift, .control, [.shift, .control], .alt]
    let set = (number - 1) / 12
    return set < modifiers.count
      ? KeyPress(.function(number - set * 12), modifiers[set]) : KeyPress(.function(number))
  }

  /// Returns an extended key of the description by its name: `kUP5` is Up with Control (ncurses user_caps(5)).
  private static func modified(_ code: Int32) -> KeyPress? {
    guard code > KEY_MAX, let text = keyname(code) else { return nil }
    var name = Substring(String(cString: text))
    var modifiers: Modifiers = .shift
    if let digit = name.last?.wholeNumberValue {
      modifiers = KeyboardReport.modifiers(xterm: digit)
      name.removeLast()
    }
    return named[name].map { KeyPress($0, modifiers) }
  }

  private static let named: [Substring: Key] = [
    "kUP": .up, "kDN": .down, "kLFT": .left, "kRIT": .right, "kHOM": .home, "kEND": .end, "kPRV": .pageUp,
    "kNXT": .pageDown, "kDC": .delete, "kIC": .insert,
  ]
}
