// How far readers of documents follow what they are given.
extension Limits {
  // MARK: Depths. What is deeper is passed over: no document that people read has a tenth of it.

  /// Arrays and objects of JSON inside each other. Readers go down by calls, and their stacks have 8 MiB.
  package static let jsonDepth = 512
  /// Elements of a feed inside each other, the XHTML of its entries included.
  package static let feedDepth = 200
  /// Outlines of a subscription list inside each other.
  package static let opmlDepth = 100
  /// Arrays and tables of a settings file inside each other: the parser refuses what is nested deeper.
  package static let settingsDepth = 256

  // MARK: XML

  /// Bytes of all different names of one document together, which libxml2 keeps until its end.
  package static let xmlNamesBytes = 1 << 20
  /// Namespaces in force at one place: libxml2 looks through them one by one.
  package static let xmlNamespaces: Int32 = 1000
  /// Entities that a document declares. HTML's own are known without being declared.
  package static let entities = 256
  /// Bytes that one of them stands for; they are flat, so that none can grow when it is used.
  package static let entityBytes = 1 << 10
  /// Bytes within which the end of a broken document type is looked for.
  package static let doctypeBytes = 1 << 16
  /// Bytes within which an XML declaration ends; the usual one has 40.
  package static let xmlDeclarationBytes = 1 << 10

  // MARK: Pages

  /// Bytes at the start of a document that say whether it is a feed, a page or something else.
  package static let markupStartBytes = 8 << 10
  /// How far into a page its own charset is looked for (HTML Living Standard section 13.2.3.2).
  package static let charsetLabelBytes = 1 << 10
  /// Bytes of a page that are read for the feeds it names: they stand in its head.
  package static let pageBytes = 4 << 20
  /// Feeds that one page may name; a person chooses among them.
  package static let pageFeeds = 100
  /// Bytes of a page's title, for that choice.
  package static let pageTitleBytes = 1000

  // MARK: Problems. The first ones say what is wrong; more of them help nobody.

  /// Of a feed in XML, where one mistake is often repeated in each entry.
  package static let feedProblems = 10
  /// Of a JSON Feed.
  package static let jsonFeedProblems = 20
  /// Of a native feed, for which people write the items.
  package static let nativeProblems = 100
  /// Kept of one poll, whatever brought them: a malformed feed of 100,000 items may have as many.
  package static let storedProblems = 100

  // MARK: Single values

  /// Bytes of a date; the longest form in use, with the names of day, month and zone, has about 60.
  package static let dateBytes = 128
  /// Minutes for which an in-app message may be shown: 1,900 years, which a date can hold.
  package static let inAppMinutes = 1e9
  /// Days of a schedule's interval, and firings: beyond it calendars end.
  package static let scheduleCount = 1_000_000
  /// The number of an argument in a text (`%1$@`): more than there are, and it does not overflow.
  package static let argumentNumber = 1_000_000

  // MARK: Markdown

  /// What md4c may tell of a text: blocks, words and bytes of addresses. A text of 128 KiB comes to about 200,000 of them
  /// by itself; the rows of a wide table and an address that many links refer to would come to a thousand times as many.
  package static let markdownCalls = 2_000_000

  // MARK: Links

  /// Bytes of what a link or a button is called, where it is listed.
  package static let labelBytes = 300
}
