/// The effect of an element on the text (`ElementRoles`).
enum HTMLRole: Hashable {
  case block, paragraph, heading(Int), preformatted, term, summary, row, tableCaption, columns
  /// It contains blocks.
  case container(Container)
  case emphasis(Emphasis), raised, lowered, quotation
  /// `<rt>` and `<rp>`: ruby text, and parentheses for browsers without ruby.
  case reading, readingParenthesis
  case link, image, lineBreak, rule, button, input
  /// Video, sound, frames: only their address can be shown.
  case embedded(String)
  case base
  case hidden
  case transparent

  enum Container: Hashable {
    case quote, list, numberedList, item, definitions, details, disclosure, table, headerCell, cell
  }

  static func named(_ name: String) -> HTMLRole { ElementRoles.ofText(name) }

  /// A view runs scripts, so `<noscript>` is hidden (HTML, "The noscript element").
  static func inView(_ name: String) -> HTMLRole { name == "noscript" ? .hidden : named(name) }

  /// Whether its text has its own lines.
  var isBlock: Bool {
    switch self {
    case .block, .paragraph, .heading, .preformatted, .term, .summary, .row, .tableCaption, .container: true
    case .columns, .emphasis, .raised, .lowered, .quotation, .reading, .readingParenthesis, .link, .image,
      .lineBreak, .rule, .button, .input, .embedded, .base, .hidden, .transparent:
      false
    }
  }
}
