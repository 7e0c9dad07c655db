/// A line of text in several styles, some parts of which may be links.
package struct StyledText: Hashable, Sendable {
  /// A part of one style.
  package struct Run: Hashable, Sendable {
    package var text: SafeText
    package var style: Style
    /// The number of the link that the run shows, as in `[1]`.
    package var link: Int?
    /// Whether the run stays unbroken if it fits on a line.
    package var isWhole: Bool
    /// The row of a picture that begins here, over this run and those after it on the line.
    package var graphic: GraphicRow?

    package init(text: SafeText, style: Style = .plain, link: Int? = nil, isWhole: Bool = false) {
      self.text = text
      self.style = style
      self.link = link
      self.isWhole = isWhole
    }
  }

  package private(set) var runs: [Run]
  package private(set) var columns: Int

  /// Creates text; empty runs are left out, and neighbours of the same style are joined.
  package init(runs: [Run] = []) {
    self.runs = []
    columns = 0
    self.runs.reserveCapacity(runs.count)
    for run in runs { append(run) }
  }

  package init(_ text: SafeText, style: Style = .plain, link: Int? = nil) {
    self.init(runs: [Run(text: text, style: style, link: link)])
  }

  package static let empty = StyledText()

  package var isEmpty: Bool { runs.isEmpty }

  /// The text without its styles.
  package var plain: String { runs.reduce(into: "") { $0 += $1.text.text } }

  package mutating func append(_ run: Run) {
    guard !run.text.isEmpty else { return }
    columns += run.text.columns
    if let last = runs.last, last.style == run.style, last.link == run.link, last.isWhole == run.isWhole,
      run.graphic == nil
    {
      runs[runs.count - 1].text += run.text
    } else {
      runs.append(run)
    }
  }

  package mutating func append(
    _ text: SafeText, style: Style = .plain, link: Int? = nil, isWhole: Bool = false
  ) {
    append(Run(text: text, style: style, link: link, isWhole: isWhole))
  }

  package static func + (a: StyledText, b: StyledText) -> StyledText {
    var sum = a
    for run in b.runs { sum.append(run) }
    return sum
  }

  package static func += (a: inout StyledText, b: StyledText) {
    for run in b.runs { a.append(run) }
  }

  /// Returns the text with all of it linked to one number, or without links.
  package func linked(_ number: Int?) -> StyledText {
    StyledText(
      runs: runs.map { run in
        var run = run
        run.link = number
        return run
      })
  }

  /// Returns the line with the row of a picture over it; an empty line is unchanged.
  package func beginning(_ graphic: GraphicRow) -> StyledText {
    var text = self
    if !runs.isEmpty { text.runs[0].graphic = graphic }
    return text
  }
}
