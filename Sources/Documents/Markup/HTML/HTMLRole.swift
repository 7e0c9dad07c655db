/// The effect of an HTML element when HTML is shown as text. The roles are in `ElementRoles`.
enum HTMLRole: Hashable {
  case block, paragraph, heading(Int), preformatted, term, summary, row, tableCaption, columns
  /// An element that contains blocks.
  case container(Container)
  case emphasis(Emphasis), raised, lowered, quotation
  /// `<rt>` and `<rp>`: ruby text, and parentheses for browsers without ruby.
  case reading, readingParenthesis
  case link, image, lineBreak, rule, button, input
  /// A video, sound or frame, of which only the URL can be shown; with its kind, and with the URL of the
  /// player's page if the URL is not in one of the usual attributes.
  case embedded(String, player: String? = nil)
  /// `<embed>`, which is `embedded` but has no content, even if the parser reports some.
  case player
  /// `picture`, from whose alternatives a browser chooses one, and `source`, which is one of them or one of several
  /// recordings.
  case picture, source
  /// A parameter of an object: its URL, or a setting.
  case parameter
  /// Content for browsers without scripts, whose pictures repeat those that scripts load.
  case fallback
  case math, formula(FormulaRole)
  case base
  case hidden
  case transparent

  /// An element that contains blocks, by its meaning.
  enum Container: Hashable {
    case quote, list, numberedList, item, definitions, details, disclosure, table, headerCell, cell
  }

  static func named(_ name: String) -> HTMLRole { ElementRoles.ofText(name) }

  /// Returns the role of an element in a view (the HTML page of a banner). A view runs scripts, so `<noscript>` is
  /// hidden (HTML, "The noscript element").
  static func inView(_ name: String) -> HTMLRole {
    let role = named(name)
    return role == .fallback ? .hidden : role
  }

  /// Whether the text of an element with this role has its own lines.
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
