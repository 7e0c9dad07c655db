package import Basics

extension Limits {
  /// Callbacks of md4c for one text, plus the bytes of addresses. A usual text of 128 KiB has about 200,000;
  /// the rows of a wide table, or an address that many links refer to, could make it a thousand times as many.
  static let markdownCalls = 500_000

  /// Bytes of the label of a link or a button in a list.
  static let labelBytes = 300

  /// Bytes of an article as it is stored; the longest of encyclopedias have about as many.
  package static let articleBytes = bodyBytes
  /// Words of an article at least: what is shorter is a caption, a notice or an error message.
  static let articleWords = 25

  /// Bytes of HTML or plain text that are laid out. With this and the next limits the slowest known text opens in about
  /// a second; without them, one message could block the reader.
  static let markupBytes = 512 << 10
  /// Bytes of Markdown, which is written by hand.
  static let markdownBytes = 128 << 10
  /// Nested quotes, lists and tables; deeper ones are shown at the last level.
  package static let nesting = 24
  /// Spans inside one superscript or subscript, which is read again at its end, and at the end of each around it; an
  /// element with more stays unchanged.
  static let raisedSpans = 100
  /// Numbered links of one text.
  static let links = 999
  /// Total bytes of a view's elements for scripts, each with its whole content.
  static let elementBytes = 4 << 20
  static let tableColumns = 64
  /// Rows that a cell may span.
  static let tableRowSpan = 1000
  /// Cells that are added to the tables of one text for cells that span columns or rows. Usual tables need some
  /// hundred.
  static let spannedCells = 10_000
}
