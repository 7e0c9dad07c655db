import Basics
import Formats
package import Messages
package import Queries
import Storage

/// The settings of notifications.
package struct NotificationOptions: Hashable, Sendable {
  /// The names of the channels through which the user is notified.
  package var via = [NoticeChannel.terminal.rawValue]
  /// The query that selects the messages to notify about, or `nil` for the default selection.
  package var choice: Query?
  /// The program of the channel `command`, and its arguments; empty for none.
  package var command: [String] = []
  /// The hours in which only urgent messages cause notifications.
  package var quiet: [QuietHours] = []

  package init() {}

  package var channels: Set<NoticeChannel> { Set(via.compactMap(NoticeChannel.init)) }
}

extension Settings {
  /// The selection of messages that the user is notified of.
  package var selection: NoticeSelection {
    NoticeSelection(
      choice: telling.choice, sources: Set(sources.filter(\.source.settings.notifies).map(\.name)),
      channels: telling.channels, phone: phone.allow)
  }
}

// MARK: - [[quiet]]

/// A table `[[quiet]]` of the settings: daily hours with few notifications. The meaning of a field is in `rows`.
struct QuietEntry: Hashable, Sendable {
  var days = names
  var from = ClockTime(minutes: 22 * 60)
  var to = ClockTime(minutes: 7 * 60)
  var allow: Query?

  /// The weekdays, beginning with Monday.
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
      "days on which the hours begin"),
    SettingRow(
      "from", .clock, \.from, else: Setting.required, example: "\"22:00\"",
      "beginning, in your time zone"),
    SettingRow(
      "to", .clock, \.to, else: Setting.required, example: "\"7:00\"",
      "end; a time that isn't later than `from` is on the next day"),
    SettingRow(
      Setting(
        key: "allow", places: places, form: .query, standard: "only messages that a rule makes urgent",
        example: "\"priority:5\"", help: "query for messages that send notifications anyway"),
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
  /// The time of day of the reminder for all-day events of calendars.
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
  /// Parses a query strictly and reports its errors.
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
