package import Basics

extension Limits {
  /// The size from which a feed is read in sections, while what was read is stored.
  package static let largeFeedBytes = 2 << 20
  // MARK: Depths. Deeper levels are skipped: usual documents have less than a tenth of them.

  /// Nested arrays and objects of JSON. The parser is recursive, and stacks have 8 MiB.
  static let jsonDepth = 512
  /// Members of one object of JSON: each needs ten times the memory of an array's element. Objects of services have less
  /// than a hundred.
  static let jsonMembers = 100_000
  /// Nested elements of a feed, including the XHTML of its entries.
  static let feedDepth = 200
  /// Nested outlines of a subscription list.
  static let opmlDepth = 100

  // MARK: XML

  /// Total bytes of the distinct names of one document, which libxml2 keeps until its end.
  static let xmlNamesBytes = 1 << 20
  /// Namespaces in scope: libxml2 searches them one by one.
  static let xmlNamespaces: Int32 = 1000
  /// Entities that a document declares. HTML's need no declaration.
  static let entities = 256
  /// Bytes of an entity's value.
  static let entityBytes = 1 << 10
  /// Bytes in which the end of a broken document type is searched.
  static let doctypeBytes = 1 << 16
  /// Bytes in front of a feed's first entry with which the feed is still read in sections: each reads them again.
  static let feedHeadBytes = 1 << 16
  /// Bytes of entries that are read at once. Of a large feed, a few sections are in memory as messages at a time.
  static let feedSectionBytes = 1 << 19

  // MARK: Pages

  /// Bytes at the start of a document that are checked for whether it is a feed, a page or something else.
  static let markupStartBytes = 8 << 10
  /// Bytes of a page that are searched for links to feeds, which are in its head.
  static let pageBytes = 4 << 20
  /// Feeds that one page may link to; the user chooses one of them.
  static let pageFeeds = 100
  /// Bytes of a page's title.
  static let pageTitleBytes = 1000

  // MARK: Problems. The first ones tell what is wrong; more do not help.

  /// Of a JSON Feed.
  static let jsonFeedProblems = 20

  // MARK: Single values

  /// Minutes for which an in-app message may be shown: 1,900 years, which a date can represent.
  static let inAppMinutes = 1e9
  /// Days of a schedule's interval, and firings: more would be beyond the calendar.
  static let scheduleCount = 1_000_000
  /// The number of an argument in a format (`%1$@`), so that it does not overflow.
  static let argumentNumber = 1_000_000

  // MARK: The allowance

  /// Bytes taken from the allowance for a JSON value: about its memory.
  static let valueBytes = 24
  /// JSON values in memory at the same time, such as those of one item: an array of them grows by doubling.
  static func valuesAtOnce(documentBytes: Int) -> Int { 250_000 + documentBytes / 16 }
  /// Bytes that are kept of one element of a feed; less of it is stored.
  static let capturedBytes = 4 * bodyBytes
  /// The bytes of words that are counted to find the fuller one of two fields; summaries are shorter.
  static let comparedTextBytes = 64 << 10

  // MARK: Names and addresses

  /// Bytes of a language tag; RFC 5646 section 4.4.1 requires 35.
  static let languageBytes = 64
  /// Bytes of a namespace, or of another name in XML; longer ones are unknown. The longest known one has 60.
  static let namespaceBytes = 256

  /// Bytes of an XML declaration; the usual one has 40.
  static let xmlDeclarationBytes = 1 << 10
  /// Bytes of a page in which its charset is searched. Scripts in front of it have some 10 KiB.
  static let charsetLabelBytes = 1 << 16
  /// Bytes of a name in HTML; libxml2 splits longer names.
  static let htmlNameBytes = 100

  /// Nested arrays and tables of a settings file; the parser refuses more.
  static let settingsDepth = 256
}
