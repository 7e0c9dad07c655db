import Messages
import Screen

/// The feeds of a page.
enum ChoicesPage {
  /// Lines above the first choice.
  static let headRows = 2
}

/// The lines of what covers the panes, where those scroll.
extension AppState {
  /// The characters of what a program or a server said about a failure.
  private static let longestReason = 4000

  /// How many there are; nil for what doesn't scroll.
  func overlayRows(columns: Int) -> Int? {
    switch dialog.overlay {
    case .help: HelpPage(options: options, place: placeBelow).rows(columns: columns)
    case .problem(let source, _): problem(of: source, columns: columns).count
    case .messages: messagesSaid(columns: columns).count
    case .choices, .address, nil: nil
    }
  }

  /// What failed, where, and since when: the reason in full.
  func problem(of source: SourceID, columns: Int) -> [StyledText] {
    guard let status = shown.sources.status(source) else { return [] }
    var lines = [StyledText(shown.sources.titles[source] ?? .empty, style: Palette.heading)]
    lines.append(StyledText(SafeText(untrusted: status.source.shownAddress), style: Palette.quiet))
    lines.append(.empty)
    if let failure = status.state.lastFailure {
      lines.append(StyledText(words.sentence(failure, longest: Self.longestReason), style: Palette.failure))
    } else if status.state.isGone {
      lines.append(StyledText(words(.shortGone), style: Palette.failure))
    }
    lines.append(.empty)
    let success = status.state.lastSuccess.map {
      words(.lastSuccess, words.instant($0, from: now, in: options.zone))
    }
    lines.append(StyledText(success ?? words(.neverSucceeded), style: Palette.quiet))
    if let polling = polling[source], let next = polling.next {
      let time = words.instant(next, from: now, in: options.zone)
      lines.append(
        StyledText(words(.next, time) + " (" + words.reason(polling.rule) + ")", style: Palette.quiet))
    }
    return lines.flatMap { $0.isEmpty ? [$0] : $0.wrapped(to: max(1, columns - 2)) }
  }

  /// What the bottom line has said, newest first, each with its time.
  func messagesSaid(columns: Int) -> [StyledText] {
    if statusLine.said.isEmpty { return [StyledText(words(.saidNothing), style: Palette.quiet)] }
    return statusLine.said.flatMap { said in
      let time = said.at.map { words.instant($0, from: now, in: options.zone, seconds: true) } ?? .empty
      let start = StyledText(time + "  ", style: Palette.quiet)
      let isBeside = columns - start.columns >= 24
      let indent = isBeside ? start.columns : 2
      let text = StyledText(said.toast.text(options.signs), style: said.toast.kind.style)
      let lines = text.wrapped(to: max(1, columns - 2 - indent))
      let indented = lines.enumerated().map { index, line in
        (index == 0 && isBeside ? start : StyledText(.spaces(indent))) + line
      }
      return isBeside ? indented : [start] + indented
    }
  }
}
