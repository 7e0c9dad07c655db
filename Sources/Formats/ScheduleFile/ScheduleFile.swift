package import Dates
package import Foundation

/// A file of local schedules: wall-clock components as written, without zones and instants.
package struct ScheduleFile: Hashable, Sendable {
  /// In file order.
  package var entries: [ScheduleFileEntry]

  /// What is wrong anywhere in the file, in file order.
  package var problems: [FormatProblem] { entries.flatMap(\.problems) }

  /// Reads an array of entries, or a single one.
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

  /// Gives entries that share an identity one of their own, so that they keep their own counts.
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

/// Why a file holds no schedules at all.
package enum ScheduleFileFailure: Error, Hashable, Sendable {
  case notJSON(JSONFailure)
  /// Neither an array nor an object.
  case notSchedules(found: String)
}

/// What an entry that is not displayed switches at its moments: nothing where it names no feature.
package struct ScheduledSwitch: Hashable, Sendable {
  package var features: [String] = []
  package var isEnabled = true
  /// The free-form data that named them; nil where there is none.
  package var data: JSONValue?
}

/// One entry of the file, whether it can run or not.
package struct ScheduleFileEntry: Hashable, Sendable {
  /// `$[3]`, or `$` where the file is a single entry.
  package var path: String
  package var id: NativeID?
  /// Tells the entry from the others of its file, and finds it again after the file has changed: its id, or
  /// its content where it has none.
  package var identity: String
  /// In document order, each language once; `{{%s}}` stands for the application's name.
  package var texts: [LocalizedText]
  /// `type` 3: it shows nothing, and switches features. Nil where it shows its text.
  package var switching: ScheduledSwitch?
  /// Whether it says when it fires as one of the shapes does, be it right or wrong.
  package var isRecognizable = false
  /// Nil where the entry is rejected; `problems` say why.
  package var schedule: WallSchedule?
  /// The first shape: a weekday start counts from the installation, not from now.
  package var isFromInstallation = false
  /// For an entry that runs: what was ignored in it.
  package var problems: [FormatProblem]
}

/// When an entry fires, as people write it.
package struct WallSchedule: Hashable, Sendable {
  /// A time of day, 0:00 to 23:59.
  package struct Time: Hashable, Sendable {
    package var hour: Int
    package var minute: Int

    package init(hour: Int, minute: Int) {
      self.hour = hour
      self.minute = minute
    }
  }

  /// The first firing. All but `day` are searched from the reference on: the installation in the first shape,
  /// now in the others, that moment included.
  package enum Start: Hashable, Sendable {
    case day(CivilDate, Time)
    /// 1 Monday to 7 Sunday.
    case weekday(Int, Time)
    /// 1 to 31; a month that is too short has its last day instead.
    case dayOfMonth(Int, Time)
    case time(Time)
  }

  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case second, minute, hour, day, week, month, quarter, year
  }

  /// From one firing to the next: `count` units, at least one.
  package struct Interval: Hashable, Sendable {
    package var count: Int
    package var unit: Unit

    package init(_ count: Int, _ unit: Unit) {
      self.count = count
      self.unit = unit
    }

    package init(_ unit: Unit) { self.init(1, unit) }
  }

  package enum End: Hashable, Sendable {
    case never
    /// So many firings in all, at least one.
    case count(Int)
    /// The last day on which it may fire.
    case through(CivilDate)
    /// Just before the first firing plus so many `day`, `week` or `month`.
    case before(Interval)
  }

  package var start: Start
  /// Nil fires once.
  package var interval: Interval?
  package var end: End

  package init(start: Start, interval: Interval? = nil, end: End = .never) {
    self.start = start
    self.interval = interval
    self.end = end
  }
}
