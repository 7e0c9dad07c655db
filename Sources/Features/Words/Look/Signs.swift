package import Markup
package import Screen

/// The signs of the screen. Every state has one, so that none depends on colour.
package struct Signs: Hashable, Sendable {
  /// Unread, unseen.
  package var dot: SafeText
  package var star: SafeText
  package var bar: SafeText
  /// Before the number of messages that a row stands for.
  package var times: SafeText
  /// Marked for the next act.
  package var mark: SafeText
  package var vertical: SafeText
  package var light: SafeText
  package var heavy: SafeText
  package var joint: SafeText
  package var downtime: SafeText
  package var pinned: SafeText
  package var urgent: SafeText
  package var failed: SafeText
  package var between: SafeText
  package var ellipsis: SafeText
  /// Before acts that were sent to a service.
  package var sent: SafeText
  /// Before an enclosure.
  package var enclosure: SafeText
  package var more: SafeText
  /// A folder whose sources are shown, and one whose are not.
  package var open: SafeText
  package var closed: SafeText
  package var paused: SafeText
  package var spinner: [SafeText]
  /// Shown instead of the spinner without animations.
  package var still: SafeText
  /// Whether text is drawn in ASCII only; the layout of messages uses it too.
  package var isASCII: Bool
  /// The text before a quotation that has no bar. For a screen reader states are words, and nothing is
  /// drawn.
  private var quote: SafeText?

  /// Whether states are words, for a screen reader.
  package var areWords: Bool { quote != nil }

  /// - Parameters:
  ///   - isASCII: whether the locale has no other characters.
  ///   - areWords: whether they are for a screen reader.
  package static func fitting(isASCII: Bool, areWords: Bool, words: Words) -> Signs {
    guard areWords else { return isASCII ? .ascii : .unicode }
    return Signs(
      dot: words(.stateNew), star: .empty, bar: .empty, times: .empty, mark: .empty, vertical: " ",
      light: " ", heavy: " ",
      joint: " ",
      downtime: words(.stateDowntime), pinned: words(.statePinned), urgent: words(.stateUrgent),
      failed: words(.stateFailed) + ":", between: ", ", ellipsis: .empty, sent: .empty,
      enclosure: words(.stateEnclosure) + ":", more: words(.stateMore),
      open: words(.stateOpen), closed: words(.stateClosed), paused: words(.shortPaused), spinner: [],
      still: .empty, isASCII: isASCII, quote: words(.stateQuote))
  }

  /// How the text of messages and views is drawn.
  package var markup: MarkupTheme {
    if let quote { return .inWords(quote: quote) }
    return isASCII ? .ascii : .standard
  }

  /// The sign before a text; only the text if there is no sign.
  package func before(_ text: SafeText, _ sign: SafeText) -> SafeText {
    sign.isEmpty ? text : sign + " " + text
  }

  package static let unicode = Signs(isASCII: false)
  package static let ascii = Signs(isASCII: true)
}

extension Signs {
  private init(isASCII: Bool) {
    func sign(_ sign: Sign) -> SafeText { sign.text(isASCII: isASCII) }
    self.init(
      dot: sign(.dot), star: sign(.star), bar: sign(.bar), times: sign(.times), mark: sign(.mark),
      vertical: sign(.vertical), light: sign(.light), heavy: sign(.heavy), joint: sign(.joint),
      downtime: sign(.downtime), pinned: sign(.pinned), urgent: sign(.urgent), failed: sign(.failed),
      between: sign(.between), ellipsis: sign(.ellipsis), sent: sign(.sent), enclosure: sign(.enclosure),
      more: sign(.more), open: sign(.open), closed: sign(.closed), paused: sign(.paused),
      spinner: Sign.spinner.texts(isASCII: isASCII), still: sign(.still), isASCII: isASCII)
  }
}
