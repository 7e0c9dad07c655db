/// What each element of HTML means: for text that is shown, and for finding the article of a page. The others mean nothing
/// by themselves: what is in them belongs to the element around.
enum ElementRoles {
  static func ofText(_ name: String) -> HTMLRole { table[name]?.text ?? .transparent }

  static func ofPage(_ name: String) -> PageRole { table[name]?.page ?? .transparent }

  private static let table: [String: (text: HTMLRole, page: PageRole)] = {
    var table: [String: (text: HTMLRole, page: PageRole)] = [:]
    for level in 1...6 { table["h\(level)"] = (.heading(level), .heading(level)) }
    let rows: [(names: String, text: HTMLRole, page: PageRole)] = [
      ("p", .paragraph, .block),
      ("blockquote", .container(.quote), .block),
      ("ul", .container(.list), .block),
      ("menu", .container(.list), .ignoredBlock),
      ("dir", .container(.list), .generic),
      ("ol", .container(.numberedList), .block),
      ("li", .container(.item), .item),
      ("dl", .container(.definitions), .block),
      ("dt", .term, .block),
      ("dd", .container(.details), .block),
      ("details", .container(.disclosure), .block),
      ("summary", .summary, .block),
      ("table", .container(.table), .table),
      ("tr", .row, .row),
      ("th", .container(.headerCell), .cell),
      ("td", .container(.cell), .cell),
      ("caption", .tableCaption, .block),
      ("col", .columns, .transparent),
      ("rt", .reading, .inline),
      ("rp", .readingParenthesis, .inline),
      ("sup", .raised, .inline),
      ("sub", .lowered, .inline),
      ("q", .quotation, .inline),
      ("a", .link, .link),
      ("img", .image, .image),
      ("image", .image, .transparent),
      ("br", .lineBreak, .lineBreak),
      ("hr", .rule, .rule),
      ("button", .button, .ignored),
      ("input", .input, .ignored),
      ("video", .embedded("video"), .ignored),
      ("audio", .embedded("audio"), .ignored),
      ("iframe", .embedded("page"), .ignoredBlock),
      ("embed object", .embedded("object"), .ignored),
      ("base", .base, .base),
      ("html body div section article main address center hgroup", .block, .generic),
      ("header footer form fieldset", .block, .surrounding),
      ("nav aside search", .block, .ignoredBlock),
      ("figure", .block, .figure),
      ("figcaption tbody thead tfoot", .block, .block),
      ("legend", .block, .ignored),
      ("frameset", .block, .transparent),
      ("pre", .preformatted, .preformatted),
      ("listing xmp plaintext", .preformatted, .transparent),
      ("textarea", .preformatted, .ignored),
      ("head", .hidden, .transparent),
      ("title", .hidden, .title),
      ("script style template svg select datalist map meter progress", .hidden, .ignored),
      ("canvas applet frame", .hidden, .ignored),
      ("noframes", .hidden, .ignoredBlock),
      ("b strong", .emphasis(.strong), .inline),
      ("i em cite var dfn", .emphasis(.stressed), .inline),
      ("u ins", .emphasis(.underlined), .inline),
      ("s strike del", .emphasis(.deleted), .inline),
      ("code kbd samp tt", .emphasis(.code), .inline),
      ("mark", .emphasis(.marked), .inline),
      ("small", .emphasis(.faint), .inline),
      ("meta", .transparent, .meta),
      ("noscript label link", .transparent, .ignored),
      ("dialog", .transparent, .ignoredBlock),
      ("ruby", .transparent, .inline),
    ]
    for row in rows {
      for name in row.names.split(separator: " ") { table[String(name)] = (row.text, row.page) }
    }
    return table
  }()
}
