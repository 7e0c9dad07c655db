/// A symbol that the interface and the layout of messages draw. This is the only table of symbols: all other non-ASCII
/// characters on the screen are from text.
package enum Sign: CaseIterable, Sendable {
  case dot, star, bar, times, mark, vertical, light, heavy, joint
  case downtime, pinned, urgent, failed, between, within, ellipsis, sent, enclosure, more, open, closed,
    paused
  /// The frames of an animated spinner, one character each, and the symbol without animations.
  case spinner, still
  /// The bullets of lists in messages, by depth, one character each.
  case bullets
  case quoteBar, line, column, crossing, disclosure, continuation

  /// Returns the characters to draw.
  ///
  /// - Parameter isASCII: whether the terminal shows only ASCII, or draws symbols of ambiguous width (UAX #11), which
  ///   many of them are, with two columns.
  package func text(isASCII: Bool) -> SafeText { isASCII ? forms.ascii : forms.narrow }

  /// Returns the characters of `text`, each as separate text.
  package func texts(isASCII: Bool) -> [SafeText] {
    text(isASCII: isASCII).text.map { SafeText(untrusted: String($0)) }
  }

  private var forms: (narrow: SafeText, ascii: SafeText) {
    switch self {
    case .dot: ("●", "*")
    case .star: ("★", "+")
    case .bar: ("▌", ">")
    case .times: ("×", "x")
    case .mark: ("✓", "x")
    case .vertical: ("│", "|")
    case .light: ("─", "-")
    case .heavy: ("━", "=")
    case .joint: ("┬", "+")
    case .downtime: ("▲", "^")
    case .pinned: ("◆", "#")
    case .urgent: ("!", "!")
    case .failed: ("✗", "x")
    case .between: (" · ", " - ")
    case .within: (" › ", " > ")
    case .ellipsis: ("…", "...")
    case .sent: ("↑", "^")
    case .enclosure: ("▸", ">")
    case .more: ("↓", "v")
    case .open: ("▾", "-")
    case .closed: ("▸", "+")
    case .paused: ("‖", "=")
    case .spinner: ("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\")
    case .still: ("…", "~")
    case .bullets: ("•◦▪", "*-+")
    case .quoteBar: ("│", "|")
    case .line: ("─", "-")
    case .column: ("│", "|")
    case .crossing: ("┼", "+")
    case .disclosure: ("▾", "v")
    case .continuation: ("↪ ", "+ ")
    }
  }
}
