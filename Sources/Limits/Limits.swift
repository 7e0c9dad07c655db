/// Every limit on what comes from outside, as a named value with its reason.
///
/// Sizes are bytes unless a name says otherwise.
package enum Limits {
  /// The largest body of one answer, before as well as after decompression. Feeds of 100,000 items have about 45 MB.
  package static let responseBytes = 64 << 20

  // MARK: Requests

  /// Redirects of one request, as many as curl and browsers follow at least.
  package static let redirects = 10
  /// Time for a second connection that finds out why the first one failed: enough for a server that has just answered.
  package static let diagnosisTime = Duration.seconds(2)
  /// Seconds for which a server may ask to be left alone. Further away than this is a mistake of the server's.
  package static let longestWait = 366.0 * 86_400
  /// Seconds by which `max-age` or `ttl` may put off a poll (24 h): a feed that says a year is wrong about itself.
  package static let longestMinimumWait = 24.0 * 3600
  /// Pages of a native feed that one poll asks for. The next poll goes on behind them.
  package static let nativePages = 50
  /// Items that are asked for in one page.
  package static let nativeItemsPerPage = 1000

  // MARK: Bodies that come compressed

  /// Codings laid one over another (RFC 9110 section 8.4). A second one is a server's mistake that was seen; each costs
  /// a window of memory.
  package static let contentCodings = 2
  /// What a body may become however little came of it.
  package static let expansionFloor = 8 << 20
  /// How many bytes one byte that came may become beyond that. Feeds compress to a tenth, the most uniform to a
  /// hundredth; bombs to a thousandth and less.
  package static let expansionFactor = 128
  /// The window of zstd as a power of two: 8 MiB, which a content coding has at most (RFC 9659).
  package static let zstdWindowLog: Int32 = 23
  /// What a decoder gives at a time: limits and cancellation are looked at in between.
  package static let decodedPiece = 64 << 10

  // MARK: Schedule files

  /// Seconds for which an entry that is gone or broken is remembered: a week, in which a typo is noticed.
  package static let missingScheduleEntrySeconds = 604_800.0
  /// How many such entries a source remembers: a program may write a file of new entries every minute.
  package static let missingScheduleEntries = 1000

  // MARK: What is stored of one message

  /// Characters of a title; longer ones are cut where they are taken in. Every snapshot of the list loads titles.
  package static let titleCharacters = 1000
  /// Bytes of a body as text, and of its HTML.
  package static let bodyBytes = 1 << 20

  // MARK: Programs that reddot starts

  /// Programs that run at once; more wait for their turn. A round of polls may ask for a token per source.
  package static let programsAtOnce = 4
  /// From the request to end to the kill. The terminal is back within 500 ms of a quit, all included.
  package static let programGrace = Duration.milliseconds(300)
  /// Seconds in which a program that is just being started becomes known, before this process ends.
  package static let startingTime = 1.0
  /// From the moment at which the terminal is back to the end of the process: for writes that wait for another process.
  package static let windDownTime = Duration.seconds(2)
  /// What is kept of a program's standard error: its first line is for people.
  package static let programComplaintBytes = 1024
  /// What a token command may print: tokens are below 8 KiB, since headers are; notes may stand below them.
  package static let tokenOutputBytes = 64 << 10
  /// What an `app_version_command` may print: no version is longer.
  package static let versionOutputBytes = 4096
  /// Time for an `app_version_command`.
  package static let versionTime = Duration.seconds(5)
  /// A picture as half blocks: 500 columns and 200 rows of two colours each, 40 bytes a cell.
  package static let pictureOutputBytes = 4 << 20
  /// Time to decode and draw a picture, waiting for the processor included; its own limit is 2 s of processor time,
  /// which may take ten times as long on a busy machine.
  package static let pictureTime = Duration.seconds(20)
  /// Time for one run of a `feature_command`.
  package static let featureTime = Duration.seconds(10)
  /// The last lines of a program under `reddot run` that its message holds.
  package static let reportLines = 20
  /// Bytes that are enough for those lines, were each as long as a screen.
  package static let reportBytes = 64 << 10
  /// Characters of a command in the title of that message.
  package static let reportTitleCharacters = 200
  /// Time for a command that a message is given to: it may ask a server, or think.
  package static let pipeTime = Duration.seconds(300)
  /// What such a command may print; its last line is shown.
  package static let pipeOutputBytes = 16 << 20
  /// What a `feature_command` may print; nobody reads it.
  package static let featureOutputBytes = 1 << 20
  /// Runs of a `feature_command` after one poll; a publisher may switch thousands of features in one document.
  package static let featureRunsPerPoll = 100

  // MARK: Files of the person's

  /// Bytes of a file that a command is given: as much as an answer may have.
  package static let givenFileBytes = responseBytes

  /// How often an edit of a file begins anew because another program has written it meanwhile.
  package static let fileEditAttempts = 20
  /// Waits of 10 ms for another reddot that changes files of the same directory; it needs a few milliseconds.
  package static let fileLockWaits = 1000
  /// Symbolic links from one path to its file, as the Linux kernel allows (path_resolution(7)).
  package static let symbolicLinks = 40

  // MARK: The log

  /// Bytes of the log before it is begun anew; the one before it is kept, so that both have twice as much at most.
  package static let logBytes = 1 << 20
  /// Characters of one line of the log: enough for any sentence, and no publisher's text fills it at once.
  package static let logLineCharacters = 4000

  /// Characters of what stands on one line beside a message: author, tag, channel, category, label of an action.
  package static let nameCharacters = 200
  /// Texts of a message in several languages: more than any publisher translates into.
  package static let translations = 100
  /// Bytes of all their bodies together.
  package static let translationBytes = 4 << 20
  /// Bytes of what a source sent beyond the known keys; more is left out, for a part of JSON is none.
  package static let unknownKeysBytes = 64 << 10

  // MARK: What is stored of one source

  /// Unknown keys of a native feed that are remembered, so that each is told of once: more than any publisher adds, and
  /// a server that makes up new ones for every answer is told of no further.
  package static let ignoredKeysPerSource = 200
  /// Bytes of such a key with its path; longer ones are cut.
  package static let ignoredKeyBytes = 200

  /// Characters of each text within a failure or a problem, which may quote what came. Snapshots load failures.
  package static let quotedCharacters = 500
  /// Entries of each list within a failure: the feeds that a page names.
  package static let quotedEntries = 20
}
