package import Screen

/// The styles of the parts of text. Nothing depends on colour alone: an attribute, a mark or the layout shows it too.
package struct MarkupTheme: Hashable, Sendable {
  package var text = Style.plain
  package var strong = Style.bold
  package var stressed = Style.italic
  package var underlined = Style.underline
  package var deleted = Style(roles: .dim)
  package var marked = Style.reverse
  package var faint = Style(roles: .dim)
  package var code = Style(roles: .code)
  package var image = Style(roles: .image)
  package var link = Style(roles: .link)
  package var linkNumber = Style(roles: .dim)
  /// The styles of headings of the levels 1 to 6; deeper ones use the last.
  package var headings = [
    Style(attributes: [.bold, .underline], roles: .heading),
    Style(attributes: .bold, roles: .heading),
    Style(attributes: [.bold, .underline]), .bold, Style(attributes: [.bold, .italic]), .underline,
  ]
  package var quote = Style(roles: .quote)
  package var quoteBar = Style(roles: [.quote, .dim])
  package var preformatted = Style(roles: .code)
  package var tableHeader = Style.bold
  package var tableLine = Style(roles: .dim)
  package var rule = Style(roles: .dim)
  package var listMark = Style(roles: .accent)
  package var note = Style(roles: .note)
  package var marks = Marks.unicode

  package init() {}

  /// The theme with Unicode symbols.
  package static let standard = MarkupTheme()

  /// The theme for terminals without UTF-8.
  package static let ascii: MarkupTheme = {
    var theme = MarkupTheme()
    theme.marks = .ascii
    return theme
  }()

  /// Returns the theme for screen readers: without drawn lines, with a word before a quotation, and a heading before
  /// each table cell.
  package static func inWords(quote: SafeText) -> MarkupTheme {
    var theme = MarkupTheme()
    theme.marks = Marks(
      bullets: ["-"], bar: .empty, line: .empty, column: .empty, crossing: .empty, disclosure: .empty,
      code: .empty,
      quote: quote, continuation: .empty, ellipsis: .empty)
    return theme
  }

  /// The theme without symbols around code and between the columns of a table, for pages that are read as text.
  package var withoutSigns: MarkupTheme {
    var theme = self
    (theme.marks.code, theme.marks.column, theme.marks.crossing) = (.empty, .empty, .empty)
    return theme
  }

  /// Returns the style of a span, according to its emphasis and link.
  func style(of span: Span) -> Style {
    if span.emphasis.contains(.linkNumber) { return linkNumber }
    var style = span.link == nil ? text : link
    if span.emphasis.isEmpty { return style }
    for (emphasis, look) in looks where span.emphasis.contains(emphasis) { style = look.over(style) }
    return style
  }

  /// The style of each emphasis; a later one is applied over the earlier ones.
  private var looks: [(Emphasis, Style)] {
    [
      (.faint, faint), (.code, code), (.image, image), (.deleted, deleted), (.underlined, underlined),
      (.stressed, stressed), (.strong, strong), (.marked, marked),
    ]
  }

  func heading(_ level: Int) -> Style {
    headings.isEmpty ? strong : headings[min(max(level, 1), headings.count) - 1]
  }
}

/// The characters that layout draws with.
package struct Marks: Hashable, Sendable {
  /// The bullets of lists by depth; after the last one they repeat.
  package var bullets: [SafeText]
  /// The bar at the left of a quotation.
  package var bar: SafeText
  /// The character of horizontal lines.
  package var line: SafeText
  /// The character between the columns of a table.
  package var column: SafeText
  /// The character at which the line below a table's head crosses the end of a column.
  package var crossing: SafeText
  /// The mark before the summary of `<details>`.
  package var disclosure: SafeText
  /// The mark around code. This and `deleted` show emphasis that attributes do not show.
  package var code: SafeText = "`"
  /// The mark around deleted text.
  package var deleted: SafeText = "~"
  /// The word above a quotation that replaces the bar at its left; then tables have no lines either.
  package var quote: SafeText?
  /// The mark before the rest of a word or a line of code that was too long for its line.
  package var continuation: SafeText

  /// The mark at the end of cut text.
  package var ellipsis: SafeText

  package static let unicode = Marks(isASCII: false)
  package static let ascii = Marks(isASCII: true)
}

extension Marks {
  private init(isASCII: Bool) {
    func sign(_ sign: Sign) -> SafeText { sign.text(isASCII: isASCII) }
    self.init(
      bullets: Sign.bullets.texts(isASCII: isASCII), bar: sign(.quoteBar), line: sign(.line),
      column: sign(.column), crossing: sign(.crossing), disclosure: sign(.disclosure),
      continuation: sign(.continuation), ellipsis: sign(.ellipsis))
  }
}
