package import Basics
import Calendars
package import Formats
package import Foundation
package import Platform
import Polling
import Profile
import Settings
import Storage
import Words

/// The next firings of a schedule file, for each entry. A firing is a time at which the entry's message is shown.
package struct SchedulePreview: Sendable {
  /// An entry of the file with its next firings.
  package struct Entry: Sendable {
    package var id: NativeID?
    /// The title in the user's language.
    package var title: String
    /// The path of the entry in the file, for example `$[3]`.
    package var path: String
    /// The times of the next firings.
    package var occurrences: [Date]
    /// The features that the entry turns on or off instead of showing a message, or `nil` if it shows a message.
    package var switching: ScheduledSwitch?
    /// The reason why the entry cannot run, or `nil` if it can.
    package var error: String?
    /// The keys without effect, for an entry that can run.
    package var notes: [FormatProblem]
  }

  package var entries: [Entry]
  /// The time of the preview, from which firings are counted.
  private let from: Date
  private let zone: ZoneClock

  /// - Parameters:
  ///   - from: the first possible time of a firing. Entries without a start date are counted from here,
  ///     unless they are counted from the installation.
  ///   - count: the maximum number of firings for each entry.
  ///   - installed: the time of reddot's installation, from which some entries count their starts by weekday.
  package init(
    _ file: ScheduleFile, from: Date, count: Int, zone: ZoneClock, installed: Date, language: String,
    application: String = "reddot"
  ) {
    self.from = from
    self.zone = zone
    entries = file.entries.map { entry in
      let text = entry.texts.choice(for: language)?.naming(application: application)
      var preview = Entry(
        id: entry.id, title: text?.title ?? "", path: entry.path, occurrences: [],
        switching: entry.switching, error: nil, notes: entry.problems)
      guard let schedule = entry.schedule else {
        preview.error = entry.problems.map { "\($0.at): \($0.message)" }.joined(separator: "; ")
        preview.notes = []
        return preview
      }
      let firings = Firings(
        Recurrence(schedule), zone: zone, reference: entry.isFromInstallation ? installed : from)
      var next = count > 0 ? firings.next(from: from) : nil
      while let firing = next {
        preview.occurrences.append(firing.instant)
        next = preview.occurrences.count < count ? firings.next(after: firing.instant) : nil
      }
      return preview
    }
  }

  /// Creates the preview of the file that a command's argument names. For a parameter that is `nil`, the current value
  /// of this machine is used. No database is created.
  package static func given(
    _ path: String, from: Date?, count: Int, zone: ZoneClock?, installed: Date?, language: String?,
    config: String?, database: String?, environment: Environment
  ) throws -> SchedulePreview {
    let settings = try environment.settings(config: config)
    let from = from ?? environment.now()
    let file = try ScheduleFile.given(path)
    return SchedulePreview(
      file, from: from, count: count, zone: zone ?? environment.clock(),
      installed: try installed ?? environment.existingStore(database)?.time.installed() ?? from,
      language: language ?? settings.language ?? environment.language ?? "en")
  }

  /// Creates the preview of the next five firings of each entry, in this system's time zone.
  package static func here(
    _ file: ScheduleFile, config: String?, database: String?, environment: Environment
  ) throws -> SchedulePreview {
    let settings = try SettingsFile(
      path: config ?? environment.directories.settingsFile, home: environment.home
    ).load()
    let now = environment.now()
    return SchedulePreview(
      file, from: now, count: 5, zone: environment.clock(),
      installed: try environment.existingStore(database)?.time.installed() ?? now,
      language: settings.language ?? environment.language ?? "en")
  }

  /// The output as JSON: `{"entries": [{"id", "title", "occurrences", "error"}]}`. An entry that shows no message also
  /// has the features that it turns on or off.
  package var json: String {
    SafeOutput.json(.object(JSONObject(pairs: [("entries", entriesJSON)])))
  }

  package var entriesJSON: JSONValue {
    let entries = entries.map { entry -> JSONValue in
      let id: JSONValue =
        switch entry.id {
        case .integer(let integer)?: .number(integer.text)
        case .text(let text)?: .string(text)
        case nil: .null
        }
      var pairs = [
        ("id", id), ("title", .string(entry.title)),
        ("occurrences", .array(entry.occurrences.map(MessageJSON.date))),
        ("error", MessageJSON.text(entry.error)),
      ]
      if let switching = entry.switching {
        pairs.append(("displayed", .bool(false)))
        pairs.append(("features", .array(switching.features.map(JSONValue.string))))
        pairs.append(("enabled", .bool(switching.isEnabled)))
      }
      return .object(JSONObject(pairs: pairs))
    }
    return .array(entries)
  }

  // MARK: As text

  package var lines: [String] {
    var lines = ["times in \(zone.name)"]
    for entry in entries {
      let id = entry.id.map(\.text) ?? entry.path
      lines.append("")
      lines.append(SafeOutput.line(entry.title.isEmpty ? id : "\(entry.title) (\(id))"))
      if let switching = entry.switching { lines.append("  \(Self.words(switching))") }
      if let error = entry.error {
        lines.append("  rejected: \(SafeOutput.line(error))")
      } else if entry.occurrences.isEmpty {
        lines.append("  fires no more")
      }
      lines += entry.occurrences.map {
        "  \(Self.wall($0, in: zone))  \(Self.distance($0, from: from, in: zone))"
      }
      lines += entry.notes.map { "  note: \($0.line)" }
    }
    return lines
  }

  /// Returns a sentence about the features that an entry turns on or off.
  private static func words(_ switching: ScheduledSwitch) -> String {
    HiddenText.sentence(features: switching.features, isEnabled: switching.isEnabled)
  }

  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Returns a time in a time zone, for example `Thu 2026-11-26 19:00 +05:30`.
  static func wall(_ date: Date, in zone: ZoneClock) -> String {
    let time = WallTime(date, in: zone)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let offset = zone.offset(at: Int(date.timeIntervalSince1970.rounded(.down)))
    let clock = time.second % 60 == 0 ? time.clock : time.clockWithSeconds
    return "\(weekdays[time.weekday - 1]) \(time.date.text) \(clock) "
      + "\(offset < 0 ? "-" : "+")\(two(abs(offset) / 3600)):\(two(abs(offset) / 60 % 60))"
  }

  /// Returns the time until a date in words, for example "in 3 days". Days are calendar days; shorter times are elapsed
  /// time.
  static func distance(_ date: Date, from: Date, in zone: ZoneClock) -> String {
    func words(_ count: Int, _ unit: String) -> String { "in \(count) \(unit)\(count == 1 ? "" : "s")" }
    let seconds = Int(date.timeIntervalSince(from).rounded(.up))
    switch seconds {
    case ..<1: return "now"
    case ..<60: return words(seconds, "second")
    case ..<3600: return words(seconds / 60, "minute")
    case ..<86400: return words(seconds / 3600, "hour")
    case _:
      let wall = WallTime(date, in: zone)
      let wallNow = WallTime(from, in: zone)
      let days = wall.dayNumber - wallNow.dayNumber
      let (day, today) = (wall.date, wallNow.date)
      let months = (day.year - today.year) * 12 + day.month - today.month - (day.day < today.day ? 1 : 0)
      if days < 60 { return words(days, "day") }
      return months < 24 ? words(months, "month") : words(months / 12, "year")
    }
  }
}
