/// A sign that is drawn beside texts, by the interface and by the layout of messages. This is the only table of them: what
/// else is not ASCII on the screen comes from texts.
package enum Sign: CaseIterable, Sendable {
  case dot, star, bar, times, mark, vertical, light, heavy, joint
  case downtime, pinned, urgent, failed, between, ellipsis, sent, enclosure, more, open, closed, paused
  /// The pictures of a turning sign, one character each, and what is shown instead without animations.
  case spinner, still
  /// In texts of messages: the bullets of a list, by depth, one character each.
  case bullets
  case quoteBar, line, column, crossing, disclosure, continuation

  /// - Parameter isASCII: whether the terminal shows ASCII only, or draws other signs with two columns: many of them are
  ///   of ambiguous width (UAX #11).
  package func text(isASCII: Bool) -> SafeText { isASCII ? forms.ascii : forms.narrow }

  /// The characters of `text`, each by itself.
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
