/// Limits on input from outside: named values with their reasons.
///
/// A limit is declared in `Limits.swift` of the target that uses it. Only limits that several targets use are here,
/// because a change of this file rebuilds everything. Sizes are bytes unless a name says otherwise.
package enum Limits {
  // MARK: Documents

  /// The maximum size of the body of one response, in bytes, both before and after decompression. Feeds of 100,000
  /// items have about 45 MB.
  package static let responseBytes = 64 << 20

  // MARK: Requests

  /// The longest Retry-After, in seconds. A longer one is an error of the server.
  package static let longestWait = 366.0 * 86_400
  /// The longest delay of a poll, in seconds, that `max-age` or `ttl` may cause (24 h). Longer values are usually wrong
  /// for a feed.
  package static let longestMinimumWait = 24.0 * 3600
  /// The time, in seconds, for which "not modified" responses are trusted (a week). After it, a poll requests the whole
  /// document once.
  package static let confirmedSeconds: Int64 = 7 * 86_400
  /// The maximum number of parts of one poll, each with one page of a list. The remaining pages are read by the next
  /// poll.
  package static let pollParts = 50
  /// The maximum number of bytes that are read of the body of an error response.
  package static let errorBodyBytes = 64 << 10
  /// The maximum length of the key by which a publisher identifies an item on a hub, reddot's server.
  package static let hubKeyBytes = 200

  // MARK: Stored parts of a message

  /// The maximum length of a message's body as text, and of its HTML.
  package static let bodyBytes = 1 << 20

  // MARK: Programs that reddot starts

  /// The maximum output of a token command. Tokens are below 8 KiB, as headers are; notes may follow.
  package static let tokenOutputBytes = 64 << 10
  /// The maximum output of an `app_version_command`; versions are shorter.
  package static let versionOutputBytes = 4096
  /// The maximum time that an `app_version_command` may take.
  package static let versionTime = Duration.seconds(5)
  /// The maximum time that one run of a `feature_command` may take.
  package static let featureTime = Duration.seconds(10)
  /// The maximum number of runs of a `feature_command` after one poll; a document may switch thousands of features.
  package static let featureRunsPerPoll = 100
  /// The maximum time that all runs of `feature_command` after one poll run may take together. cron may start
  /// the next poll run meanwhile.
  package static let featureTimeInAll = Duration.seconds(60)

  // MARK: The user's files

  /// The maximum size of a file that is passed to a command: the same as for a response.
  package static let givenFileBytes = responseBytes
  /// The maximum number of feeds that one import adds. With this many, an import needs 121 MiB and `status` 93 MiB.
  package static let importedFeeds = 20_000
  /// The maximum size of a file that reddot reads whole and may edit: settings, reminders.
  package static let editedFileBytes = 16 << 20
  /// The maximum number of files in a backup besides the database: those that the settings list.
  package static let backupFiles = 2000
  /// The maximum total size of the files in a backup besides the database.
  package static let backupBytes = 256 << 20

  // MARK: Stored parts of a source

  /// The maximum number of unknown JSON keys that are remembered for a native feed, so that each is reported once. If a
  /// server sends new ones in every response, further ones are not reported.
  package static let ignoredKeysPerSource = 200

  // MARK: Hooks of programs

  // MARK: Views and pictures

  /// The maximum number of pixels of one side of a picture, so that the product of both sides does not overflow.
  package static let pictureSide = 100_000
  /// The maximum number of pictures that are drawn in a message's text. Further ones are shown as their alternative
  /// text.
  package static let messagePictures = 20
  /// The maximum number of columns and of rows of a picture. kitty numbers them by combining marks, and has
  /// only 297 of those.
  package static let graphicColumns = 256

  // MARK: Calendars

  /// The maximum number of events and to-dos of one calendar.
  package static let calendarItems = 50_000
  /// The maximum number of steps to find the occurrences of all series of a calendar together.
  package static let calendarSteps = 5_000_000
  /// The maximum distance of an alarm from its event, in days; larger ones are errors.
  package static let alarmDays = 400
  /// The maximum number of problems that are reported for one calendar.
  package static let calendarProblems = 100
  /// The maximum number of days that `reddot agenda` lists.
  package static let agendaDays = 400

  // MARK: XML

  // MARK: Problems. The first ones show what is wrong; more do not help.

  /// The maximum number of problems that are reported for an XML feed, in which the same error is often repeated in
  /// each entry.
  package static let feedProblems = 10
  /// The maximum number of problems that are reported for a native feed, whose items are often written by hand.
  package static let nativeProblems = 100
  /// The maximum number of problems that are stored for one poll; a malformed feed of 100,000 items may have as many.
  package static let storedProblems = 100

  // MARK: The hub

  /// The maximum size of one item that is published on a hub (reddot's server).
  package static let hubItemBytes = 64 << 10
  /// The maximum size of a request that publishes items on a hub (reddot's server).
  package static let hubRequestBytes = 1 << 20
  /// The maximum number of items in one request to a hub.
  package static let hubRequestItems = 100
  /// The maximum number of readers that wait for a page of a hub at the same time, unless the settings specify another
  /// number.
  package static let hubWaiting = 20_000
  /// The maximum number of connections to a hub, apart from those of waiting readers.
  package static let hubConnections = 2000
  /// The maximum size of items that wait to be stored on a hub; more are refused.
  package static let hubQueueBytes = 8 << 20
  /// The maximum size of a delivery to a webhook of a hub; senders limit theirs to 25 MB.
  package static let hubHookBytes = 5 << 20
  /// The number of a hub's database connections for reading, unless the settings specify another number.
  package static let hubReadConnections = 4

  // MARK: Notices

  // MARK: Places

  /// The maximum size of an object in a sync location, in bytes: a header of 56, at most 64 MiB, and a tag of 16.
  /// PostgreSQL's table accepts no more either.
  package static let placeObjectBytes = (64 << 20) + 56 + 16
  /// The maximum number of objects in a sync location. Each machine packs its own objects, so that it has only some
  /// dozens.
  package static let placeObjects = 100_000
  /// The time after which a sync location's program has failed if it sends no byte of a response.
  package static let placeSilence = Duration.seconds(60)
  /// The maximum number of characters of the reason that a sync location's program reports for a failure.
  package static let placeReasonCharacters = 500
  /// The minimum speed of a connection to a sync location; a slower one cannot be used.
  package static let slowestPlaceBytesPerSecond = 32 << 10

  // MARK: Queries

  /// The maximum number of words of a title that are proposed as the start of a rule; each is looked up.
  package static let proposedWords = 32

  // MARK: The allowance

  /// The number of bytes that may be made from each byte of a document: its text as HTML and as plain text, and the
  /// structures around it. Feeds of short items need about three.
  package static let growthFactor = 6
  /// The bytes that may be made from any document in addition, so that 100,000 items of a few bytes each can be read.
  package static let growthConstant = 32 << 20
  /// The bytes that an item takes from a document's `Allowance`: about the memory of an empty one.
  package static let itemBytes = 320

  // MARK: Names and addresses

  /// The maximum length of a URL. Browsers and servers support about 8,000; longer ones cannot be opened.
  package static let addressBytes = 8 << 10
  /// The maximum length of the base of relative URLs, which is prepended to each of them.
  package static let baseBytes = 2 << 10
  /// The maximum length of a name: an author, a tag, a channel, a label. Longer ones are cut.
  package static let nameBytes = 4 << 10
  /// The maximum length of a message's id at its source, which is a key of the database; longer ones are replaced by
  /// their digest.
  package static let remoteIDBytes = 1 << 10
  /// The maximum length of a title as read from a document. It is stored with at most `titleCharacters`.
  package static let titleBytes = 16 << 10
  /// The maximum number of tags of one message, and of the links besides its own.
  package static let tags = 64
  /// The maximum number of buttons of one message, and of its attachments.
  package static let actions = 32

  // MARK: Markup

  /// The maximum number of attributes of one element: libxml2 compares all pairs. Pages have at most about 50.
  package static let attributes = 200
  /// The maximum number of nested elements: libxml2's search for an open element takes quadratic time.
  package static let openElements = 512
  /// The maximum length of a URL that is sent to a terminal. VTE drops longer ones; other terminals accept at least as
  /// many.
  package static let hyperlinkBytes = 2083

  // MARK: Features

  /// The maximum number of features that one poll may switch: each is a row of the database, and may start a program.
  package static let featuresPerPoll = 200

  /// The maximum length of a date; the longest common form, with the names of day, month and zone, has about 60.
  static let dateBytes = 128
}
