package import Screen

/// The lines of a document at a width, or the first of them up to a limit.
package struct DocumentLayout: Hashable, Sendable {
  /// The lines; none is wider than the width.
  package var lines: [StyledText] = []
  /// Whether no more lines follow. A layout with a higher limit contains the same lines, and more.
  package var isComplete = true
  /// The places of the document's pictures in the lines, from top to bottom.
  package var pictures: [PicturePlace] = []

  /// Creates a layout without lines.
  package init() {}
}

extension Document {
  /// Returns the lines of the text; none is wider than `width`. The result is empty if `width` is 0.
  ///
  /// - Parameter listsLinks: whether the numbered links follow at the end with their URLs.
  package func layout(width: Int, theme: MarkupTheme = .standard, listsLinks: Bool = true) -> [StyledText] {
    layout(width: width, theme: theme, listsLinks: listsLinks, upTo: .max).lines
  }

  /// Returns the first lines of the text: at least `limit` if there are as many, up to the end of the paragraph or row
  /// that contains the last of them.
  ///
  /// The time depends on the number of lines. A caller that needs more doubles the limit, so that the total time is at
  /// most doubled. All values are `Sendable`: large text can be laid out on any thread.
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
