/// Every limit on input from outside, as a named value with its reason.
///
/// Sizes are bytes unless a name says otherwise.
package enum Limits {
  /// The largest body of one response, both before and after decompression. Feeds of 100,000 items have about 45 MB.
  package static let responseBytes = 64 << 20
  /// Bytes of a document above which it's kept in a file: as many as make one that's stored while it is read.
  package static let spooledBytes = largeFeedBytes
  /// Bytes of a document in a file after whose reading their memory is given back.
  package static let readPiece = 1 << 20

  // MARK: Requests

  /// Redirects of one request; browsers follow at least as many.
  package static let redirects = 10
  /// Bytes of the header of an answer, all its fields together; browsers stop at 256 KiB.
  package static let headerBytes = 256 << 10
  /// Connections are closed when nothing was sent over any for so long: until then the next request saves a handshake.
  package static let idleConnections = Duration.seconds(60)
  /// Bytes of a body that may wait for their reader: decompressing and storing are slower than a fast network.
  package static let bodyAhead = 1 << 20
  /// What a piece of a body that waits costs besides its bytes.
  package static let bodyPiece = 256
  /// Time for a second connection that finds out why the first one failed: enough for a server that answered just now.
  package static let diagnosisTime = Duration.seconds(2)
  /// The longest Retry-After in seconds. A longer one is a mistake of the server.
  package static let longestWait = 366.0 * 86_400
  /// Seconds by which `max-age` or `ttl` may delay a poll (24 h): longer ones are usually wrong for a feed.
  package static let longestMinimumWait = 24.0 * 3600
  /// Seconds for which answers that nothing is new are believed (a week); then a poll asks for the whole once.
  package static let confirmedSeconds: Int64 = 7 * 86_400
  /// Acts of the user that are given to a service's adapter at once.
  package static let outgoingActs = 250
  /// Acts that a service is sent without a line that says so: with one request each they take some seconds.
  package static let actsWithoutWord = 10
  /// Seconds until a push channel that ended is opened again; doubled while it cannot be.
  package static let firstStreamBackoff = 5.0
  package static let longestStreamBackoff = 900.0
  /// How long the server of a native feed is asked to hold a request: many proxies end one that is silent for 60 s.
  package static let nativeWait = Duration.seconds(50)
  /// After news, before the next such request: what is published meanwhile comes in one answer.
  package static let nativeWaitPause = Duration.milliseconds(250)
  /// A push channel that was open for less than this did not really work: opening it again waits longer.
  package static let steadyStream = Duration.seconds(10)
  /// News of a push channel within a second above which it floods: then it leads to one poll in the grace.
  package static let streamNewsAtOnce = 20
  /// Seconds until acts that could not be sent to a service are sent again; doubled after each failure.
  package static let firstCarryBackoff = 30.0
  package static let longestCarryBackoff = 3600.0
  /// Seconds that a command waits for services to take what it did; the rest is sent later.
  package static let secondsToSendActs = 5
  /// Seconds after which an act that could not be sent is given up (30 days).
  package static let outgoingSeconds = 30 * 86_400.0
  /// Seconds for which the id of a deleted message is kept that its feed does not list any more (half a year).
  package static let unlistedSeconds: Int64 = 182 * 86_400
  /// Parts of one poll, each with a page of a list. What is left waits for the next poll.
  package static let pollParts = 50
  /// Polls until the whole list of a service is read again, to see what was done elsewhere: the news alone would do
  /// for the others.
  package static let pollsUntilWhole = 5
  /// Seconds until it is read again, however few polls there were.
  package static let wholeListSeconds = 600.0
  /// The same where a list has all that there ever was.
  package static let longListSeconds = 6 * 3600.0
  /// Pages that the first poll of a service reads that keeps its messages for years.
  package static let firstPages = 5
  /// Seconds by which a list is read beyond the newest element that is known: servers enter some late.
  package static let listOverlap = 120.0
  /// Applications of a service whose names are remembered.
  package static let applicationNames = 1000
  /// Requests with an act of the user that a service gets without a pause between them, if it asks for pauses.
  package static let writesAtOnce = 10
  /// Seconds to wait where GitHub's second limit is reached and it doesn't say how long.
  package static let secondaryLimitSeconds = 60.0
  /// Seconds that are read again of an ntfy server's messages: it delivers delayed ones up to ten seconds late.
  package static let ntfyOverlap = 60
  /// What is read of the body of an error.
  package static let errorBodyBytes = 64 << 10
  /// Bytes of one message of a stream: of a line, of an event's data, of a WebSocket's message or frame. ntfy's messages
  /// have 4 KB, Mastodon's notifications with their status some 10 KB.
  package static let streamMessageBytes = 1 << 20
  /// A stream that says nothing for so long is taken as dead: ntfy and Gotify show every 45 s that they are there, Mastodon
  /// every 15 s.
  package static let streamSilence = Duration.seconds(180)
  /// What the connection that writes keeps of the database in memory, usually and while very much is written.
  package static let cacheKibibytes = 4000
  package static let largeCacheKibibytes = 48_000
  /// More messages of one act, and more bytes of acts from elsewhere, are very much.
  package static let largeAct = 100_000
  package static let largePayloadBytes = 256 << 10
  /// What names an item of a hub.
  package static let hubKeyBytes = 200
  /// Items requested in one page.
  package static let nativeItemsPerPage = 1000

  // MARK: Compressed bodies

  /// Content codings of one body (RFC 9110 section 8.4). Some servers apply two by mistake; each needs the memory of
  /// a window.
  package static let contentCodings = 2
  /// Decompressed bytes that are always allowed.
  package static let expansionFloor = 8 << 20
  /// Decompressed bytes per received byte beyond that. Feeds compress to a tenth, very uniform ones to a
  /// hundredth; decompression bombs to a thousandth or less.
  package static let expansionFactor = 128
  /// The window of zstd as a power of two: 8 MiB, the maximum for a content coding (RFC 9659).
  package static let zstdWindowLog: Int32 = 23
  /// Bytes that a decoder produces at a time: limits and cancellation are checked in between.
  package static let decodedPiece = 64 << 10

  // MARK: Schedule files

  /// Seconds for which a missing or broken entry is remembered: within a week a typo is noticed.
  package static let missingScheduleEntrySeconds = 604_800.0
  /// How many such entries a source remembers: a program may write a file of new entries every minute.
  package static let missingScheduleEntries = 1000

  // MARK: Stored parts of a message

  /// Characters of a title; longer ones are cut when they are stored. Every snapshot of the list loads titles.
  package static let titleCharacters = 1000
  /// Bytes of a body as text, and of its HTML.
  package static let bodyBytes = 1 << 20

  // MARK: Programs that reddot starts

  /// Programs that run at the same time; more have to wait. A round of polls may need a token for each source.
  package static let programsAtOnce = 4
  /// From SIGTERM to SIGKILL. After a quit the terminal must be restored within 500 ms in all.
  package static let programGrace = Duration.milliseconds(300)
  /// Seconds that the end of this process waits for the process ids of programs that are just being started.
  package static let startingTime = 1.0
  /// From the restored terminal to the end of the process: for writes that wait for another process.
  package static let windDownTime = Duration.seconds(2)
  /// Bytes of a program's standard error that are kept: its first or its last line is shown.
  package static let programComplaintBytes = 1024
  /// Lines of the standard error of a source's program that one poll adds to the log.
  package static let loggedComplaints = 10
  /// From the end of a program that ran apart to the end of its standard error, which its child processes may keep open.
  package static let programComplaintTime = Duration.seconds(5)
  /// A program for links that fails within this time has not shown the link; later it is a browser that ended.
  package static let linkFailureTime = Duration.seconds(5)
  /// Bytes that a token command may print: tokens are below 8 KiB, as headers are; notes may follow.
  package static let tokenOutputBytes = 64 << 10
  /// Bytes of a file of certificates: all authorities of a system are 200 KiB.
  package static let certificateFileBytes = 4 << 20
  /// Bytes that an `app_version_command` may print: versions are shorter.
  package static let versionOutputBytes = 4096
  /// Time for an `app_version_command`.
  package static let versionTime = Duration.seconds(5)
  /// A picture as half blocks: 500 columns and 200 rows of two colours each, 40 bytes a cell.
  package static let pictureOutputBytes = 4 << 20
  /// Time to decode and draw a picture. Its limit of 2 s of processor time may take ten times as long on a
  /// busy machine.
  package static let pictureTime = Duration.seconds(20)
  /// Time for one run of a `feature_command`.
  package static let featureTime = Duration.seconds(10)
  /// Time for one run of a rule's program.
  package static let ruleProgramTime = Duration.seconds(10)
  /// The last lines of a program's output in the message of `reddot run`.
  package static let reportLines = 20
  /// Bytes that are enough for those lines, even if each is as long as a screen.
  package static let reportBytes = 64 << 10
  /// Characters of a command in the title of that message.
  package static let reportTitleCharacters = 200
  /// Messages that a command or a file gets at once; a mark of a whole list may mean a million.
  package static let givenMessages = 1000
  /// Bytes of their texts after which no further message is added: all are held in memory together.
  package static let givenMessageBytes = 64 << 20
  /// Time for a command that a message is passed to: it may use a server, or compute.
  package static let pipeTime = Duration.seconds(300)
  /// Bytes that such a command may print; its last line is shown.
  package static let pipeOutputBytes = 16 << 20
  /// Bytes that a `feature_command` may print; they are ignored.
  package static let featureOutputBytes = 1 << 20
  /// Runs of a `feature_command` after one poll; a document may switch thousands of features.
  package static let featureRunsPerPoll = 100
  /// Time for all runs of `feature_command` after one round of polls: cron starts the next round meanwhile.
  package static let featureTimeInAll = Duration.seconds(60)
  /// Failures of it that have a line of their own after one round.
  package static let featureFailures = 10

  // MARK: The user's files

  /// Bytes of a file that is passed to a command: as many as a response may have.
  package static let givenFileBytes = responseBytes
  /// Feeds that one import adds: it needs 121 MiB then, and `status` with these feeds 93 MiB.
  package static let importedFeeds = 20_000

  /// Bytes of a file that reddot reads whole and may edit: settings, reminders.
  package static let editedFileBytes = 16 << 20
  /// Articles of one feed that are imported from another reader, the newest ones; 20 years of a busy feed.
  package static let importedArticles = 20_000
  /// Bytes of all of them.
  package static let importedArticleBytes = 64 << 20
  /// Reminders that are listed at once.
  package static let listedReminders = 10_000
  /// Files of a backup besides the database: those that settings name.
  package static let backupFiles = 2000
  /// Bytes of all of them.
  package static let backupBytes = 256 << 20
  /// Time until a pipe or a device that is read like a file must have come to its end.
  package static let fileTime = Duration.seconds(10)

  /// How often an edit of a file is retried because another program has written it meanwhile.
  package static let fileEditAttempts = 20
  /// Waits of 10 ms each for another reddot process that changes files in the same directory, which takes a few
  /// milliseconds.
  package static let fileLockWaits = 1000
  /// Symbolic links from one path to its file, as the Linux kernel allows (path_resolution(7)).
  package static let symbolicLinks = 40

  // MARK: The log

  /// Bytes of the log before a new one begins. The previous one is kept, so that both have at most twice as many.
  package static let logBytes = 1 << 20
  /// Characters of one line of the log: enough for a sentence, but a publisher's text cannot fill the log at once.
  package static let logLineCharacters = 4000

  /// Characters of a message's single-line fields: author, tag, channel, category, label of an action.
  package static let nameCharacters = 200
  /// Translations of a message: more than publishers have.
  package static let translations = 100
  /// Total bytes of their bodies.
  package static let translationBytes = 4 << 20
  /// Bytes of a message's unknown keys as JSON; if there are more, all are left out, since cut JSON is invalid.
  package static let unknownKeysBytes = 64 << 10

  // MARK: Stored parts of a source

  /// Unknown keys of a native feed that are remembered, so that each is reported once. If a server sends new ones in
  /// every response, further ones are not reported.
  package static let ignoredKeysPerSource = 200
  /// Bytes of such a key with its path; longer ones are cut.
  package static let ignoredKeyBytes = 200

  /// Characters of each text in a failure or a problem, which may quote the response. Snapshots load failures.
  package static let quotedCharacters = 500
  /// Entries of each list in a failure: the feeds that a page links to.
  package static let quotedEntries = 20
}

// What happens beside the inbox.
extension Limits {
  /// Bytes that a program's hook hands over; the rest is left out.
  package static let hookBytes = 256 << 10
  /// Time for standard input of a hook: whoever starts it waits for it.
  package static let hookInputTime = Duration.milliseconds(50)
  /// Records that wait to be stored.
  package static let hookRecords = 20_000
  /// Seconds after which nobody can say any more who looked at the pane then.
  package static let hookFreshSeconds = 5.0
  /// Seconds after which a file that a hook began wasn't finished by it: one takes milliseconds.
  package static let hookUnfinishedSeconds = 3600.0
  /// Characters of a pane's name.
  package static let paneNameCharacters = 80
  /// Bytes that tmux may answer: a line for each terminal that is attached.
  package static let paneAnswerBytes = 64 << 10
  package static let paneTime = Duration.seconds(2)
}
