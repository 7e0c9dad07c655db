import Basics
import Messages
package import Storage

/// A table `[[source]]` of the settings. The meaning and the range of a field are in `rows`.
package struct SourceEntry: Hashable, Sendable {
  /// The part that is stored in the database.
  package var source: ConfiguredSource
  package var credential: CredentialOrigin?
  /// The user name that belongs to the token.
  package var user: String?
  /// Whether the user's changes are sent to the service.
  package var writesBack = true
  package var connectTimeout: Duration = .seconds(15)
  /// The maximum time for a `token_command`: long enough for a password store that uses a server, short enough for a
  /// poll.
  package var tokenTimeout: Duration = .seconds(10)
  /// The program that prints the app's version; empty for none.
  package var appVersionCommand: [String] = []
  /// The program that switches features on and off; empty for none.
  package var featureCommand: [String] = []
  /// The folder with the app's translated strings, for APNs payloads.
  package var strings: String?
  /// The short name for narrow lists.
  package var short: String?
  /// The number of the line in the file, or 0 if the source isn't in the file.
  package var line = 0
  /// Whether the source is in `sources.toml`, since other machines follow it.
  package var isFollowed = false

  package var name: String { source.name }

  package init(source: ConfiguredSource = ConfiguredSource(name: "", settings: SourceSettings())) {
    self.source = source
  }

  /// Returns the TOML lines of the source's table, without the header: the values that differ from the defaults.
  ///
  /// - Parameter typed: values as the user typed them, by key.
  package func lines(typed: [String: String] = [:]) -> [String] {
    Self.rows.compactMap { row in
      let text = row.toml(self)
      guard let value = typed[row.key] ?? (text == row.toml(Self.standard) ? nil : text) else {
        return nil
      }
      return "\(row.key) = \(value)"
    }
  }
}

// MARK: - The table of settings

extension SourceEntry: SettingsRoot {
  static let standard = SourceEntry()
  static let places = [Setting.Place.source]

  /// The settings (rows) of a source, in the order in which the keys of a new source are written.
  static let rows = ownRows + pollRows + CredentialOrigin.rows(\.credential) + trustRows + serviceRows

