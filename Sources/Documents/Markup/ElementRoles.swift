import Basics

/// The role of each HTML element, for showing text and for finding the article of a page. Other elements are
/// `transparent`: their content belongs to the element around them.
enum ElementRoles {
  /// Returns the role of an element when HTML is shown as text.
  static func ofText(_ name: String) -> HTMLRole { table[name]?.text ?? .transparent }

  /// Returns the role of an element when the article of a page is extracted.
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
      ("object", .embedded("object"), .ignored),
      ("embed", .player, .ignored),
      ("amp-video amp-video-iframe", .embedded("video"), .ignored),
      ("amp-audio", .embedded("audio"), .ignored),
      ("amp-iframe", .embedded("page"), .ignoredBlock),
      ("amp-img", .image, .image),
      ("picture", .picture, .picture),
      ("source", .source, .source),
      ("param", .parameter, .transparent),
      ("math", .math, .inline),
      ("annotation annotation-xml mphantom", .hidden, .ignored),
      ("mfrac", .formula(.fraction), .inline),
      ("msqrt", .formula(.squareRoot), .inline),
      ("mroot", .formula(.root), .inline),
      ("msup mover", .formula(.raised), .inline),
      ("msub munder", .formula(.lowered), .inline),
      ("msubsup munderover", .formula(.loweredAndRaised), .inline),
      ("mfenced", .formula(.fenced), .inline),
      ("mtable", .formula(.table), .inline),
      ("mtr mlabeledtr", .formula(.row), .inline),
      ("mspace", .formula(.space), .inline),
      ("mi mn mo ms mtext mrow mstyle mtd", .transparent, .inline),
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
      ("script style template svg select datalist meter progress", .hidden, .ignored),
      ("canvas frame", .hidden, .ignored),
      ("noframes", .hidden, .ignoredBlock),
      ("b strong", .emphasis(.strong), .inline),
      ("i em cite var dfn", .emphasis(.stressed), .inline),
      ("u ins", .emphasis(.underlined), .inline),
      ("s strike del", .emphasis(.deleted), .inline),
      ("code kbd samp tt", .emphasis(.code), .inline),
      ("mark", .emphasis(.marked), .inline),
      ("small", .emphasis(.faint), .inline),
      ("meta", .transparent, .meta),
      ("noscript", .fallback, .ignored),
      ("label link", .transparent, .ignored),
      ("dialog", .transparent, .ignoredBlock),
      ("ruby", .transparent, .inline),
    ]
    for row in rows {
      for name in row.names.split(onBytes: " ") { table[String(name)] = (row.text, row.page) }
    }
    return table
  }()
}
