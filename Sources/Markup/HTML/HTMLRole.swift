/// The effect of an element on the text, from one table. Unknown elements are transparent.
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

  static func named(_ name: String) -> HTMLRole { table[name] ?? .transparent }

  /// A view runs scripts, so `<noscript>` is hidden (HTML section 4.12.2).
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

  private static let table: [String: HTMLRole] = {
    var table: [String: HTMLRole] = [
      "p": .paragraph, "blockquote": .container(.quote), "ul": .container(.list), "menu": .container(.list),
      "dir": .container(.list), "ol": .container(.numberedList), "li": .container(.item),
      "dl": .container(.definitions), "dt": .term, "dd": .container(.details),
      "details": .container(.disclosure), "summary": .summary,
      "table": .container(.table), "tr": .row, "th": .container(.headerCell), "td": .container(.cell),
      "caption": .tableCaption, "col": .columns, "rt": .reading, "rp": .readingParenthesis,
      "sup": .raised, "sub": .lowered, "q": .quotation, "a": .link, "img": .image, "image": .image,
      "br": .lineBreak,
      "hr": .rule, "button": .button, "input": .input, "video": .embedded("video"),
      "audio": .embedded("audio"),
      "iframe": .embedded("page"), "embed": .embedded("object"), "object": .embedded("object"), "base": .base,
    ]
    for level in 1...6 { table["h\(level)"] = .heading(level) }
    let blocks = [
      "html", "body", "div", "section", "article", "header", "footer", "main", "nav", "aside", "address",
      "figure",
      "figcaption", "form", "fieldset", "legend", "center", "hgroup", "search", "tbody", "thead", "tfoot",
      "frameset",
    ]
    for name in blocks { table[name] = .block }
    for name in ["pre", "listing", "xmp", "plaintext", "textarea"] { table[name] = .preformatted }
    let hidden = [
      "head", "title", "script", "style", "template", "svg", "select", "datalist", "map", "meter", "progress",
      "canvas",
      "noframes", "applet", "frame",
    ]
    for name in hidden { table[name] = .hidden }
    let emphases: [(Emphasis, [String])] = [
      (.strong, ["b", "strong"]), (.stressed, ["i", "em", "cite", "var", "dfn"]),
      (.underlined, ["u", "ins"]),
      (.deleted, ["s", "strike", "del"]), (.code, ["code", "kbd", "samp", "tt"]), (.marked, ["mark"]),
      (.faint, ["small"]),
    ]
    for (emphasis, names) in emphases { for name in names { table[name] = .emphasis(emphasis) } }
    return table
  }()
}
