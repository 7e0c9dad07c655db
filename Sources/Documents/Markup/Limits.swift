package import Basics

extension Limits {
  /// The maximum number of md4c's callbacks for one text, plus the bytes of URLs. Normal text of 128 KiB has about
  /// 200,000. The rows of a wide table, or a URL that many links use, could multiply this by a thousand.
  static let markdownCalls = 500_000

  /// The maximum length of the label of a link or a button in a list, in bytes.
  static let labelBytes = 300

  /// The maximum size of an article as it is stored, in bytes; the longest encyclopedia articles have about as many.
  package static let articleBytes = bodyBytes
  /// The minimum number of words of an article: shorter text is a caption, a notice or an error message.
  static let articleWords = 25

  /// The maximum number of bytes of HTML or plain text that are laid out. With this and the next limits, the slowest
  /// known text opens in about a second; without them, one message could block the reader.
  static let markupBytes = 512 << 10
  /// The maximum number of bytes of Markdown, which is written by hand.
  static let markdownBytes = 128 << 10
  /// The maximum nesting of quotes, lists and tables; deeper ones are shown at the last level.
  package static let nesting = 24
  /// The maximum number of spans inside one superscript or subscript, which is read again at its end and at the end of
  /// each one around it. An element with more spans stays unchanged.
  static let raisedSpans = 100
  /// The maximum number of numbered links in one text.
  static let links = 999
  /// The maximum total size of the elements that the scripts of a view see, each with its whole content, in bytes.
  static let elementBytes = 4 << 20
  /// The maximum number of columns of a table.
  static let tableColumns = 64
  /// The maximum number of rows that a cell spans.
  static let tableRowSpan = 1000
  /// The maximum number of cells that are added to the tables of one text for cells that span columns or rows. Normal
  /// tables need some hundred.
  static let spannedCells = 10_000
}
