// What a document may become, and what readers do not follow any further.
extension Limits {
  // MARK: The allowance

  /// Bytes that each byte of a document may become: its text as it stands, as HTML and as plain text, and what holds
  /// them. Feeds of short items need about three.
  package static let growthFactor = 6
  /// Bytes that any document may become besides, so that 100,000 items of a few bytes each can be read.
  package static let growthConstant = 32 << 20
  /// Bytes taken from the allowance for an item: about what an empty one takes in memory.
  package static let itemBytes = 320
  /// Bytes taken from the allowance for a JSON value, likewise.
  package static let valueBytes = 24

  /// Values of JSON that stand in memory at once, as those of one item do: a list of them grows by doubling.
  package static func valuesAtOnce(documentBytes: Int) -> Int { 250_000 + documentBytes / 16 }
  /// Bytes of one element of a feed that are kept; what is stored of it is less.
  package static let capturedBytes = 4 * bodyBytes

  // MARK: Names and addresses

  /// Bytes of an address. Browsers and servers agree on about 8,000; longer ones are not addresses to open.
  package static let addressBytes = 8 << 10
  /// Bytes of the address that relative ones stand on: it is put in front of each of them.
  package static let baseBytes = 2 << 10
  /// Bytes of a name: an author, a tag, a channel, a label. Longer ones are cut.
  package static let nameBytes = 4 << 10
  /// Bytes of a language tag; RFC 5646 section 4.4.1 asks for 35. Longer ones name no language.
  package static let languageBytes = 64
  /// Bytes of a remote id; longer ones are known by their digest. Each is a key of the database.
  package static let remoteIDBytes = 1 << 10
  /// Bytes of a title as it is taken out of a document. What is stored is cut to `titleCharacters`.
  package static let titleBytes = 16 << 10
  /// Bytes of a namespace, or of another name in XML, that is looked at. The longest in use has 60.
  package static let namespaceBytes = 256

  /// Tags, and links besides its own, of one message.
  package static let tags = 64
  package static let actions = 32

  // MARK: Markup

  /// Attributes of one element: libxml2 compares each with each. The most that pages have are about 50.
  package static let attributes = 200
  /// Bytes of markup below which no tag can have enough attributes to cost anything.
  package static let harmlessMarkupBytes = 1 << 10
  /// Bytes of a name in HTML, where libxml2 ends it and begins another.
  package static let htmlNameBytes = 100

  // MARK: Features

  /// Features that one poll may switch: each is a row of the database, and starts a program.
  package static let featuresPerPoll = 200
  /// Bytes of the data that comes with features: it is stored with each, and given to a program as an argument,
  /// of which Linux takes 128 KiB.
  package static let featureDataBytes = 64 << 10
}

// What of a message is laid out.
extension Limits {
  /// Bytes of HTML or plain text that are laid out. Within this and the next ones the slowest text known opens in about
  /// a second; without them, one message could hold up the reader.
  package static let markupBytes = 512 << 10
  /// Bytes of Markdown, which people write by hand.
  package static let markdownBytes = 128 << 10
  /// Elements open at once, beyond which libxml2's search for an open element grows quadratic.
  package static let openElements = 512
  /// Likewise where HTML is only read for its text.
  package static let openElementsOfText = 400
  /// Quotes, lists and tables inside each other; deeper ones are shown at the last level.
  package static let nesting = 24
  /// Words of different looks inside one raised or lowered element, which is looked at again at its end, and again by each
  /// one around it; more stay as they are.
  package static let raisedSpans = 100
  /// Numbered links of one text.
  package static let links = 999
  /// Bytes that the elements of a view add up to as scripts see them, each with all that is inside it.
  package static let elementBytes = 4 << 20
  package static let tableColumns = 64
  /// Rows that a cell may span.
  package static let tableRowSpan = 1000
  /// Cells that the tables of one text are filled up with where others span columns or rows. Tables that people make
  /// need some hundred.
  package static let spannedCells = 10_000
}
