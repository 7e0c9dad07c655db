package import Basics

extension Limits {
  /// The size in bytes from which a feed is read in sections, while earlier sections are stored.
  package static let largeFeedBytes = 2 << 20
  // MARK: Depths. Deeper levels are skipped: normal documents have less than a tenth of them.

  /// The maximum nesting of JSON arrays and objects. The parser is recursive, and stacks have 8 MiB.
  static let jsonDepth = 512
  /// The maximum number of members of one JSON object: each needs ten times the memory of an array's element. Objects
  /// of services have less than a hundred.
  static let jsonMembers = 100_000
  /// The maximum nesting of elements in a feed, including the XHTML of its entries.
  static let feedDepth = 200
  /// The maximum nesting of outlines in a subscription list (OPML).
  static let opmlDepth = 100

  // MARK: XML

  /// The maximum total length of the distinct names in one XML document, which libxml2 keeps until its end.
  static let xmlNamesBytes = 1 << 20
  /// The maximum number of XML namespaces in scope: libxml2 searches them one by one.
  static let xmlNamespaces: Int32 = 1000
  /// The maximum number of entities that an XML document declares. HTML's need no declaration.
  static let entities = 256
  /// The maximum length of an entity's value, in bytes.
  static let entityBytes = 1 << 10
  /// The number of bytes in which the end of a broken document type is searched.
  static let doctypeBytes = 1 << 16
  /// The maximum number of bytes before the first entry of a feed that is read in sections: they are read again with
  /// each section.
  static let feedHeadBytes = 1 << 16
  /// The minimum size in bytes of a section, the entries that are read at a time. For a large feed, a few sections are
  /// in memory as messages at the same time.
  static let feedSectionBytes = 1 << 19

  // MARK: Pages

  /// The number of bytes at the start of a document that decide whether it is a feed, a page or something else.
  static let markupStartBytes = 8 << 10
  /// The number of bytes of a page that are searched for links to feeds, which are in its head.
  static let pageBytes = 4 << 20
  /// The maximum number of feeds to which one page links; the user chooses one of them.
  static let pageFeeds = 100
  /// The maximum length of a page's title.
  static let pageTitleBytes = 1000

  // MARK: Problems. The first ones show what is wrong; more do not help.

  /// The maximum number of problems that are reported for a JSON feed.
  static let jsonFeedProblems = 20

  // MARK: Single values

  /// The maximum number of minutes for which an in-app notification is shown: 1,900 years, which a date can represent.
  static let inAppMinutes = 1e9
  /// The maximum number of days in a schedule's interval, and of its firings: more would exceed the calendar.
  static let scheduleCount = 1_000_000
  /// The maximum number of an argument in a format (`%1$@`), so that it does not overflow.
  static let argumentNumber = 1_000_000

  // MARK: The allowance

  /// The bytes that a JSON value takes from a document's `Allowance`: about its memory.
  static let valueBytes = 24
  /// Returns the maximum number of JSON values in memory at the same time, for example those of one item: an array of
  /// them grows by doubling.
  static func valuesAtOnce(documentBytes: Int) -> Int { 250_000 + documentBytes / 16 }
  /// The maximum number of bytes that are kept of one element's text while a feed is read; less of it is stored.
  static let capturedBytes = 4 * bodyBytes
  /// The maximum number of bytes that are counted to find out which of two fields has more text; summaries are shorter.
  static let comparedTextBytes = 64 << 10

  // MARK: Names and addresses

  /// The maximum length of a language tag; RFC 5646 section 4.4.1 requires 35.
  static let languageBytes = 64
  /// The maximum length of a namespace, or of another name in XML; longer ones count as unknown. The longest known one
  /// has 60.
  static let namespaceBytes = 256

  /// The maximum length of an XML declaration; a normal one has 40.
  static let xmlDeclarationBytes = 1 << 10
  /// The number of bytes of a page in which its charset is searched. Scripts before it have some 10 KiB.
  static let charsetLabelBytes = 1 << 16
  /// The maximum length of a name in HTML; libxml2 splits longer names.
  static let htmlNameBytes = 100

  /// The maximum nesting of arrays and tables in a settings file; the parser rejects more.
  static let settingsDepth = 256
}
