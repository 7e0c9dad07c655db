package import Basics
package import Foundation

/// A file of schedules for local notifications. The times are wall times as written, without zones and instants.
package struct ScheduleFile: Hashable, Sendable {
  /// The entries in file order.
  package var entries: [ScheduleFileEntry]

  /// All problems of the file, in file order.
  package var problems: [FormatProblem] { entries.flatMap(\.problems) }

  /// Reads a file, which contains an array of entries or a single one.
  package static func read(_ bytes: Data) throws(ScheduleFileFailure) -> ScheduleFile {
    let root: JSONValue
    do throws(JSONFailure) { root = try JSONReader.parse(bytes) } catch { throw .notJSON(error) }
    switch root {
    case .object: return ScheduleFile(entries: [ScheduleEntryReader.read(root, at: "$")])
    case .array(let elements):
      var entries = elements.enumerated().map { index, element in
        ScheduleEntryReader.read(element, at: JSONPath.index(index, under: "$"))
      }
      distinguish(&entries)
      return ScheduleFile(entries: entries)
    case .null, .bool, .number, .string: throw .notSchedules(found: root.kindInWords)
    }
  }

  /// Makes the identities of entries distinct, so that each has its own count of firings.
  private static func distinguish(_ entries: inout [ScheduleFileEntry]) {
    var first: [String: String] = [:]
    for index in entries.indices {
      let identity = entries[index].identity
      guard let path = first[identity] else {
        first[identity] = entries[index].path
        continue
      }
      if let id = entries[index].id {
        entries[index].problems.append(
          FormatProblem(
            at: JSONPath.key("id", under: entries[index].path),
            message: "\(id.text) is also the id of \(path)"))
      }
      entries[index].identity += " \(index)"
    }
  }
}

/// The reason why a file isn't a schedule file.
package enum ScheduleFileFailure: Error, Hashable, Sendable {
  case notJSON(JSONFailure)
  /// The document is neither an array nor an object.
  case notSchedules(found: String)
}

/// The features that an entry enables or disables when it fires, instead of showing a message. There may be none.
package struct ScheduledSwitch: Hashable, Sendable {
  package var features: [String] = []
  /// Whether the features are enabled instead of disabled.
  package var isEnabled = true
  /// The data that contains the names of the features, or `nil` if there is none.
  package var data: JSONValue?
}

/// One entry of a schedule file, valid or rejected.
package struct ScheduleFileEntry: Hashable, Sendable {
  /// The path of the entry: `$[3]`, or `$` if the file is a single entry.
  package var path: String
  package var id: NativeID?
  /// The identity of the entry, which stays the same when the file is edited: its id, or its content if it has none.
  package var identity: String
  /// The title and body in each language, in document order and without repeated languages. They may contain
  /// `{{%s}}`, which the application's name replaces later.
  package var texts: [LocalizedText]
  /// The features that the entry enables or disables, usually because its `type` is 3, or `nil` if it shows a
  /// message.
  package var switching: ScheduledSwitch?
  /// Whether the entry has the keys that an entry of a schedule must have, even with invalid values.
  package var isRecognizable = false
  /// The schedule, or `nil` if the entry is rejected; `problems` explains the reason.
  package var schedule: WallSchedule?
  /// Whether a start on a weekday is searched from the time of the installation, instead of from the time at
  /// which the entry was first read. It is `true` for entries with `data`.
  package var isFromInstallation = false
  /// The reasons why the entry is rejected, or the parts of it that are ignored.
  package var problems: [FormatProblem]
}

/// The times at which an entry fires, in wall time.
package struct WallSchedule: Hashable, Sendable {
  /// A time of day, from 0:00 to 23:59.
  package struct Time: Hashable, Sendable {
    package var hour: Int
    package var minute: Int

    package init(hour: Int, minute: Int) {
      self.hour = hour
      self.minute = minute
    }
  }

  /// The first firing. Except for `day`, it is the first match at or after a reference time: the installation
  /// for entries with `data`, or the time at which the entry was first read for others.
  package enum Start: Hashable, Sendable {
    case day(CivilDate, Time)
    /// Weekdays, from 1 for Monday to 7 for Sunday; never empty. The entry fires on each of them. Several weekdays are
    /// allowed only if the interval is `nil` or in whole weeks.
    case weekdays(Set<Int>, Time)
    /// A day of the month, from 1 to 31; in a shorter month its last day.
    case dayOfMonth(Int, Time)
    case time(Time)

    package static func weekday(_ day: Int, _ time: Time) -> Start { .weekdays([day], time) }
  }

  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case second, minute, hour, day, week, month, quarter, year
  }

  /// The time from one firing to the next: `count` units, at least one.
  package struct Interval: Hashable, Sendable {
    package var count: Int
    package var unit: Unit

    package init(_ count: Int, _ unit: Unit) {
      self.count = count
      self.unit = unit
    }

    package init(_ unit: Unit) { self.init(1, unit) }
  }

  /// The end of the repetition.
  package enum End: Hashable, Sendable {
    case never
    /// The total number of firings, at least one.
    case count(Int)
    /// The last day on which it may fire.
    case through(CivilDate)
    /// The time that is this number of days, weeks or months after the first firing. It is excluded.
    case before(Interval)
  }

  package var start: Start
  /// The interval, or `nil` if the entry fires once.
  package var interval: Interval?
  package var end: End

  package init(start: Start, interval: Interval? = nil, end: End = .never) {
    self.start = start
    self.interval = interval
    self.end = end
  }
}
