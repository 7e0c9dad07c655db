/// The role of an HTML element when the article of a page is extracted. The roles are in `ElementRoles`.
enum PageRole: Hashable {
  /// An element whose content is not read.
  case ignored
  /// An element like `ignored` that also ends the text before it.
  case ignoredBlock
  /// An element that contains blocks and has no other meaning.
  case generic
  /// A `generic` element that is usually around the article: it is left out unless it contains most of the page's text.
  case surrounding
  /// A part of the text on its own lines, for example a paragraph.
  case block
  case heading(Int)
  case item
  case table, row, cell
  case preformatted
  case figure
  case inline
  case link
  case image, lineBreak, rule
  /// `picture`, from whose sources a browser chooses one, and `source`.
  case picture, source
  case title, meta, base
  /// An element that is handled as if only its content were there.
  case transparent

  static func named(_ name: String) -> PageRole { ElementRoles.ofPage(name) }

  /// Whether the element begins and ends a block of text.
  var isBlock: Bool {
    switch self {
    case .generic, .surrounding, .block, .heading, .item, .table, .row, .cell, .preformatted, .figure: true
    case .ignored, .ignoredBlock, .inline, .link, .image, .picture, .source, .lineBreak, .rule, .title, .meta,
      .base, .transparent:
      false
    }
  }

  /// Whether an article may consist only of the content of one element with this role.
  var canHoldArticle: Bool {
    switch self {
    case .generic, .surrounding, .table, .row, .cell: true
    case .ignored, .ignoredBlock, .block, .heading, .item, .preformatted, .figure, .inline, .link, .image,
      .picture, .source, .lineBreak, .rule, .title, .meta, .base, .transparent:
      false
    }
  }

  /// Returns the names of the attributes that are kept.
  static func keptAttributes(of name: String) -> [String] {
    switch name {
    case "a", "base": ["href"]
    case "img", "amp-img": ["alt", "width", "height", "class"]
    case "ol": ["start", "type", "reversed"]
    case "li": ["value"]
    case "td", "th": ["colspan", "rowspan", "align"]
    case _: []
    }
  }
}
