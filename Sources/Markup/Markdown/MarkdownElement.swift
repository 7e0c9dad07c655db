/// What a Markdown text is made of: blocks, and what stands between words.
enum MarkdownElement {
  case quote, list(List.Kind), item
  case paragraph, heading(Int), code, rule
  case table, tableHead, row, cell(Alignment)
  case emphasis(Emphasis)
  /// Their addresses as they are written.
  case link(String), image(String)
  /// It shows nothing of its own.
  case transparent
}
