package import Markup
package import Screen

/// The symbols of the screen. Every state has one, so that none depends on colour.
package struct Signs: Hashable, Sendable {
  /// The symbol of unread and unseen messages.
  package var dot: SafeText
  /// The symbol of starred messages, and the bar at the selected row.
  package var star: SafeText
  package var bar: SafeText
  /// The symbol before the number of messages that a row combines.
  package var times: SafeText
  /// The symbol of a message that is marked for the next action.
  package var mark: SafeText
  /// The vertical line between panes, the horizontal lines of a pane without and with the focus, and the joint of two
  /// lines.
  package var vertical: SafeText
  package var light: SafeText
  package var heavy: SafeText
  package var joint: SafeText
  /// The symbols of kinds and states of a message.
  package var downtime: SafeText
  package var pinned: SafeText
  package var urgent: SafeText
  package var failed: SafeText
  /// The text between two parts of a line.
  package var between: SafeText
  /// The symbol between a source and its message.
  package var within: SafeText
  package var ellipsis: SafeText
  /// The symbol before changes that were sent to a service.
  package var sent: SafeText
  /// The symbol before an attachment.
  package var enclosure: SafeText
  /// The symbol of more text below.
  package var more: SafeText
  /// The symbols of a folder whose sources are shown, and of one whose sources are not.
  package var open: SafeText
  package var closed: SafeText
  package var paused: SafeText
  package var spinner: [SafeText]
  /// The symbol that replaces the spinner if animations are off.
  package var still: SafeText
  /// Whether text is drawn in ASCII only; the layout of messages uses it too.
  package var isASCII: Bool
  /// The word that is put before a quotation if states are words, since a screen reader does not read the
  /// bar; otherwise `nil`.
  private var quote: SafeText?

  /// Whether states are words, for a screen reader.
  package var areWords: Bool { quote != nil }

  /// - Parameters:
  ///   - isASCII: whether the locale has only ASCII characters.
  ///   - areWords: whether the symbols are words for a screen reader.
  package static func fitting(isASCII: Bool, areWords: Bool, words: Words) -> Signs {
    guard areWords else { return isASCII ? .ascii : .unicode }
    return Signs(
      dot: words(.stateNew), star: .empty, bar: .empty, times: .empty, mark: .empty, vertical: " ",
      light: " ", heavy: " ",
      joint: " ",
      downtime: words(.stateDowntime), pinned: words(.statePinned), urgent: words(.stateUrgent),
      failed: words(.stateFailed) + ":", between: ", ", within: ": ", ellipsis: .empty, sent: .empty,
      enclosure: words(.stateEnclosure) + ":", more: words(.stateMore),
      open: words(.stateOpen), closed: words(.stateClosed), paused: words(.shortPaused), spinner: [],
      still: .empty, isASCII: isASCII, quote: words(.stateQuote))
  }

  /// The theme that draws the text of messages and views.
  package var markup: MarkupTheme {
    if let quote { return .inWords(quote: quote) }
    return isASCII ? .ascii : .standard
  }

  /// Returns the text with a symbol before it, or only the text if there is no symbol.
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
      between: sign(.between), within: sign(.within), ellipsis: sign(.ellipsis), sent: sign(.sent),
      enclosure: sign(.enclosure),
      more: sign(.more), open: sign(.open), closed: sign(.closed), paused: sign(.paused),
      spinner: Sign.spinner.texts(isASCII: isASCII), still: sign(.still), isASCII: isASCII)
  }
}
