import Basics
import Messages
package import Storage

/// One `[[source]]`. The meaning and the range of a field are in `rows`.
package struct SourceEntry: Hashable, Sendable {
  /// The part that is stored in the database.
  package var source: ConfiguredSource
  package var credential: CredentialOrigin?
  /// The name that belongs to the token.
  package var user: String?
  /// Whether the person's acts are sent to the service.
  package var writesBack = true
  package var connectTimeout: Duration = .seconds(15)
  /// Long enough for a password store that uses a server, short enough for a poll.
  package var tokenTimeout: Duration = .seconds(10)
  /// Empty: none.
  package var appVersionCommand: [String] = []
  /// Empty: none.
  package var featureCommand: [String] = []
  package var strings: String?
  /// What narrow lists call it.
  package var short: String?
  /// Its line in the file; 0 if it isn't in the file.
  package var line = 0
  /// Whether it stands in `sources.toml`, since other machines follow it.
  package var isFollowed = false

  package var name: String { source.name }

  package init(source: ConfiguredSource = ConfiguredSource(name: "", settings: SourceSettings())) {
    self.source = source
  }

  /// The TOML lines of its table, without the header: the values that differ from the defaults.
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

  /// In the order of a new source's keys.
  static let rows = ownRows + pollRows + CredentialOrigin.rows(\.credential) + trustRows + serviceRows

  private static let ownRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "name", .text, \.source.name, else: Setting.required, example: "\"team\"",
      "what the source is called here; each has its own"),
    SettingRow(
      "title", .text, \.source.settings.title, else: "what its server says, else its name",
      example: "\"The team\"", "what lists call the source; commands take it as well as the name"),
    SettingRow(
      "short", .text, \.short, else: "none", example: "\"ci\"",
      "what lists call the source where its title has no room; ten columns at most are shown in a narrow list"
    ),
    SettingRow(
      "kind", .choice(SourceKind.allCases.map(\.rawValue)), \.source.settings.kind,
      "the kind of source: \(SourceKind.words())"),
    SettingRow(
      "url", .text, \.source.settings.address, else: Setting.required,
      example: "\"https://team.example/feed\"",
      """
      an http, https or file address, or the path of a file; `http+unix://%2Frun%2Fserver.sock/path` asks a server on a Unix \
      socket; not needed for `local`, `desktop` and `command`
      """),
    SettingRow(
      "command", .command, \.source.settings.options.command, else: Setting.required,
      example: "[\"./checks\"]",
      """
      only for a source of kind `command`: the program that is run for each poll, in the folder of this file, and what it prints \
      is read; `REDDOT_SOURCE` is the source's name, and `REDDOT_CURSOR` what the last output ended with
      """),
    SettingRow(
      "format", .choice(CommandFormat.allCases.map(\.rawValue)), \.source.settings.options.format,
      else: "`\"items\"`", example: "\"nagios\"",
      """
      what such a program prints: `items` is JSON lines, a native feed or a web feed, `nagios` what a monitoring plugin \
      prints, `lines` a message a line
      """),
    SettingRow(
      "remind", .lead(.zero...Duration.seconds(Limits.alarmDays * 86_400)), \.source.settings.reminder,
      "only for a source of kind `calendar`: how long before its start an event without an alarm is told of; or `off`"
    ),
    SettingRow(
      "day_start", .clock, \.source.settings.dayStart,
      "only for a source of kind `calendar`: when on its day an event is told of that lasts whole days"),
    SettingRow(
      "only", .texts, \.source.settings.options.only, else: "all", example: "[\"Slack\"]",
      "only for a source of kind `desktop`: the programs whose notices are kept, whatever the case of their letters"
    ),
    SettingRow(
      "except", .texts, \.source.settings.options.except, else: "none", example: "[\"Spotify\"]",
      "only for a source of kind `desktop`: programs whose notices are not kept"),
    SettingRow(
      "own", .boolean, \.source.settings.ownsDesktop,
      """
      only for a source of kind `desktop`: whether reddot answers other programs itself where no notification daemon runs, as in \
      a login without a screen
      """),
    SettingRow(
      "folder", .folder, \.source.settings.folder, else: "none", example: "\"Dev/Swift\"",
      "where the source is filed; folders nest by `/`"),
    SettingRow(
      "also_in", .texts, \.source.settings.options.alsoIn, else: "none", example: "[\"Reading/Later\"]",
      "other folders that an export as OPML names the source in; the inbox shows it in `folder`"),
    SettingRow(
      "notify", .boolean, \.source.settings.tells,
      "whether you are told of its new messages; see `notify_via`"),
    SettingRow(
      "sync", .boolean, \.source.settings.options.sync,
      else: "`true`, but for the kinds `local`, `desktop` and `command` and files of this machine",
      example: "false",
      "whether marks of its messages are the same on all your machines; see `[sync]`"),
    SettingRow(
      "sync_as", .text, \.source.settings.options.syncAs, else: "none", example: "\"mail\"",
      "the same source on all your machines that say so, whatever its address"),
    SettingRow(
      "shared", .boolean, \.source.settings.isShared,
      "only for a source of kind `local`: what is pushed into it appears on all your machines that name it so"
    ),
    SettingRow(
      "paused", .boolean, \.source.settings.isPaused,
      "the source is polled only when somebody asks for it"),
    SettingRow(
      "page", .text, \.source.settings.options.page, else: "what its server says",
      example: "\"https://team.example\"", "the web page of the source, which an export as OPML names"),
  ]

  /// Longer waits than a year are mistakes, and could make dates overflow.
  private static let waits = Duration.milliseconds(1)...Duration.seconds(366 * 86400)

  private static let pollRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "initial_delay", in: [.poll, .source], .duration(.zero...waits.upperBound),
      \.source.settings.polling.initialDelay, isLive: false,
      "from the program's start to the first poll, in the inbox too"),
    SettingRow(
      "interval", in: [.poll, .source], .duration(waits), \.source.settings.polling.interval,
      "from the end of a poll to the next; up to 10 % are added by chance"),
    SettingRow(
      "grace", in: [.poll, .source], .duration(waits), \.source.settings.polling.grace,
      "a refresh within this time of the last attempt does nothing, unless it is forced"),
    SettingRow(
      "connect_timeout", in: [.poll, .source], .duration(waits), \.connectTimeout,
      "name, connection and handshake of one request"),
    SettingRow(
      "request_timeout", in: [.poll, .source], .duration(waits), \.source.settings.polling.requestTimeout,
      "one request, from the first byte sent to the last byte read"),
    SettingRow(
      "poll_deadline", in: [.poll, .source], .duration(waits), \.source.settings.polling.pollDeadline,
      "one poll, all its requests"),
    SettingRow(
      "token_timeout", in: [.poll, .source], .duration(waits), \.tokenTimeout, "time for a `token_command`"),
    // libxml2 and SQLite count bytes in 32 bits.
    SettingRow(
      "response_limit", in: [.poll, .source], .bytes(1...1 << 30), \.source.settings.polling.responseLimit,
      "the largest answer, after decompression"),
    SettingRow(
      "keep", in: [.top, .source], .duration(.seconds(86400)...Duration.seconds(7305 * 86400)),
      \.source.settings.retention.age, else: "everything", example: "\"90d\"",
      "how long a message stays stored after it came; unread, starred and snoozed ones always stay"),
    SettingRow(
      "keep_messages", in: [.top, .source], .count(1...100_000_000), \.source.settings.retention.count,
      else: "everything", example: "5000",
      "how many messages of a source stay stored, the newest ones; unread, starred and snoozed ones always stay"
    ),
    SettingRow(
      "daily_limit", in: [.top, .source], .count(1...100_000_000), \.source.settings.dailyLimit,
      """
      maximum number of new messages of a source within 24 hours; long messages count as several messages, one for each 4 KiB. Then \
      polls and streams stop between two pages, and continue there a day later, so that nothing is skipped; no effect on feeds \
      and other sources whose server does not keep new messages
      """),
  ]

  private static let trustRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "ca_file", .path, \.source.settings.options.caFile, else: "none", example: "\"~/team-ca.pem\"",
      "a file of certificates (PEM) that are trusted besides the system's: of an authority, or the server's own"
    ),
    SettingRow(
      "client_certificate", .path, \.source.settings.options.clientCertificate, else: "none",
      example: "\"~/team-client.pem\"",
      "a file with the certificate (PEM) that the server wants from you, and with its key unless that is in `client_key`"
    ),
    SettingRow(
      "client_key", .path, \.source.settings.options.clientKey, else: "in `client_certificate`",
      example: "\"~/team-client.key\"",
      "a file with the key (PEM) of `client_certificate`, without a password"),
    SettingRow(
      "verify", .boolean, \.source.settings.verifiesCertificates,
      """
      whether the server's certificate is verified; with `false` anybody on the way can read and change everything, the token \
      too, and the source is marked on the screen: `ca_file` is safer
      """),
  ]

  private static let serviceRows: [SettingRow<SourceEntry>] = [
    SettingRow(
      "user", .text, \.user, else: "the name in the address", example: "\"ada\"",
      "the name that belongs to the token, if the server wants one; without a service the token is then a password"
    ),
    SettingRow(
      "write_back", .boolean, \.writesBack,
      "what you do here (read, done, starred) is done at the service too, where it has that"),
    SettingRow(
      "stream", .boolean, \.source.settings.isStreamed,
      """
      the service's push channel is held open while the inbox runs (ntfy, Gotify, Mastodon); the server of a native feed, such \
      as a hub, holds a request until there is something new
      """),
    SettingRow(
      "dedupe", .boolean, \.source.settings.joinsOthers,
      "a message that other sources brought too, by its link or id, is one with theirs"),
    SettingRow(
      "unread_on_change", .boolean, \.source.settings.isUnreadOnChange,
      "an edited message becomes unread again"),
    SettingRow(
      "full_text", .boolean, \.source.settings.showsArticles,
      "opening a message fetches the page behind it, once, and shows its article instead of the excerpt"),
    SettingRow(
      "channels", .texts, \.source.settings.channels, else: "all", example: "[\"general\", \"disks\"]",
      """
      the channels whose messages are shown; without it all plain messages are, and of in-app notifications those of `general`; \
      `reddot why NAME` counts the others
      """),
    SettingRow(
      Setting(
        key: "types", places: places, form: .table, standard: "as agreed", example: "{ 7 = \"downtime\" }",
        help: "what the type numbers of in-app notifications mean, where they differ from the agreed ones"),
      \.source.settings.typeNames, read: { $0.typeNames($1) },
      toml: { names in
        let entries = names.sorted { $0.key < $1.key }.map { "\($0.key) = \(TOMLText.quoted($0.value))" }
        return "{ \(entries.joined(separator: ", ")) }"
      }),
    SettingRow(
      "strings", .path, \.strings, else: "none", example: "\"~/app/Resources\"",
      "the folder of `en.lproj/Localizable.strings` and so on, for APNs payloads"),
    SettingRow(
      "feature_command", .command, \.featureCommand, else: "none", example: "[\"switch-feature\"]",
      """
      run with `on` or `off`, the name and the data (JSON) of each feature that the source switches, one after the \
      other; \(DurationText.format(Limits.featureTime)) each, \(Limits.featureRunsPerPoll) a poll, \
      \(DurationText.format(Limits.featureTimeInAll)) for all after one round; what a quit cut short is run again at the \
      next start
      """),
    SettingRow(
      "app_version", .text, \.source.settings.appVersion, else: "reddot's own", example: "\"4.1\"",
      "what banners compare with"),
    SettingRow(
      "app_version_command", .command, \.appVersionCommand, else: "none",
      example: "[\"app\", \"--version\"]",
      "a program that prints what banners compare with, for a source without an `app_version`"),
  ]
}
