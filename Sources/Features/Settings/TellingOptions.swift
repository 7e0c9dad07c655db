import Basics
import Formats
package import Messages
package import Queries
import Storage

/// The settings of notices.
package struct TellingOptions: Hashable, Sendable {
  /// Names of channels.
  package var via = [NoticeChannel.terminal.rawValue]
  /// Which messages are told of; nil: the usual choice.
  package var choice: Query?
  /// Program and arguments; empty: none.
  package var command: [String] = []
  package var quiet: [QuietHours] = []

  package init() {}

  package var channels: Set<NoticeChannel> { Set(via.compactMap(NoticeChannel.init)) }
}

extension Settings {
  /// Which messages the person is told of.
  package var selection: NoticeSelection {
    NoticeSelection(
      choice: telling.choice, sources: Set(sources.filter(\.source.settings.tells).map(\.name)),
      channels: telling.channels)
  }
}

// MARK: - [[quiet]]

/// One `[[quiet]]`. The meaning of a field is in `rows`.
struct QuietEntry: Hashable, Sendable {
  var days = names
  var from = ClockTime(minutes: 22 * 60)
  var to = ClockTime(minutes: 7 * 60)
  var allow: Query?

  /// From Monday on.
  static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  var hours: QuietHours {
    QuietHours(
      days: Set(days.compactMap { Self.names.firstIndex(of: $0).map { $0 + 1 } }), from: from, to: to,
      allow: allow)
  }
}

extension QuietEntry: SettingsRoot {
  static let standard = QuietEntry()
  static let places = [Setting.Place.quiet]

  static let rows: [SettingRow<QuietEntry>] = [
    SettingRow(
      "days", .several(names), \.days, else: "every day", example: "[\"sat\", \"sun\"]",
      "the days on which the hours begin"),
    SettingRow(
      "from", .clock, \.from, else: Setting.required, example: "\"22:00\"",
      "when they begin, by the clock of your time zone"),
    SettingRow(
      "to", .clock, \.to, else: Setting.required, example: "\"7:00\"",
      "when they end; a time that isn't later than `from` is on the next day"),
    SettingRow(
      Setting(
        key: "allow", places: places, form: .query, standard: "only what a rule calls urgent",
        example: "\"priority:5\"", help: "what you are told of all the same: a query"),
      \.allow, read: { $0.query($1).map(Optional.some) }, toml: { $0.map { TOMLText.quoted($0.text) } }),
  ]
}

extension ClockTime: SettingValue {
  static func read(_ raw: TOMLValue, _ form: Setting.Form, home: String) -> ClockTime? {
    raw.string.flatMap { ClockTime($0) }
  }

  func toml(_ form: Setting.Form) -> String { "\"\(text)\"" }
}

extension SourceSettings {
  /// When whole days of a calendar are told of.
  var dayStart: ClockTime {
    get { ClockTime(minutes: dayStartMinutes) }
    set { dayStartMinutes = newValue.minutes }
  }
}

extension SettingsReader {
  func readTelling(_ root: SettingsTable, into settings: inout Settings) {
    if settings.telling.channels.contains(.command), settings.telling.command.isEmpty,
      !root.has("notify_command")
    {
      root.report("notify_via", "\"command\" needs a notify_command, such as [\"tell-phone\"]")
    }
    for table in root.tables(.quiet) {
      var entry = QuietEntry()
      table.read(QuietEntry.rows, in: .quiet, into: &entry)
      for key in ["from", "to"] where !table.has(key) {
        table.report("", "needs a \(key), such as \(key) = \"22:00\"")
      }
      table.finish()
      root.absorb(table)
      settings.telling.quiet.append(entry.hours)
    }
    if settings.telling.quiet.count > Limits.quietEntries {
      root.report("quiet", "at most \(Limits.quietEntries) of them are read")
    }
  }
}

extension SettingsTable {
  /// A query that is parsed strictly; what is wrong with it is reported.
  func query(_ setting: Setting) -> Query? {
    guard let text = text(setting) else { return nil }
    switch Query.parse(text, .strict) {
    case .success(let query): return query
    case .failure(let mistake):
      report(setting.key, "must be a query: \(mistake.sentence(in: text))")
      return nil
    }
  }
}
