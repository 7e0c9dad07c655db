package import Basics
package import Calendars
package import Foundation
package import Messages

/// Computes the alarms of a calendar that are due, and the changes of those that have messages. It has no side effects.
package struct CalendarRound {
  /// The content of a calendar source's cursor, as JSON.
  package struct Memory: Hashable, Sendable, Codable {
    /// A message of an alarm.
    struct Known: Hashable, Sendable, Codable {
      var uid: String
      /// The key of its event when the message came, if that isn't the UID.
      var key: String?
      /// `CalendarItem.mark` and the event's file; earlier versions did not store them.
      var mark: String?
      var file: String?
      var kind: String
      /// The occurrence and its alarm.
      var occurrence: String
      var alarm: String
      /// The time at which the alarm went off, and that at which its event ends, in seconds since 1970.
      var instant: Int
      var ends: Int
      /// The digest of the message's content.
      var digest: String
      var isOver = false
    }

    /// The time up to which, inclusive, alarms have gone off or are from before the calendar was first read, in seconds
    /// since 1970.
    var done: Int?
    /// The time of the next alarm.
    var next: Int?
    /// The times at which the document of a URL was last requested and last received.
    var asked: Date?
    var received: Date?
    /// The time at which the file or folder was first found empty, as long as it still is and its messages haven't
    /// ended.
    var emptied: Date?
    /// The missing files of the folder that had future events, each with the time at which it was first found missing.
    var missing: [String: Date]?
    /// The messages, the newest last.
    var known: [Known] = []

    package init() {}

    package init?(_ cursor: Cursor?) {
      guard let cursor,
        let memory = try? JSONDecoder().decode(Memory.self, from: Data(cursor.text.utf8))
      else { return nil }
      self = memory
    }

    package var cursor: Cursor? {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return (try? encoder.encode(self)).map { Cursor(String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether messages of future events would end if the calendar is empty.
    func hasOpen(at now: Date) -> Bool {
      known.contains { !$0.isOver && Double($0.ends) > now.timeIntervalSince1970 }
    }

    /// Returns the files of the future events.
    func openFiles(at now: Date) -> Set<String> {
      Set(known.lazy.filter { !$0.isOver && Double($0.ends) > now.timeIntervalSince1970 }.compactMap(\.file))
    }

    package var nextAlarm: Date? { next.map { Date(timeIntervalSince1970: Double($0)) } }
  }

  package struct Result {
    /// The messages, oldest first.
    package var messages: [IncomingMessage] = []
    /// Each message, and whether its subject has ended: a to-do is done, or an event was cancelled.
    package var endings: [(message: RemoteID, isOver: Bool)] = []
    package var problems: [FormatProblem] = []
    package var memory: Memory
  }

  private let words: CalendarWords
  private let standard: DefaultAlarm
  /// Returns a sentence on the number of alarms of one event that were missed before the one that is shown.
  private let missedBefore: @Sendable (Int) -> String

  package init(
    words: CalendarWords, default standard: DefaultAlarm, missedBefore: @escaping @Sendable (Int) -> String
  ) {
    self.words = words
    self.standard = standard
    self.missedBefore = missedBefore
  }

  /// - Parameters:
  ///   - items: the items of `CalendarEvents`.
  ///   - gaps: the events that may not have been read. Their messages stay unchanged.
  package func run(
    _ items: [CalendarItem], gaps: CalendarGaps = CalendarGaps(), memory: Memory, at now: Date
  ) -> Result {
    let now = Int(now.timeIntervalSince1970.rounded(.down))
    var result = Result(memory: memory)
    // An alarm in the second in which the calendar is first read is shown. If the clock was set back, alarms must not
    // wait until the old time is reached again.
    let done = min(memory.done ?? now - 1, now)
    // After a longer absence, older alarms are no longer of interest.
    let from = max(done, now - Limits.alarmDays * 86_400)
    let all = CalendarSeries.all(items)
    let steps = ExpansionBudget(Limits.calendarSteps)
    let expansions = all.map { SeriesExpansion($0, reader: words.reader, steps: steps) }
    var fired: Set<String> = []
    var due: [(place: Int, firing: AlarmFiring, missed: Int)] = []
    // The alarms that were due before the calendar was first read.
    var passed: [Memory.Known] = []
    let events = KnownEvents(all, known: memory.known)
    for (place, (series, expansion)) in zip(all, expansions).enumerated() {
      let firings = expansion.alarms(
        of: series, after: min(from, now - Limits.lateAlarmSeconds), through: now, default: standard)
      let missed = firings.drop { $0.instant <= from }
      if let last = missed.last {
        due.append((place, events.named(last, at: place), missed.count - 1))
      } else if let late = firings.last, late.occurrence.isToCome(at: now), !events.has(late, at: place) {
        // The event was added to the calendar or moved after the alarm's time.
        if memory.done != nil {
          due.append((place, events.named(late, at: place), 0))
        } else {
          passed.append(known(late, of: series))
        }
      }
    }
    due.sort { $0.firing.instant < $1.firing.instant }
    for (_, firing, missed) in due {
      let message = words.message(firing, missed: missed > 0 ? missedBefore(missed) : nil)
      result.messages.append(message)
      result.endings.append((message.remoteID, false))
      fired.insert(firing.remoteID)
    }
    follow(all, expansions, events, gaps, &result, without: fired, at: now)
    result.memory.known += passed + due.map { known($0.firing, of: all[$0.place]) }
    result.memory.known.removeFirst(max(0, result.memory.known.count - Limits.rememberedAlarms))
    result.memory.done = now
    result.memory.next = next(all, expansions, after: now)
    result.problems = zip(all, expansions).filter { $1.steps.isSpent }
      .prefix(Limits.calendarProblems).map { series, _ in
        FormatProblem(
          at: series.items.first?.place ?? "",
          message: "\(series.uid.prefix(100)): \(ExpansionBudget.sentence)")
      }
    return result
  }

  // MARK: What was told of

  /// Updates the messages of changed events, and ends those of events that are done or gone.
  private func follow(
    _ all: [CalendarSeries], _ expansions: [SeriesExpansion], _ events: KnownEvents, _ gaps: CalendarGaps,
    _ result: inout Result, without fired: Set<String>, at now: Int
  ) {
    var kept: [Memory.Known] = []
    for var one in result.memory.known where !fired.contains(one.remoteID) {
      if gaps.mayHide(uid: one.uid, of: one.file) {
        kept.append(one)
        continue
      }
      let place = events.place(of: one)
      guard let place, let occurrence = expansions[place].occurrence(one.occurrence) else {
        // Many calendars drop past events: only a future event that is missing was cancelled.
        guard one.ends > now else { continue }
        if let place, all[place].hasUnreadDates || expansions[place].steps.isSpent {
          kept.append(one)
          continue
        }
        if !one.isOver { result.endings.append((RemoteID(one.remoteID), true)) }
        one.isOver = true
        kept.append(one)
        continue
      }
      var firing = AlarmFiring(occurrence: occurrence, key: one.alarm, instant: one.instant)
      firing.occurrence.item.key = one.key ?? one.uid
      let changed = known(firing, of: all[place])
      if changed.digest != one.digest { result.messages.append(words.message(firing)) }
      let isOver = occurrence.item.isCompleted || occurrence.item.isDeclined
      if isOver != one.isOver { result.endings.append((RemoteID(one.remoteID), isOver)) }
      one = changed
      one.isOver = isOver
      kept.append(one)
    }
    result.memory.known = kept
  }

  private func known(_ firing: AlarmFiring, of series: CalendarSeries) -> Memory.Known {
    let message = words.message(firing)
    let text = [message.title, message.body, message.url ?? "", message.extras?.actions.first?.url ?? ""]
    let item = firing.occurrence.item
    return Memory.Known(
      uid: series.uid, key: item.key == series.uid ? nil : item.key, mark: series.mark, file: item.file,
      kind: series.kind.rawValue, occurrence: firing.occurrence.key,
      alarm: firing.key, instant: firing.instant, ends: firing.occurrence.endsAt,
      digest: SHA256.digest(text.joined(separator: "\u{0}")).prefix(8).hex)
  }

  // MARK: What comes

  /// Returns the first alarm after a time. It is looked for in spans that become longer, since most calendars have one
  /// soon.
  private func next(_ all: [CalendarSeries], _ expansions: [SeriesExpansion], after now: Int) -> Int? {
    var from = now
    for days in [1, 8, 60, Limits.alarmHorizonDays] {
      let through = now + days * 86_400
      let found = zip(all, expansions).compactMap { series, expansion in
        expansion.alarms(of: series, after: from, through: through, default: standard).first?.instant
      }
      if let first = found.min() { return first }
      from = through
    }
    return nil
  }
}

extension CalendarOccurrence {
  /// Whether the start of an event or the due time of a to-do is in the future.
  fileprivate func isToCome(at now: Int) -> Bool { (item.kind == .todo ? endsAt : startsAt) > now }
}

extension CalendarRound.Memory.Known {
  var remoteID: String { "\(kind):\(key ?? uid)@\(occurrence)/\(alarm)" }
}

/// The events of the remembered messages.
private struct KnownEvents {
  private let all: [CalendarSeries]
  private var marks: [String: Int] = [:]
  private var keys: [String: Int] = [:]
  /// The event that earlier versions of reddot found for each UID.
  private var earlier: [String: Int] = [:]
  /// The marks of the events that have messages.
  private let claimed: Set<String>
  /// The alarms that have a message.
  private var alarms: Set<String> = []
  /// The keys that differ from those in the calendar: an event has the key of its messages, and no key of another
  /// event.
  private var names: [Int: String] = [:]

  init(_ all: [CalendarSeries], known: [CalendarRound.Memory.Known]) {
    self.all = all
    claimed = Set(known.compactMap(\.mark))
    let uids = Set(known.map(\.uid))
    for (place, series) in all.enumerated() where uids.contains(series.uid) {
      marks[series.mark] = place
      keys["\(series.kind.rawValue) \(series.key)"] = place
      let uid = "\(series.kind.rawValue) \(series.uid)"
      if let other = earlier[uid], all[other].sequence > series.sequence { continue }
      earlier[uid] = place
    }
    for one in known {
      guard let place = place(of: one) else { continue }
      alarms.insert(Self.alarm(place, one.occurrence, one.alarm))
      names[place] = one.key ?? one.uid
    }
    let taken = Set(names.map { "\(all[$0].kind.rawValue) \($1)" })
    for (place, series) in all.enumerated() where names[place] == nil {
      if taken.contains("\(series.kind.rawValue) \(series.key)") { names[place] = series.ownKey }
    }
  }

  /// Returns the place of a message's event: the id of an event may change when another event with its UID is added or
  /// removed.
  func place(of one: CalendarRound.Memory.Known) -> Int? {
    guard let mark = one.mark else { return earlier["\(one.kind) \(one.uid)"] }
    if let place = marks[mark] { return place }
    // The event was changed, unless another event has this id now.
    let place = keys["\(one.kind) \(one.key ?? one.uid)"]
    return place.flatMap { claimed.contains(all[$0].mark) ? nil : $0 }
  }

  /// Returns an alarm with the key of its message: an event keeps the id of its messages, even if other events with its
  /// UID change.
  func named(_ firing: AlarmFiring, at place: Int) -> AlarmFiring {
    var firing = firing
    if let name = names[place] { firing.occurrence.item.key = name }
    return firing
  }

  /// Whether an alarm has a message.
  func has(_ firing: AlarmFiring, at place: Int) -> Bool {
    alarms.contains(Self.alarm(place, firing.occurrence.key, firing.key))
  }

  private static func alarm(_ place: Int, _ occurrence: String, _ alarm: String) -> String {
    "\(place) \(occurrence)/\(alarm)"
  }
}
