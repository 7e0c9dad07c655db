import Basics
import Calendars
import Formats
package import Foundation
import Messages
import Notifications
import Platform
import Polling
package import Profile
import Screen
import Storage
import Words

/// Adds, changes and lists reminders. A one-time reminder is a local message that is snoozed until its time. Recurring
/// reminders are entries of a schedule file that reddot manages, in the folder of its database. That file is a source
/// like any other, and is added with the first recurring reminder.
package struct Reminders: Sendable {
  /// A reminder. Earlier versions created a separate entry for each of several weekdays; such entries together are one
  /// reminder.
  package struct Reminder: Sendable {
    /// The number with which the id of its entry begins; for a one-time reminder, `m` and the number of its message.
    package var id: String
    /// The repetition, or `nil` for a one-time reminder, and if the user has changed the entry in the file.
    var repetition: RepeatTime?
    package var title: String
    /// The time of the next firing, or `nil` if there is none.
    package var next: Date?
  }

  /// The reason why a reminder could not be added, changed or read.
  package enum Failure: UserFacingError {
    case unknown(id: String)
    case notATime(String)
    case isRepeated(id: String)
    case file(path: String, reason: String)

    package var sentence: String {
      switch self {
      case .unknown(let id): "no reminder \(id); run reddot remind --list to see them"
      case .isRepeated(let id):
        "reminder \(id) is recurring; remove it, and add it with another time"
      case .notATime(let text):
        "\"\(text)\" is not a time that repeats; write day 9:45, weekday 9:45 or month 31 10:00"
      case .file(let path, let reason): "\(path) \(reason)"
      }
    }
  }

  private let profile: Profile
  /// The path of the schedule file.
  private let path: String

  package init(_ profile: Profile) {
    self.profile = profile
    let database = profile.store.path ?? profile.environment.directories.databaseFile
    path = Profile.reminders(besides: database)
  }

  // MARK: Changes

  /// Whether the argument is a recurring time, for example `weekday 9:45`.
  package static func isRepeatTime(_ text: String) -> Bool { RepeatTime(text) != nil }

  /// Adds a recurring reminder.
  ///
  /// - Parameters:
  ///   - text: the recurring time as the user typed it.
  ///   - trouble: receives a sentence for everything that failed after the first poll.
  package func add(
    every text: String, title: String, body: String, trouble: (String) -> Void
  ) async throws -> Reminder {
    guard let repetition = RepeatTime(text) else { throw Failure.notATime(text) }
    var id = ""
    try edit { entries in
      let last = entries.compactMap { Self.id(of: $0).flatMap { Int($0) } }.max() ?? 0
      id = String(last + 1)
      return entries + [self.entry(repetition, id: id, title: title, body: body)]
    }
    // The next firing is counted from the first poll that reads the entry, so that poll is made now.
    let (profile, source) = try await follow()
    if let source {
      _ = try await profile.arrival(trouble: trouble) { try await $0.poll([source], .forced) }
    }
    return try repeated().first { $0.id == id } ?? Reminder(id: id, repetition: repetition, title: title)
  }

  /// Returns the sentence about a one-time reminder: `2026-11-26 09:00: Call Bo`.
  package func sentence(_ title: String, at instant: Date) -> String {
    SafeOutput.line("\(profile.environment.wallTime(instant)): \(title)")
  }

  /// Changes the time of a one-time reminder.
  ///
  /// - Parameter text: the time as the user typed it.
  /// - Returns: a sentence about the reminder.
  package func move(_ id: String, to text: String) throws -> String {
    guard let message = try single(id) else {
      throw try list().contains { $0.id == id } ? Failure.isRepeated(id: id) : Failure.unknown(id: id)
    }
    let instant = try profile.instant(text)
    try profile.perform(.snooze([message.id], until: instant))
    return sentence(message.content.title, at: instant)
  }

  /// Returns the message of a one-time reminder whose time is in the future, or `nil` if there is none with this id.
  private func single(_ id: String) throws -> Message? {
    guard id.hasPrefix("m"), let number = Int64(id.dropFirst()) else { return nil }
    return try singles().first { $0.id.rawValue == number }
  }

  /// Returns the one-time reminders, the next one first.
  private func singles() throws -> [Message] {
    var messages: [Message] = []
    try profile.eachMessage(InboxQuery(scope: .snoozed), limit: Limits.listedReminders) { message in
      if message.content.kind == .local, message.content.visibleFrom != nil { messages.append(message) }
    }
    return messages
  }

  /// Removes a recurring reminder, or dismisses the message of a one-time reminder.
  package func remove(_ id: String) throws {
    if let message = try single(id) { return try profile.perform(.dismiss([message.id])) }
    try edit { entries in
      let kept = entries.filter { Self.id(of: $0) != id }
      guard kept.count < entries.count else { throw Failure.unknown(id: id) }
      return kept
    }
  }

  /// Adds the schedule file to the sources, unless it is one already, and returns the source.
  private func follow() async throws -> (Profile, Source?) {
    let address = URL(fileURLWithPath: path).absoluteString
    func source(_ profile: Profile) -> Source? { profile.sources.first { $0.address == address } }
    var current = try await profile.inBackground { try $0.registered() }
    if source(current) == nil {
      var wish = SourceWish(address: address)
      wish.kind = .schedule
      let name = "reminders"
      if !current.sources.contains(where: { $0.name == name }) { wish.name = name }
      _ = try await SourceAdder(current).add(wish)
      current = try await current.inBackground { try $0.reopened() }
    }
    return (current, source(current))
  }

  /// Changes the entries of the schedule file.
  private func edit(_ change: ([JSONValue]) throws -> [JSONValue]) throws {
    do {
      try ReplacedFile(path: path).edit { bytes in
        let lines = try change(bytes.map(elements) ?? []).map { "  " + $0.serialized() }
        return Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8)
      }
    } catch let failure as ReplacedFile.Failure {
      throw Failure.file(path: path, reason: failure.reason)
    }
  }

  /// Parses the entries of the schedule file.
  private func elements(_ bytes: Data) throws -> [JSONValue] {
    let root: JSONValue
    do throws(JSONFailure) {
      root = try JSONReader.parse(bytes)
    } catch {
      throw Failure.file(path: path, reason: "cannot be read: line \(error.line), \(error.reason)")
    }
    guard let elements = root.elements else {
      throw Failure.file(path: path, reason: "cannot be read: it is not an array of reminders")
    }
    return elements
  }

  /// Returns the reminder's id: the part of an entry's id before a full stop, which earlier versions added with the
  /// weekday.
  private static func id(of entry: JSONValue) -> String? {
    entry.object?["id"]?.text?.split(onBytes: ".").first.map(String.init)
  }

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  /// Returns the entry of the schedule file for a recurring reminder.
  private func entry(_ repetition: RepeatTime, id: String, title: String, body: String) -> JSONValue {
    let texts: [(String, JSONValue)] = [("title", .string(title)), ("msg", .string(body))]
    let clock = WallTime(dayNumber: 0, second: repetition.second).clock
    func entry(_ when: [(String, JSONValue)]) -> JSONValue {
      .object(JSONObject(pairs: [("id", .string(id)), ("time", .string(clock))] + when + texts))
    }
    switch repetition.days {
    case .weekdays(let days):
      let names = days.sorted().map { JSONValue.string(Self.weekdays[$0 - 1]) }
      return entry([("day", names.count == 1 ? names[0] : .array(names)), ("repeat", .string("weekly"))])
    case .dayOfMonth(let day): return entry([("date", .integer(day)), ("repeat", .string("monthly"))])
    case .every(let days):
      // The start day is written to the file: the count must not change when the file is read elsewhere.
      let now = WallTime(profile.environment.now(), in: profile.environment.clock())
      let first = now.second < repetition.second ? now.dayNumber : now.dayNumber + 1
      let start = CivilDate(dayNumber: first).text.replacingBytes("-", with: "/")
      let data = JSONObject(pairs: [
        ("start", .string("\(start) \(clock)")), ("interval", .integer(days)),
        ("translations", .object(JSONObject(pairs: [("default", .object(JSONObject(pairs: texts)))]))),
      ])
      return .object(JSONObject(pairs: [("id", .string(id)), ("data", .object(data))]))
    }
  }

  // MARK: Lists

  /// Returns the recurring reminders, in the order in which they were added, then the one-time reminders, the next one
  /// first.
  package func list() throws -> [Reminder] {
    try repeated()
      + singles().map { message in
        Reminder(
          id: "m\(message.id.rawValue)", repetition: nil, title: message.content.title,
          next: message.snoozedUntil)
      }
  }

  /// Returns the recurring reminders from the schedule file.
  private func repeated() throws -> [Reminder] {
    let bytes: Data?
    do throws(ReplacedFile.Failure) {
      bytes = try ReplacedFile(path: path).bytes()
    } catch {
      throw Failure.file(path: path, reason: error.reason)
    }
    guard let bytes else { return [] }
    let file: ScheduleFile
    do throws(ScheduleFileFailure) {
      file = try ScheduleFile.read(bytes)
    } catch {
      throw Failure.file(path: path, reason: "is not a valid schedule file")
    }
    var order: [String] = []
    var groups: [String: [ScheduleFileEntry]] = [:]
    for entry in file.entries {
      let id = (entry.id?.text ?? entry.path).split(onBytes: ".").first.map(String.init) ?? ""
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append(entry)
    }
    return order.map { reminder($0, groups[$0] ?? []) }
  }

  /// Returns the reminder of one or several entries.
  private func reminder(_ id: String, _ entries: [ScheduleFileEntry]) -> Reminder {
    let schedules = entries.compactMap(\.schedule)
    let (now, zone) = (profile.environment.now(), profile.environment.clock())
    let next = schedules.compactMap {
      Firings(Recurrence($0), zone: zone, reference: now).next(after: now)?.instant
    }.min()
    return Reminder(
      id: id, repetition: Self.repetition(schedules), title: entries.first?.texts.first?.title ?? "",
      next: next)
  }

  /// Returns the repetition that the schedules of a reminder have together, or `nil` if reddot does not create such
  /// entries.
  private static func repetition(_ schedules: [WallSchedule]) -> RepeatTime? {
    var weekdays: Set<Int> = []
    for (place, schedule) in schedules.enumerated() {
      func time(_ time: WallSchedule.Time) -> Int { time.hour * 3600 + time.minute * 60 }
      switch (schedule.start, schedule.interval) {
      case (.weekdays(let days, let clock), .some):
        weekdays.formUnion(days)
        if place == schedules.count - 1 { return RepeatTime(.weekdays(weekdays), second: time(clock)) }
      case (.dayOfMonth(let day, let clock), .some): return RepeatTime(.dayOfMonth(day), second: time(clock))
      case (.day(_, let clock), let interval?) where interval.unit == .day:
        return RepeatTime(.every(days: interval.count), second: time(clock))
      case _: return nil
      }
    }
    return nil
  }

  /// Returns a table of reminders, with lines such as `3  weekday 9:45  2026-11-23 09:45  Stand-up`.
  package func report(_ reminders: [Reminder]) -> Report<Reminder> {
    Report(
      reminders,
      [
        Column("id", style: Style(roles: .dim), text: \.id, json: { .string($0.id) }),
        Column(
          "every", filling: .always,
          text: { $0.repetition?.text ?? ($0.id.hasPrefix("m") ? "once" : "") },
          json: { MessageJSON.text($0.repetition?.text) }),
        Column("title", json: { .string($0.title) }),
        Column(
          "next", style: Style(roles: .accent),
          text: { $0.next.map { profile.environment.wallTime($0) } ?? "never" },
          json: { MessageJSON.date($0.next) }),
        Column(text: \.title),
      ])
  }
}
