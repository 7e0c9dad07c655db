// The allowance of a document, and limits of its parts.
extension Limits {
  // MARK: The allowance

  /// Bytes that may be made of each byte of a document: its text, as HTML and as plain text, and the structures around
  /// it. Feeds of short items need about three.
  package static let growthFactor = 6
  /// A constant added for every document, so that 100,000 items of a few bytes each can be read.
  package static let growthConstant = 32 << 20
  /// Bytes taken from the allowance for an item: about the memory of an empty one.
  package static let itemBytes = 320
  /// Bytes taken from the allowance for a JSON value, likewise.
  package static let valueBytes = 24

  /// JSON values in memory at the same time, such as those of one item: an array of them grows by doubling.
  package static func valuesAtOnce(documentBytes: Int) -> Int { 250_000 + documentBytes / 16 }
  /// Bytes that are kept of one element of a feed; less of it is stored.
  package static let capturedBytes = 4 * bodyBytes

  // MARK: Names and addresses

  /// Bytes of an address. Browsers and servers support about 8,000; longer ones cannot be opened.
  package static let addressBytes = 8 << 10
  /// Bytes of the base of relative addresses, which is put before each of them.
  package static let baseBytes = 2 << 10
  /// Bytes of a name: an author, a tag, a channel, a label. Longer ones are cut.
  package static let nameBytes = 4 << 10
  /// Bytes of a language tag; RFC 5646 section 4.4.1 requires 35.
  package static let languageBytes = 64
  /// Bytes of a remote id, which is a key of the database; longer ones are replaced by their digest.
  package static let remoteIDBytes = 1 << 10
  /// Bytes of a title as read from a document. It is stored with at most `titleCharacters`.
  package static let titleBytes = 16 << 10
  /// Bytes of a namespace, or of another name in XML; longer ones are unknown. The longest known one has 60.
  package static let namespaceBytes = 256

  /// Tags of one message, and links besides its own.
  package static let tags = 64
  package static let actions = 32

  // MARK: Markup

  /// Attributes of one element: libxml2 compares all pairs. Pages have at most about 50.
  package static let attributes = 200
  /// Bytes of a name in HTML; libxml2 splits longer names.
  package static let htmlNameBytes = 100

  // MARK: Articles

  /// Bytes of a page that is fetched for its article. Pages of news sites have up to 5 MB, most of it scripts.
  package static let articlePageBytes = 8 << 20
  /// Bytes of an article as it is stored; the longest of encyclopedias have about as many.
  package static let articleBytes = bodyBytes
  /// Words of an article at least: what is shorter is a caption, a notice or an error message.
  package static let articleWords = 25

  // MARK: Features

  /// Features that one poll may switch: each is a row of the database, and may start a program.
  package static let featuresPerPoll = 200
  /// Bytes of the data of features: it is stored with each, and passed to a program as an argument,
  /// which Linux limits to 128 KiB.
  package static let featureDataBytes = 64 << 10
}

// How much of a message is laid out.
extension Limits {
  /// Bytes of HTML or plain text that are laid out. With this and the next limits the slowest known text opens in about
  /// a second; without them, one message could block the reader.
  package static let markupBytes = 512 << 10
  /// Bytes of Markdown, which is written by hand.
  package static let markdownBytes = 128 << 10
  /// Nested elements: libxml2's search for an open element takes quadratic time.
  package static let openElements = 512
  /// Nested quotes, lists and tables; deeper ones are shown at the last level.
  package static let nesting = 24
  /// Spans inside one superscript or subscript, which is read again at its end, and at the end of each around it; an
  /// element with more stays unchanged.
  package static let raisedSpans = 100
  /// Numbered links of one text.
  package static let links = 999
  /// Total bytes of a view's elements for scripts, each with its whole content.
  package static let elementBytes = 4 << 20
  package static let tableColumns = 64
  /// Rows that a cell may span.
  package static let tableRowSpan = 1000
  /// Cells that are added to the tables of one text for cells that span columns or rows. Usual tables need some
  /// hundred.
  package static let spannedCells = 10_000
}
