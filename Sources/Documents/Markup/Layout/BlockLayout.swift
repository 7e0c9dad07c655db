import Screen

/// Lays blocks out as lines at a width.
struct BlockLayout {
  let theme: MarkupTheme
  var writer: LineWriter
  /// The number of lists around the current block.
  private var listDepth = 0
  /// The alignment of the current block.
  private var alignment = Alignment.left
  /// Whether the blocks are the content of a table's cell, whose lines the table aligns and fills.
  private let isCell: Bool
  private let pictures: [BodyPicture]
  /// The places for pictures. The cells of tables have none.
  private(set) var places: [PicturePlace] = []

  /// Creates the layout of blocks at a width.
  ///
  /// - Parameters:
  ///   - limit: the number of lines needed; layout stops soon after.
  ///   - pictures: the pictures of the document.
  init(width: Int, theme: MarkupTheme, limit: Int, isCell: Bool = false, pictures: [BodyPicture] = []) {
    self.theme = theme
    self.isCell = isCell
    self.pictures = pictures
    writer = LineWriter(width: width, limit: limit)
  }

  private var continuation: StyledText { BlockLayout.continuation(theme) }

  /// Returns the symbol at the beginning of a line that continues a cut word or a cut line of code.
  static func continuation(_ theme: MarkupTheme) -> StyledText {
    StyledText(theme.marks.continuation, style: theme.faint)
  }

  /// Writes blocks, with blank lines between them where they need some.
  ///
  /// - Parameter base: the style of the text around them.
  mutating func write(_ blocks: [Block], base: Style) {
    var previous: Block?
    for block in blocks where !writer.isFull {
      if let previous, previous.isSpaced || block.isSpaced {
        let fill = writer.fill
        if !isCell { writer.fill = block.gapBackground }
        writer.gap()
        writer.fill = fill
      }
      write(block, base: base)
      previous = block
    }
  }

  private mutating func write(_ block: Block, base: Style) {
    let before = (writer.fill, alignment)
    if !isCell { writer.fill = block.background }
    alignment = block.alignment
    defer { (writer.fill, alignment) = before }
    switch block.content {
    case .paragraph(let words): write(words, base: base)
    case .heading(let level, let words): write(words, base: theme.heading(level).over(base))
    case .preformatted(let words): writeCode(words, base: theme.preformatted.over(base))
    case .quote(let blocks): writeQuote(blocks, base: base)
    case .list(let list): write(list, base: base)
    case .definitions(let definitions): write(definitions, base: base)
    case .disclosure(let summary, let blocks):
      writer.push(first: theme.marks.disclosure + " ", rest: "  ", style: theme.listMark)
      write(summary, base: theme.strong.over(base))
      writer.writeMarks()
      write(blocks, base: base)
      writer.pop()
    case .table(let table):
      let layout = TableLayout(table, theme: theme, base: base, columns: writer.columns)
      write(whole: layout.lines(upTo: writer.room))
    case .rule: writer.write(StyledText(SafeText(theme.marks.line, count: writer.columns), style: theme.rule))
    case .drawing(let lines): write(whole: lines, isDrawing: true)
    case .note(let text): write(Inline(text), base: theme.note)
    }
  }

  private mutating func write(_ words: Inline, base: Style) {
    for line in words.lines where !writer.isFull {
      let drawn = line.filter { $0.picture != nil }
      if line.allSatisfy(\.isBlank) {
        // A line of only spaces is a blank line, but a picture may have no text.
        if drawn.isEmpty { writer.gap() } else { writer.writeMarks() }
        for span in drawn { addPlace(of: span, isAlone: true) }
        continue
      }
      let text = BlockLayout.styled(line, theme: theme, base: base)
      for part in text.wrapped(to: writer.columns, continuation: continuation) {
        writer.write(aligned(part, columns: part.columns))
      }
      for span in drawn { addPlace(of: span, isAlone: false) }
    }
  }

  /// Adds the place for a picture below the line that describes it.
  private mutating func addPlace(of span: Span, isAlone: Bool) {
    guard let picture = span.picture, pictures.indices.contains(picture) else { return }
    places.append(
      PicturePlace(
        picture: pictures[picture], link: span.link, line: writer.lines.count, margin: writer.margin,
        columns: writer.columns, isAlone: isAlone))
  }

