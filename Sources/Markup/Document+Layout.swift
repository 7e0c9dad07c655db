package import Screen

extension Document {
  /// The lines of the text at that width; none is longer, none at all without a column.
  /// - Parameter listsLinks: whether the numbered links follow at the end with their addresses.
  package func layout(width: Int, theme: MarkupTheme = .standard, listsLinks: Bool = true) -> [StyledText] {
    guard width > 0 else { return [] }
    var layout = BlockLayout(width: width, theme: theme)
    layout.write(blocks, base: theme.text)
    layout.writer.trimEnd()
    if listsLinks, !links.isEmpty {
      layout.writer.gap()
      layout.writer.write(StyledText(SafeText(theme.marks.line, count: min(8, width)), style: theme.rule))
      layout.write(links)
    }
    return layout.writer.lines
  }
}
