import Basics

extension Limits {
  // MARK: Acts and the database

  /// Acts of the user that are given to a service's adapter at once.
  static let outgoingActs = 250
  /// The number of failures in a row after which an act at which a service fails is set aside.
  static let failuresBeforeAside = 3
  /// Seconds until acts that could not be sent to a service are sent again; doubled after each failure.
  static let firstCarryBackoff = 30.0
  static let longestCarryBackoff = 3600.0
  /// Seconds after which an act that could not be sent is given up (30 days).
  static let outgoingSeconds = 30 * 86_400.0
  /// Seconds for which the id of a deleted message is kept that its feed does not list any more (half a year).
  static let unlistedSeconds: Int64 = 182 * 86_400
  /// What the connection that writes keeps of the database in memory, usually and while very much is written.
  static let cacheKibibytes = 4000
  static let largeCacheKibibytes = 48_000
  /// More messages of one act, and more bytes of acts from elsewhere, are very much.
  static let largeAct = 100_000
  static let largePayloadBytes = 256 << 10

  // MARK: Stored parts of a message

  /// Characters of a title; longer ones are cut when they are stored. Every snapshot of the list loads titles.
  static let titleCharacters = 1000
  /// Characters of a message's single-line fields: author, tag, channel, category, label of an action.
  static let nameCharacters = 200
  /// Translations of a message: more than publishers have.
  static let translations = 100
  /// Total bytes of their bodies.
  static let translationBytes = 4 << 20
  /// Bytes of a message's unknown keys as JSON; if there are more, all are left out, since cut JSON is invalid.
  static let unknownKeysBytes = 64 << 10

  // MARK: The user's files

  /// Articles of one feed that are imported from another reader, the newest ones: their numbers are in memory.
  static let importedArticles = 2_000_000
  /// Articles, and about how many bytes of them, that are in memory and stored in one transaction: others write in between.
  static let importedArticlesAtOnce = 250
  static let importedArticleBytesAtOnce = 4 << 20
  /// Bytes of one of them; a longer one is left out.
  static let importedArticleBytes: Int32 = 64 << 20
  /// Seconds for reading a database of another reader. A damaged or malicious one may have no end.
  static let importSeconds = 300.0

  // MARK: Stored parts of a source

  /// Bytes of an unknown key with its path; longer ones are cut.
  static let ignoredKeyBytes = 200
  /// Characters of each text in a failure or a problem, which may quote the response. Snapshots load failures.
  static let quotedCharacters = 500
  /// Entries of each list in a failure: the feeds that a page links to.
  static let quotedEntries = 20

  // MARK: Views

  /// Stored copies of views, besides those of control files; the newest are kept.
  static let storedDocuments = 100

  // MARK: Flags

  /// Flags that a banner may set; each is stored.
  static let flagsOfABanner = 200

  // MARK: Notices

  /// Messages that one notice names, and that are looked at to make notices: after a long time away there may be
  /// thousands, and the rest waits for the next digest.
  static let messagesOfANotice = 1000
  /// Seconds after which what no channel could show gets no notice any more.
  static let longestNoticeWaitSeconds = 3.0 * 86_400
  /// Characters of an address that holds a picture: that of a notice needs at most 50 thousand, were it noise.
  static let pictureAddressBytes = 64 << 10

  // MARK: Queries

  /// Messages up to which those are counted that have a word of a proposed rule.
  static let countedMessages = 200
  /// Steps that cost a search as much as one of its units of work.
  static let patternStepsOfUnit = 27

  // MARK: Sync

  /// Bytes of a message's content for other machines.
  static let contentBytes = 64 << 10
  /// Its times, in milliseconds since 1970: the years 1 to 9999. Others are left out.
  static let contentTimes: ClosedRange<Int64> = -62_135_510_400_000...253_402_214_400_000
  /// Bytes of all contents of one act: of starred messages beyond that only the star is sent.
  static let contentsBytes = 16 << 20
  /// Bytes of a source's name, title, folder and address.
  static let sourceNameBytes = 1024
  /// Seconds for which what was written of a message that isn't here waits for it.
  static let waitingWriteSeconds: Int64 = 2 * 365 * 86_400
}