  /// Writes lines whose positions relative to each other must not change.
  private mutating func write(whole lines: [StyledText], isDrawing: Bool = false) {
    let columns = lines.lazy.map(\.columns).max() ?? 0
    for line in lines { writer.write(aligned(line, columns: columns), isDrawing: isDrawing) }
  }

  /// Returns the line with spaces before it, according to the alignment of its block.
  ///
  /// - Parameter columns: the width that is aligned: that of the line, or of several lines together.
  private func aligned(_ line: StyledText, columns: Int) -> StyledText {
    let spare = max(0, writer.columns - columns)
    guard spare > 0, !line.isEmpty, !isCell else { return line }
    switch alignment {
    case .left: return line
    case .center: return StyledText(.spaces(spare / 2)) + line
    case .right: return StyledText(.spaces(spare)) + line
    }
  }

  /// Writes code with its lines and spaces, indented by four columns except in a table.
  private mutating func writeCode(_ words: Inline, base: Style) {
    writer.push(rest: .spaces(isCell ? 0 : 4), style: base)
    for line in words.lines where !writer.isFull {
      let bare = line.map {
        Span($0.text, $0.emphasis.subtracting(.code), link: $0.link, colors: $0.colors)
      }
      let text = BlockLayout.styled(bare, theme: theme, base: base)
      for part in text.cut(to: writer.columns, continuation: continuation) {
        writer.write(aligned(part, columns: part.columns))
      }
    }
    writer.pop()
  }

  private mutating func writeQuote(_ blocks: [Block], base: Style) {
    if let word = theme.marks.quote { writer.write(StyledText(word, style: theme.quote.over(base))) }
    writer.push(rest: theme.marks.bar + " ", style: theme.quoteBar)
    write(blocks, base: theme.quote.over(base))
    writer.pop()
  }

  private mutating func write(_ list: List, base: Style) {
    let bullets = theme.marks.bullets
    let bullet = bullets.isEmpty ? "*" : bullets[listDepth % bullets.count]
    let marks: [SafeText] =
      switch list.kind {
      case .bullets: list.items.map { _ in bullet + " " }
      case .labels(let labels): labels.map { $0 + " " }
      }
    let widest = marks.lazy.map(\.columns).max() ?? 0
    let isLoose = list.items.contains(where: BlockLayout.isLoose)
    listDepth += 1
    for (index, (item, mark)) in zip(list.items, marks).enumerated() where !writer.isFull {
      if isLoose, index > 0 { writer.gap() }
      writer.push(first: .spaces(widest - mark.columns) + mark, rest: .spaces(widest), style: theme.listMark)
      write(item, base: base)
      writer.writeMarks()
      writer.pop()
    }
    listDepth -= 1
  }

  /// Whether an item has several paragraphs, so that there are blank lines between all items.
  private static func isLoose(_ item: [Block]) -> Bool {
    item.count > 1 && item.dropFirst().contains(where: \.isSpaced)
  }

  private mutating func write(_ definitions: [Definition], base: Style) {
    for definition in definitions where !writer.isFull {
      write(definition.term, base: theme.strong.over(base))
      writer.push(rest: "    ", style: .plain)
      write(definition.details, base: base)
      writer.pop()
    }
  }

  /// Returns a line of spans as styled text, with marks around emphasis that attributes do not show.
  static func styled(_ line: [Span], theme: MarkupTheme, base: Style) -> StyledText {
    var result = StyledText()
    var open: Emphasis = []
    func mark(_ emphasis: Emphasis, _ style: Style) {
      if emphasis.contains(.code) { result.append(theme.marks.code, style: style, isWhole: true) }
      if emphasis.contains(.deleted) { result.append(theme.marks.deleted, style: style) }
    }
    for (index, span) in line.enumerated() {
      let style = span.colors.over(theme.style(of: span).over(base))
      var now = span.emphasis.intersection([.code, .deleted])
      // A link's number is inside the marks if the emphasis continues after it, and otherwise outside.
      if span.emphasis.contains(.linkNumber) {
        now = index + 1 < line.count ? now.intersection(line[index + 1].emphasis) : []
      }
      if now != open { mark(open.symmetricDifference(now), theme.faint.over(base)) }
      open = now
      result.append(span.text, style: style, link: span.link, isWhole: now.contains(.code))
    }
    mark(open, theme.faint.over(base))
    return result
  }
}
