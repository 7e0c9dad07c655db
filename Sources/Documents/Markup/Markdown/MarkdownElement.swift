/// The elements of a Markdown text: blocks and inline ones.
enum MarkdownElement {
  case quote, list(List.Kind), item
  case paragraph, heading(Int), code, rule
  case table, tableHead, row, cell(Alignment)
  case emphasis(Emphasis)
  /// With their addresses as written.
  case link(String), image(String)
  /// It has no effect itself.
  case transparent
}
