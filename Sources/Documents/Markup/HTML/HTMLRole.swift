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
  case embedded(String, player: String? = nil)
  /// `<embed>`: the same, but nothing is inside, whatever the parser says.
  case player
  /// Pictures of which a browser chooses one, and each of them or of several recordings.
  case picture, source
  /// Of an object: its address, or a setting.
  case parameter
  /// For browsers without scripts: pictures in it repeat those that scripts load.
  case fallback
  case math, formula(FormulaRole)
  case base
  case hidden
  case transparent

  enum Container: Hashable {
    case quote, list, numberedList, item, definitions, details, disclosure, table, headerCell, cell
  }

  static func named(_ name: String) -> HTMLRole { ElementRoles.ofText(name) }

  /// A view runs scripts, so `<noscript>` is hidden (HTML, "The noscript element").
  static func inView(_ name: String) -> HTMLRole {
    let role = named(name)
    return role == .fallback ? .hidden : role
  }

  /// Whether its text has its own lines.
  var isBlock: Bool {
    switch self {
    case .block, .paragraph, .heading, .preformatted, .term, .summary, .row, .tableCaption, .container: true
    case .columns, .emphasis, .raised, .lowered, .quotation, .reading, .readingParenthesis, .link, .image,
      .lineBreak, .rule, .button, .input, .embedded, .picture, .source, .player, .parameter, .fallback, .math,
      .formula,
      .base, .hidden, .transparent:
      false
    }
  }
}
