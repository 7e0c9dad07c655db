/// Limits on input from outside: named values with their reasons.
///
/// A limit is declared in `Limits.swift` of the target that uses it. Only limits that several targets use are here, because a
/// change of this file rebuilds everything. Sizes are bytes unless a name says otherwise.
package enum Limits {
  // MARK: Documents

  /// The largest body of one response, both before and after decompression. Feeds of 100,000 items have about 45 MB.
  package static let responseBytes = 64 << 20

  // MARK: Requests

  /// The longest Retry-After in seconds. A longer one is a mistake of the server.
  package static let longestWait = 366.0 * 86_400
  /// Seconds by which `max-age` or `ttl` may delay a poll (24 h): longer ones are usually wrong for a feed.
  package static let longestMinimumWait = 24.0 * 3600
  /// Seconds for which answers that nothing is new are believed (a week); then a poll asks for the whole once.
  package static let confirmedSeconds: Int64 = 7 * 86_400
  /// Parts of one poll, each with a page of a list. What is left waits for the next poll.
  package static let pollParts = 50
  /// What is read of the body of an error.
  package static let errorBodyBytes = 64 << 10
  /// What names an item of a hub.
  package static let hubKeyBytes = 200

  // MARK: Stored parts of a message

  /// Bytes of a body as text, and of its HTML.
  package static let bodyBytes = 1 << 20

  // MARK: Programs that reddot starts

  /// Bytes that a token command may print: tokens are below 8 KiB, as headers are; notes may follow.
  package static let tokenOutputBytes = 64 << 10
  /// Bytes that an `app_version_command` may print: versions are shorter.
  package static let versionOutputBytes = 4096
  /// Time for an `app_version_command`.
  package static let versionTime = Duration.seconds(5)
  /// Time for one run of a `feature_command`.
  package static let featureTime = Duration.seconds(10)
  /// Runs of a `feature_command` after one poll; a document may switch thousands of features.
  package static let featureRunsPerPoll = 100
  /// Time for all runs of `feature_command` after one round of polls: cron starts the next round meanwhile.
  package static let featureTimeInAll = Duration.seconds(60)

  // MARK: The user's files

  /// Bytes of a file that is passed to a command: as many as a response may have.
  package static let givenFileBytes = responseBytes
  /// Feeds that one import adds: it needs 121 MiB then, and `status` with these feeds 93 MiB.
  package static let importedFeeds = 20_000
  /// Bytes of a file that reddot reads whole and may edit: settings, reminders.
  package static let editedFileBytes = 16 << 20
  /// Files of a backup besides the database: those that settings name.
  package static let backupFiles = 2000
  /// Bytes of all of them.
  package static let backupBytes = 256 << 20

  // MARK: Stored parts of a source

  /// Unknown keys of a native feed that are remembered, so that each is reported once. If a server sends new ones in
  /// every response, further ones are not reported.
  package static let ignoredKeysPerSource = 200

  // MARK: Hooks of programs

  // MARK: Views and pictures

  /// Pixels of one side, so that the product does not overflow.
  package static let pictureSide = 100_000
  /// Pictures of a message's text that are drawn; for more the alternative text is shown.
  package static let messagePictures = 20
  /// Columns of a picture in pixels: kitty has 297 marks to number them.
  package static let graphicColumns = 256

  // MARK: Calendars

  /// Events and to-dos of one calendar.
  package static let calendarItems = 50_000
  /// Steps to find the occurrences of all series of a calendar together.
  package static let calendarSteps = 5_000_000
  /// Days in front of, or after, an event that its alarm may be; larger ones are mistakes.
  package static let alarmDays = 400
  /// Problems of one calendar that are reported.
  package static let calendarProblems = 100
  /// Days that `reddot agenda` lists at most.
  package static let agendaDays = 400

  // MARK: XML

  // MARK: Problems. The first ones tell what is wrong; more do not help.

  /// Of a feed in XML, in which a mistake is often repeated in each entry.
  package static let feedProblems = 10
  /// Of a native feed, whose items are often written by hand.
  package static let nativeProblems = 100
  /// Stored for one poll: a malformed feed of 100,000 items may have as many problems.
  package static let storedProblems = 100

  // MARK: The hub

  /// Bytes of one published item, and of a request with several.
  package static let hubItemBytes = 64 << 10
  package static let hubRequestBytes = 1 << 20
  /// Items of one request.
  package static let hubRequestItems = 100
  /// Readers for whom a page is held, unless the settings say another number.
  package static let hubWaiting = 20_000
  /// Connections besides those of waiting readers.
  package static let hubConnections = 2000
  /// Bytes that wait to be stored; more are refused.
  package static let hubQueueBytes = 8 << 20
  /// Bytes of a delivery to a webhook, whose senders cap theirs at 25 MB.
  package static let hubHookBytes = 5 << 20
  /// Connections that read, unless the settings specify another number.
  package static let hubReadConnections = 4

  // MARK: Notices

  // MARK: Places

  /// Bytes of an object: a header of 56, at most 64 MiB, a tag of 16. The table of PostgreSQL takes no more either.
  package static let placeObjectBytes = (64 << 20) + 56 + 16
  /// Objects of a place. Each machine packs its own, so that it has some dozens.
  package static let placeObjects = 100_000
  /// Without any byte of an answer for so long, the program of a place has failed.
  package static let placeSilence = Duration.seconds(60)
  /// Characters of the reason that the program of a place gives.
  package static let placeReasonCharacters = 500
  /// A line that is slower can't be used.
  package static let slowestPlaceBytesPerSecond = 32 << 10

  // MARK: Queries

  /// Words of a title that a rule may be started with, each of which is looked up.
  package static let proposedWords = 32

  // MARK: The allowance

  /// Bytes that may be made of each byte of a document: its text, as HTML and as plain text, and the structures around
  /// it. Feeds of short items need about three.
  package static let growthFactor = 6
  /// A constant added for every document, so that 100,000 items of a few bytes each can be read.
  package static let growthConstant = 32 << 20
  /// Bytes taken from the allowance for an item: about the memory of an empty one.
  package static let itemBytes = 320

  // MARK: Names and addresses

  /// Bytes of an address. Browsers and servers support about 8,000; longer ones cannot be opened.
  package static let addressBytes = 8 << 10
  /// Bytes of the base of relative addresses, which is put before each of them.
  package static let baseBytes = 2 << 10
  /// Bytes of a name: an author, a tag, a channel, a label. Longer ones are cut.
  package static let nameBytes = 4 << 10
  /// Bytes of a remote id, which is a key of the database; longer ones are replaced by their digest.
  package static let remoteIDBytes = 1 << 10
  /// Bytes of a title as read from a document. It is stored with at most `titleCharacters`.
  package static let titleBytes = 16 << 10
  /// Tags of one message, and links besides its own.
  package static let tags = 64
  package static let actions = 32

  // MARK: Markup

  /// Attributes of one element: libxml2 compares all pairs. Pages have at most about 50.
  package static let attributes = 200
  /// Nested elements: libxml2's search for an open element takes quadratic time.
  package static let openElements = 512
  /// Bytes of an address that a terminal is told of: VTE drops longer ones, others take at least as many.
  package static let hyperlinkBytes = 2083

  // MARK: Features

  /// Features that one poll may switch: each is a row of the database, and may start a program.
  package static let featuresPerPoll = 200

  /// Bytes of a date; the longest usual form, with the names of day, month and zone, has about 60.
  static let dateBytes = 128
}