  private static let ownRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "name", .text, \.source.name, else: Setting.required, example: "\"team\"",
      "unique name, for commands and scripts"),
    SettingRow(
      "title", .text, \.source.settings.title, else: "the server's title, or the name",
      example: "\"The team\"", "title in lists; commands accept it too"),
    SettingRow(
      "short", .text, \.short, else: "none", example: "\"ci\"",
      "title in narrow lists, which show at most ten columns"
    ),
    SettingRow(
      "kind", .choice(SourceKind.allCases.map(\.rawValue)), \.source.settings.kind,
      "one of \(SourceKind.words())"),
    SettingRow(
      "url", .text, \.source.settings.address, else: Setting.required,
      example: "\"https://team.example/feed\"",
      "URL (http, https, http+unix, file) or path of a file; not for `local`, `desktop` and `command`"),
    SettingRow(
      "command", .command, \.source.settings.options.command, else: Setting.required,
      example: "[\"./checks\"]",
      "(`command` only) program whose output is read at each poll"),
    SettingRow(
      "format", .choice(CommandFormat.allCases.map(\.rawValue)), \.source.settings.options.format,
      else: "`\"items\"`", example: "\"nagios\"",
      "(`command` only) `items`: JSON lines or a feed; `nagios`: a monitoring plugin; `lines`: one message per line"
    ),
    SettingRow(
      "remind", .lead(.zero...Duration.seconds(Limits.alarmDays * 86_400)), \.source.settings.reminder,
      "(`calendar` only) time of the reminder before an event without an alarm, or `off`"
    ),
    SettingRow(
      "day_start", .clock, \.source.settings.dayStart,
      "(`calendar` only) time of day of the reminder for an all-day event"
    ),
    SettingRow(
      "only", .texts, \.source.settings.options.only, else: "all", example: "[\"Slack\"]",
      "(`desktop` only) programs whose notifications are kept, ignoring case"
    ),
    SettingRow(
      "except", .texts, \.source.settings.options.except, else: "none", example: "[\"Spotify\"]",
      "(`desktop` only) programs whose notifications are not kept"),
    SettingRow(
      "own", .boolean, \.source.settings.ownsDesktop,
      "(`desktop` only) act as the notification daemon if there is none"),
    SettingRow(
      "folder", .folder, \.source.settings.folder, else: "none", example: "\"Dev/Swift\"",
      "folder of the source; folders nest by `/`"),
    SettingRow(
      "also_in", .texts, \.source.settings.options.alsoIn, else: "none", example: "[\"Reading/Later\"]",
      "other folders in an export as OPML"),
    SettingRow(
      "notify", .boolean, \.source.settings.notifies,
      "send notifications for its new messages"),
    SettingRow(
      "sync", .boolean, \.source.settings.options.sync,
      else: "`true`, except for the kinds `local`, `desktop` and `command` and files of this machine",
      example: "false",
      "sync the state of its messages"),
    SettingRow(
      "sync_as", .text, \.source.settings.options.syncAs, else: "none", example: "\"mail\"",
      "name that makes it one source on all machines that set it, regardless of the URL"),
    SettingRow(
      "shared", .boolean, \.source.settings.isShared,
      "(`local` only) share pushed messages with your machines that have a shared source of this name"
    ),
    SettingRow(
      "paused", .boolean, \.source.settings.isPaused,
      "poll only on request"),
    SettingRow(
      "page", .text, \.source.settings.options.page, else: "the server's",
      example: "\"https://team.example\"", "web page, for an export as OPML"),
  ]

  /// The allowed waiting times. A wait of more than a year is an error, and could make dates overflow.
  private static let waits = Duration.milliseconds(1)...Duration.seconds(366 * 86400)

  private static let pollRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "initial_delay", in: [.poll, .source], .duration(.zero...waits.upperBound),
      \.source.settings.polling.initialDelay, isLive: false,
      "time from the program's start to the first poll"),
    SettingRow(
      "interval", in: [.poll, .source], .duration(waits), \.source.settings.polling.interval,
      "time from the end of a poll to the next; up to 10 % is added at random"),
    SettingRow(
      "grace", in: [.poll, .source], .duration(waits), \.source.settings.polling.grace,
      "a refresh within this time of the last attempt does nothing, unless forced"),
    SettingRow(
      "connect_timeout", in: [.poll, .source], .duration(waits), \.connectTimeout,
      "time for name, connection and handshake of a request"),
    SettingRow(
      "request_timeout", in: [.poll, .source], .duration(waits), \.source.settings.polling.requestTimeout,
      "time for a request, from the first byte sent to the last byte read"),
    SettingRow(
      "poll_deadline", in: [.poll, .source], .duration(waits), \.source.settings.polling.pollDeadline,
      "time for a poll with all its requests"),
    SettingRow(
      "token_timeout", in: [.poll, .source], .duration(waits), \.tokenTimeout,
      "time for a `token_command`"),
    // libxml2 and SQLite count bytes in 32 bits.
    SettingRow(
      "response_limit", in: [.poll, .source], .bytes(1...1 << 30), \.source.settings.polling.responseLimit,
      "largest response, after decompression"),
    SettingRow(
      "keep", in: [.top, .source], .duration(.seconds(86400)...Duration.seconds(7305 * 86400)),
      \.source.settings.retention.age, else: "everything", example: "\"90d\"",
      "time after arrival that a message is kept; unread, starred and snoozed ones always stay"),
    SettingRow(
      "keep_messages", in: [.top, .source], .count(1...100_000_000), \.source.settings.retention.count,
      else: "everything", example: "5000",
      "number of newest messages kept per source, with the same exceptions"
    ),
    SettingRow(
      "daily_limit", in: [.top, .source], .count(1...100_000_000), \.source.settings.dailyLimit,
      """
      maximum number of new messages per source in 24 hours; each 4 KiB of a long message count as one. A service or \
      native feed then waits a day and continues where it stopped; other sources have no limit
      """),
  ]

  private static let trustRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "ca_file", .path, \.source.settings.options.caFile, else: "none", example: "\"~/team-ca.pem\"",
      "certificates (PEM) to trust besides the system's: an authority's, or the server's own"
    ),
    SettingRow(
      "client_certificate", .path, \.source.settings.options.clientCertificate, else: "none",
      example: "\"~/team-client.pem\"",
      "your certificate (PEM) for the server, with its key unless `client_key` is set"
    ),
    SettingRow(
      "client_key", .path, \.source.settings.options.clientKey, else: "in `client_certificate`",
      example: "\"~/team-client.key\"",
      "key (PEM) of `client_certificate`, without a password"),
    SettingRow(
      "verify", .boolean, \.source.settings.verifiesCertificates,
      """
      verify the server's certificate; with `false` anyone on the network path can read and change everything, \
      including the token
      """),
  ]

  private static let serviceRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "user", .text, \.user, else: "the name in the URL", example: "\"ada\"",
      "name that belongs to the token, if the server wants one; without a service the token is then a password"
    ),
    SettingRow(
      "write_back", .boolean, \.writesBack,
      "send your actions back to the service"),
    SettingRow(
      "stream", .boolean, \.source.settings.isStreamed,
      "keep a push channel open while the inbox runs: ntfy, Gotify, Mastodon, and native feeds such as a hub's"
    ),
    SettingRow(
      "dedupe", .boolean, \.source.settings.joinsOthers,
      "show duplicates of other sources' messages in one row with them"),
    SettingRow(
      "unread_on_change", .boolean, \.source.settings.isUnreadOnChange,
      "make an edited message unread again"),
    SettingRow(
      "full_text", .boolean, \.source.settings.showsArticles,
      "show the article of the page instead of the excerpt; the page is fetched when you first open the message"
    ),
    SettingRow(
      "channels", .texts, \.source.settings.channels, else: "all", example: "[\"general\", \"disks\"]",
      """
      channels to show; by default all plain messages, and in-app notifications of `general`; `reddot why NAME` \
      counts the others
      """),
    SettingRow(
      Setting(
        key: "types", places: places, form: .table, standard: "as agreed", example: "{ 7 = \"downtime\" }",
        help: "type numbers of in-app notifications that differ from the agreed ones"),
      \.source.settings.typeNames, read: { $0.typeNames($1) },
      toml: { names in
        let entries = names.sorted { $0.key < $1.key }.map { "\($0.key) = \(TOMLText.quoted($0.value))" }
        return "{ \(entries.joined(separator: ", ")) }"
      }),
    SettingRow(
      "strings", .path, \.strings, else: "none", example: "\"~/app/Resources\"",
      "folder of `en.lproj/Localizable.strings` and so on, for APNs payloads"),
    SettingRow(
      "feature_command", .command, \.featureCommand, else: "none", example: "[\"switch-feature\"]",
      """
      runs with `on` or `off`, the name and the data (JSON) of each feature that the source switches; \
      \(DurationText.format(Limits.featureTime)) each, \(Limits.featureRunsPerPoll) a poll, \
      \(DurationText.format(Limits.featureTimeInAll)) in all; interrupted calls run again at the next start
      """),
    SettingRow(
      "app_version", .text, \.source.settings.appVersion, else: "reddot's own", example: "\"4.1\"",
      "version of the app, for banners"),
    SettingRow(
      "app_version_command", .command, \.appVersionCommand, else: "none",
      example: "[\"app\", \"--version\"]",
      "program that prints this version"),
  ]
}
