// Limits of the readers of documents.
extension Limits {
  // MARK: Depths. Deeper levels are skipped: usual documents have less than a tenth of them.

  /// Nested arrays and objects of JSON. The parser is recursive, and stacks have 8 MiB.
  package static let jsonDepth = 512
  /// Members of one object of JSON: each needs ten times the memory of an array's element. Objects of services have less
  /// than a hundred.
  package static let jsonMembers = 100_000
  /// Nested elements of a feed, including the XHTML of its entries.
  package static let feedDepth = 200
  /// Nested outlines of a subscription list.
  package static let opmlDepth = 100
  /// Nested arrays and tables of a settings file; the parser refuses more.
  package static let settingsDepth = 256

  // MARK: XML

  /// Total bytes of the distinct names of one document, which libxml2 keeps until its end.
  package static let xmlNamesBytes = 1 << 20
  /// Namespaces in scope: libxml2 searches them one by one.
  package static let xmlNamespaces: Int32 = 1000
  /// Entities that a document declares. HTML's need no declaration.
  package static let entities = 256
  /// Bytes of an entity's value.
  package static let entityBytes = 1 << 10
  /// Bytes in which the end of a broken document type is searched.
  package static let doctypeBytes = 1 << 16
  /// Bytes of an XML declaration; the usual one has 40.
  package static let xmlDeclarationBytes = 1 << 10

  /// Bytes in front of a feed's first entry with which the feed is still read in sections: each reads them again.
  package static let feedHeadBytes = 1 << 16
  /// Bytes of entries that are read at once. Of a large feed, a few sections are in memory as messages at a time.
  package static let feedSectionBytes = 1 << 19
  /// The size from which a feed is read in sections, while what was read is stored.
  package static let largeFeedBytes = 2 << 20

  // MARK: Pages

  /// Bytes at the start of a document that are checked for whether it is a feed, a page or something else.
  package static let markupStartBytes = 8 << 10
  /// Bytes of a page in which its charset is searched (HTML, "Determining the character encoding").
  package static let charsetLabelBytes = 1 << 10
  /// Bytes of a page that are searched for links to feeds, which are in its head.
  package static let pageBytes = 4 << 20
  /// Feeds that one page may link to; the user chooses one of them.
  package static let pageFeeds = 100
  /// Bytes of a page's title.
  package static let pageTitleBytes = 1000

  // MARK: Problems. The first ones tell what is wrong; more do not help.

  /// Of a feed in XML, in which a mistake is often repeated in each entry.
  package static let feedProblems = 10
  /// Of a JSON Feed.
  package static let jsonFeedProblems = 20
  /// Of a native feed, whose items are often written by hand.
  package static let nativeProblems = 100
  /// Stored for one poll: a malformed feed of 100,000 items may have as many problems.
  package static let storedProblems = 100

  // MARK: Single values

  /// Bytes of a date; the longest usual form, with the names of day, month and zone, has about 60.
  package static let dateBytes = 128
  /// Minutes for which an in-app message may be shown: 1,900 years, which a date can represent.
  package static let inAppMinutes = 1e9
  /// Days of a schedule's interval, and firings: more would be beyond the calendar.
  package static let scheduleCount = 1_000_000
  /// The number of an argument in a format (`%1$@`), so that it does not overflow.
  package static let argumentNumber = 1_000_000

  // MARK: Markdown

  /// Callbacks of md4c for one text, plus the bytes of addresses. A usual text of 128 KiB has about 200,000;
  /// the rows of a wide table, or an address that many links refer to, could make it a thousand times as many.
  package static let markdownCalls = 2_000_000

  // MARK: Links

  /// Bytes of the label of a link or a button in a list.
  package static let labelBytes = 300
}
