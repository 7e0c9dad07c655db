package import Basics

extension Limits {
  /// The callbacks of md4c for one text, plus the bytes of URLs. Normal text of 128 KiB has about 200,000. The rows of
  /// a wide table, or a URL that many links use, could multiply this by a thousand.
  static let markdownCalls = 500_000

  /// The bytes of the label of a link or a button in a list.
  static let labelBytes = 300

  /// The bytes of an article as it is stored; the longest encyclopedia articles have about as many.
  package static let articleBytes = bodyBytes
  /// The minimum number of words of an article: shorter text is a caption, a notice or an error message.
  static let articleWords = 25

  /// The bytes of HTML or plain text that are laid out. With this and the next limits, the slowest known text opens in
  /// about a second; without them, one message could block the reader.
  static let markupBytes = 512 << 10
  /// The bytes of Markdown, which is written by hand.
  static let markdownBytes = 128 << 10
  /// The nesting of quotes, lists and tables; deeper ones are shown at the last level.
  package static let nesting = 24
  /// The spans inside one superscript or subscript, which is read again at its end and at the end of each around it. An
  /// element with more stays unchanged.
  static let raisedSpans = 100
  /// The numbered links of one text.
  static let links = 999
  /// The total bytes of a view's elements for scripts, each with its whole content.
  static let elementBytes = 4 << 20
  static let tableColumns = 64
  /// The rows that a cell may span.
  static let tableRowSpan = 1000
  /// The cells that are added to the tables of one text for cells that span columns or rows. Normal tables need some
  /// hundred.
  static let spannedCells = 10_000
}
