import Basics

extension Limits {
  /// The maximum number of repetitions of a notification by a rule.
  static let repetitions = 8
  // MARK: Acts and the database

  /// The maximum number of programs' questions that wait for an answer at the same time: the inbox has a connection to
  /// each.
  static let openQuestions = 200
  /// The maximum bytes of an answer from another machine: 40 columns of letters with many combining marks.
  static let answerBytes = 1000
  /// The number of seconds for which this machine waits after the time limit of another machine's question
  /// before it ends the question: the clocks may differ.
  static let overdueQuestionSeconds = 60.0
  /// The maximum number of acts that are passed to a service's adapter at a time.
  static let outgoingActs = 250
  /// The number of consecutive failures after which the acts at which a service fails are set aside.
  static let failuresBeforeAside = 3
  /// The seconds until acts that could not be sent to a service are sent again, doubled after each failure up to the
  /// longest backoff.
  static let firstCarryBackoff = 30.0
  static let longestCarryBackoff = 3600.0
  /// The seconds after which an act that could not be sent is given up (30 days).
  static let outgoingSeconds = 30 * 86_400.0
  /// The seconds for which the id of a deleted message is kept after its feed no longer lists it (half a year).
  static let unlistedSeconds: Int64 = 182 * 86_400
  /// The memory that the writing connection uses to cache the database, in KiB, normally and during large writes.
  static let cacheKibibytes = 4000
  static let largeCacheKibibytes = 48_000
  /// The number of messages above which a single act counts as a large write.
  static let largeAct = 100_000
  /// The number of bytes above which the acts in another machine's object count as a large write.
  static let largePayloadBytes = 256 << 10

  // MARK: Stored parts of a message

  /// The maximum number of translations of a message: more than publishers have.
  static let translations = 100
  /// The maximum total bytes of the bodies of a message's translations.
  static let translationBytes = 4 << 20
  /// The maximum bytes of a message's unknown keys as JSON. If there are more, all are left out, since cut JSON is
  /// invalid.
  static let unknownKeysBytes = 64 << 10

  // MARK: The user's files

  /// The maximum number of articles of one feed that are imported from another reader, the newest ones; their numbers
  /// are in memory.
  static let importedArticles = 2_000_000
  /// The maximum number of articles, and approximately of their bytes, that are in memory and stored in one
  /// transaction. Other processes write in between.
  static let importedArticlesAtOnce = 250
  static let importedArticleBytesAtOnce = 4 << 20
  /// The maximum bytes of one article; a longer one is left out.
  static let importedArticleBytes: Int32 = 64 << 20
  /// The maximum seconds for reading a database of another reader. A damaged or malicious one may have no end.
  static let importSeconds = 300.0

  // MARK: Stored parts of a source

  /// The maximum bytes of an unknown key with its path; longer ones are cut.
  static let ignoredKeyBytes = 200
  /// The maximum characters of each string in a failure or a problem, which may quote the response. It is
  /// small, since every snapshot loads failures.
  static let quotedCharacters = 500
  /// The maximum number of entries of each list in a failure, for example of the feeds that a page links to.
  static let quotedEntries = 20

  // MARK: Views

  /// The maximum number of stored copies of views, which are the pages that banners show; the newest are kept. Copies
  /// of control files do not count.
  static let storedDocuments = 100

  // MARK: Flags

  /// The maximum number of flags that a banner may set; each is stored.
  static let flagsOfABanner = 200

  // MARK: Notices

  /// The maximum number of messages that one notification lists, and that are examined for notifications: after a long
  /// absence there may be thousands, and the rest waits for the next summary.
  static let messagesOfANotice = 1000
  /// The seconds after which messages that no channel could show no longer cause a notification.
  static let longestNoticeWaitSeconds = 3.0 * 86_400
  /// The maximum bytes of a URL that contains a picture. A picture for a notification needs at most 50
  /// thousand, even if it is noise.
  static let pictureAddressBytes = 64 << 10

  // MARK: Queries

  /// The number of messages at which counting those that contain a word of a proposed rule stops.
  static let countedMessages = 200
  /// The number of steps of matching a pattern that count as one unit of a search's work.
  static let patternStepsOfUnit = 27

  // MARK: Sync

  /// The maximum bytes of a message's content for other machines.
  static let contentBytes = 64 << 10
  /// The valid times in a message's content for other machines, in milliseconds since 1970: the years 1 to 9999. Others
  /// are left out.
  static let contentTimes: ClosedRange<Int64> = -62_135_510_400_000...253_402_214_400_000
  /// The maximum bytes of all messages' contents in one act. For starred messages beyond that, only the star is sent.
  static let contentsBytes = 16 << 20
  /// The maximum bytes of a source's name, title, folder and URL, each.
  static let sourceNameBytes = 1024
  /// The number of seconds for which changes by other machines are kept for a message that isn't on this
  /// machine.
  static let waitingWriteSeconds: Int64 = 2 * 365 * 86_400
}
