package import Screen

/// The lines of a document at a width, or as many of the first ones as were asked for.
package struct DocumentLayout: Hashable, Sendable {
  /// None is longer than the width.
  package var lines: [StyledText] = []
  /// False where more lines follow. Laying the same document out further gives these lines again, and more.
  package var isComplete = true

  /// A layout without a line.
  package init() {}
}

extension Document {
  /// The lines of the text at that width; none is longer, none at all without a column.
  /// - Parameter listsLinks: whether the numbered links follow at the end with their addresses.
  package func layout(width: Int, theme: MarkupTheme = .standard, listsLinks: Bool = true) -> [StyledText] {
    layout(width: width, theme: theme, listsLinks: listsLinks, upTo: .max).lines
  }

  /// The first lines of the text at that width: at least as many as asked for, where there are that many, and then only
  /// what one paragraph or row adds.
  ///
  /// The work is that of the lines that are made. Who needs more asks with a limit twice as high, and has done at most
  /// twice the work in the end. All values are `Sendable`: a large text is laid out on any thread.
  package func layout(
    width: Int, theme: MarkupTheme = .standard, listsLinks: Bool = true, upTo limit: Int
  ) -> DocumentLayout {
    var result = DocumentLayout()
    guard width > 0 else { return result }
    var layout = BlockLayout(width: width, theme: theme, limit: limit)
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
    return result
  }
}
