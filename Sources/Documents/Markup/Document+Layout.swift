package import Screen

/// The lines of a document at a width, or the first of them up to a limit.
package struct DocumentLayout: Hashable, Sendable {
  /// None is wider than the width.
  package var lines: [StyledText] = []
  /// False if more lines follow. A layout with a higher limit has these lines again, and more.
  package var isComplete = true
  /// Where the document's pictures may be drawn, from the top to the bottom.
  package var pictures: [PicturePlace] = []

  /// A layout without a line.
  package init() {}
}

extension Document {
  /// The lines of the text; none is wider than `width`. Empty if `width` is 0.
  /// - Parameter listsLinks: whether the numbered links follow at the end with their addresses.
  package func layout(width: Int, theme: MarkupTheme = .standard, listsLinks: Bool = true) -> [StyledText] {
    layout(width: width, theme: theme, listsLinks: listsLinks, upTo: .max).lines
  }

  /// The first lines of the text: at least `limit` if the text has as many, and up to the end of the paragraph or row
  /// that reaches it.
  ///
  /// The time depends on the lines that are made. A caller that needs more doubles the limit, so that the total is at
  /// most twice the time. All values are `Sendable`: a large text can be laid out on any thread.
  package func layout(
    width: Int, theme: MarkupTheme = .standard, listsLinks: Bool = true, upTo limit: Int
  ) -> DocumentLayout {
    var result = DocumentLayout()
    guard width > 0 else { return result }
    var layout = BlockLayout(width: width, theme: theme, limit: limit, pictures: pictures)
    layout.write(blocks, base: theme.text)
    if listsLinks, !links.isEmpty, !layout.writer.isFull {
      layout.writer.trimEnd()
      layout.writer.gap()
      layout.writer.write(StyledText(SafeText(theme.marks.line, count: min(8, width)), style: theme.rule))
      layout.write(links)
    }
    result.isComplete = !layout.writer.isFull
    if result.isComplete { layout.writer.trimEnd() }
    result.lines = layout.writer.lines
    result.pictures = layout.places
    return result
  }
}
