import Screen

/// Collects lines and adds their margins at the left: bars, indentation, list marks.
struct LineWriter {
  /// Text at the beginning of each line.
  private struct Margin {
    /// The text used instead of `rest` until the first line is written.
    var first: SafeText?
    var rest: SafeText
    var style: Style
  }

  /// The minimum width of text. A margin that would leave less is not added.
  private static let narrowest = 12

  let width: Int
  /// The background of the following lines, from the current margins to the right edge.
  var fill = Color.terminal
  private(set) var lines: [StyledText] = []
  private var margins: [Margin] = []
  /// The width of all margins.
  private var marginColumns = 0
  /// Whether a margin has a `first` that was not written yet.
  private var hasFirst = false
  /// Whether the last line is blank.
  private var isBlank = true
  /// The joined margins after each call of `push`; the first element is empty, and the last one is current.
  private var rests = [StyledText()]

  /// The number of lines needed.
  private let limit: Int

  init(width: Int, limit: Int) {
    self.width = width
    self.limit = limit
  }

  /// Whether enough lines were written. This is `false` after an empty line, which would be removed at the end of the
  /// text.
  var isFull: Bool { lines.count >= limit && lines.last?.isEmpty != true }

  /// The number of lines still needed.
  var room: Int { isFull ? 0 : max(1, limit - lines.count) }

  /// The width of the next lines.
  var columns: Int { max(1, width - marginColumns) }

  /// Adds a margin until `pop`. For an item of a list, `first` is its mark and `rest` its indentation. If the screen is
  /// too narrow, only the mark is shown, if necessary on its own line.
  mutating func push(first: SafeText? = nil, rest: SafeText, style: Style) {
    var rest = rest
    if width - marginColumns - rest.columns < Self.narrowest { rest = .empty }
    let style = onFill(style)
    margins.append(Margin(first: first, rest: rest, style: style))
    marginColumns += rest.columns
    hasFirst = hasFirst || first != nil
    rests.append(self.rest + StyledText(rest, style: style))
  }

  /// Removes the innermost margin.
  mutating func pop() {
    guard let margin = margins.popLast() else { return }
    marginColumns -= margin.rest.columns
    hasFirst = hasFirst && margins.contains { $0.first != nil }
    rests.removeLast()
  }

  private var rest: StyledText { rests[rests.count - 1] }

  /// The beginning of the next lines, without the marks that only the first line of an item has.
  var margin: StyledText { rest }

  /// Writes a line after the margins.
  ///
  /// - Parameter isDrawing: whether the colours are those of a picture, which needs no contrast.
  mutating func write(_ line: StyledText, isDrawing: Bool = false) {
    isBlank = line.isEmpty && !hasFirst
    if isBlank { return lines.append(barsOnly) }
    var result = rest
    if hasFirst {
      let marked = StyledText(
        runs: margins.map { StyledText.Run(text: $0.first ?? $0.rest, style: $0.style) })
      for index in margins.indices { margins[index].first = nil }
      hasFirst = false
      if marked.columns + line.columns <= width {
        result = marked
      } else {
        lines.append(filled(marked))
      }
    }
    if fill == .terminal {
      result += line
    } else {
      for run in line.runs {
        let style = isDrawing ? run.style.over(Style(background: fill)) : onFill(run.style)
        result.append(run.text, style: style, link: run.link)
      }
    }
    lines.append(filled(result))
  }

  /// Adds a blank line, unless there already is one or it would be the first line.
  mutating func gap() {
    guard !isBlank, !lines.isEmpty else { return }
    isBlank = true
    lines.append(barsOnly)
  }

  /// Writes a line with only the mark of an item, if the item has no line because it is empty. If enough
  /// lines were written, does nothing, since the item may have text that was not laid out.
  mutating func writeMarks() {
    if hasFirst, !isFull { write(.empty) }
  }

  /// The margin of an empty line: its bars, without spaces after the last one.
  private var barsOnly: StyledText {
    guard fill == .terminal else { return filled(rest) }
    return rest.withoutSpacesAtEnd.prefix(columns: width)
  }

  /// Returns a style on the current background, with enough contrast.
  private func onFill(_ style: Style) -> Style {
    fill == .terminal ? style : style.over(Style(background: fill)).legible
  }

  /// Returns a line cut to the width, and filled to the right edge if there is a background.
  private func filled(_ line: StyledText) -> StyledText {
    let line = line.prefix(columns: width)
    return fill == .terminal ? line : line.padded(to: width, style: Style(background: fill))
  }

  /// Removes empty lines at the end.
  mutating func trimEnd() {
    while let last = lines.last, last.isEmpty { lines.removeLast() }
  }
}
