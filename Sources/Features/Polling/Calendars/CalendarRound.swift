package import Basics
package import Calendars
package import Foundation
package import Messages

/// Computes the alarms of a calendar that are due, and the changes to events whose alarms already have messages. It has
/// no side effects.
package struct CalendarRound {
  /// The content of a calendar source's cursor, as JSON.
  package struct Memory: Hashable, Sendable, Codable {
    /// An alarm that has a message.
    struct Known: Hashable, Sendable, Codable {
      var uid: String
      /// The key of the event when the message was created, if it isn't the UID.
      var key: String?
      /// `CalendarItem.mark` and the event's file; earlier versions did not store them.
      var mark: String?
      var file: String?
      var kind: String
      /// The keys of the occurrence and of its alarm.
      var occurrence: String
      var alarm: String
      /// The times at which the alarm went off and at which its event ends, in seconds since 1970.
      var instant: Int
      var ends: Int
      /// The digest of the message's content, by which a later change of the event is recognised.
      var digest: String
      /// Whether the message's event was reported as ended.
      var isOver = false
    }

    /// The time, in seconds since 1970, up to which all alarms are done: they have gone off, or their time
    /// was before the calendar was first read. The time itself is included.
    var done: Int?
    /// The time of the next alarm, in seconds since 1970, or `nil` if there is none.
    var next: Int?
    /// The times at which the document of a URL was last requested and last received.
    var asked: Date?
    var received: Date?
    /// The time at which the file or folder was first found empty, as long as it is still empty and its
    /// events do not yet count as cancelled.
    var emptied: Date?
    /// The files of the folder that are missing now, but had events that haven't ended, each with the time at
    /// which it was first found missing.
    var missing: [String: Date]?
    /// The alarms that have messages, the newest last.
    var known: [Known] = []

    package init() {}

    /// Reads the state from a cursor, or returns `nil` if there is none or it can't be read.
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

    /// Whether there are messages of events that haven't ended, which would count as cancelled if the
    /// calendar is empty.
    func hasOpen(at now: Date) -> Bool {
      known.contains { !$0.isOver && Double($0.ends) > now.timeIntervalSince1970 }
    }

    /// Returns the names of the files whose events have messages and haven't ended.
    func openFiles(at now: Date) -> Set<String> {
      Set(known.lazy.filter { !$0.isOver && Double($0.ends) > now.timeIntervalSince1970 }.compactMap(\.file))
    }

    package var nextAlarm: Date? { next.map { Date(timeIntervalSince1970: Double($0)) } }
  }

  /// The messages and other results of one run.
  package struct Result {
    /// The messages, oldest first.
    package var messages: [IncomingMessage] = []
    /// Each message, and whether its subject has ended: a to-do is done, or an event was cancelled.
    package var endings: [(message: RemoteID, isOver: Bool)] = []
    package var problems: [FormatProblem] = []
    package var memory: Memory
  }

  private let words: CalendarWords
  /// The alarm that is used for events without an alarm.
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

  /// Returns the messages of the alarms that are due, and the state for the next run.
  ///
  /// - Parameters:
  ///   - items: the events and to-dos, as `CalendarEvents` combines them.
  ///   - gaps: the parts of the calendar that could not be read. Messages of events in them stay unchanged.
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

  // MARK: Events with messages

  /// Updates the messages of changed events, and reports the messages of events that are done or cancelled as
  /// ended.
  ///
  /// - Parameter fired: the ids of the messages that this run creates, which are left out.
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

  /// Returns the stored form of an alarm and its message.
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

  // MARK: The next alarm

  /// Returns the time of the first alarm after a time, or `nil` if none comes soon. The search uses longer and longer
  /// spans, since most calendars have an alarm soon.
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

/// The events of a calendar that have messages, with their indices (places) in the list of all events.
private struct KnownEvents {
  private let all: [CalendarSeries]
  /// The index of each event in the list of all events, keyed by the event's mark, and by its kind and key.
  private var marks: [String: Int] = [:]
  private var keys: [String: Int] = [:]
  /// The index of the event that earlier versions of reddot would find, keyed by kind and UID.
  private var earlier: [String: Int] = [:]
  /// The marks of the events that have messages, as stored after the last poll.
  private let claimed: Set<String>
  /// The alarms that have a message.
  private var alarms: Set<String> = []
  /// The keys of some events that replace those in the calendar, by the event's index: an event keeps the key
  /// that its messages have, and no other event gets that key.
  private var names: [Int: String] = [:]

  /// Finds the events of the stored alarms.
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

  /// Returns the index of a message's event in the list of all events, or `nil` if the event is gone. The key
  /// of an event may change when another event with its UID is added or removed.
  func place(of one: CalendarRound.Memory.Known) -> Int? {
    guard let mark = one.mark else { return earlier["\(one.kind) \(one.uid)"] }
    if let place = marks[mark] { return place }
    // The event was changed, unless another event has this id now.
    let place = keys["\(one.kind) \(one.key ?? one.uid)"]
    return place.flatMap { claimed.contains(all[$0].mark) ? nil : $0 }
  }

  /// Returns an alarm with the key that the event's messages have, so that the message's id stays the same even if
  /// other events with its UID change.
  func named(_ firing: AlarmFiring, at place: Int) -> AlarmFiring {
    var firing = firing
    if let name = names[place] { firing.occurrence.item.key = name }
    return firing
  }

  /// Whether an alarm has a message.
  func has(_ firing: AlarmFiring, at place: Int) -> Bool {
    alarms.contains(Self.alarm(place, firing.occurrence.key, firing.key))
  }

  /// Returns the key of an alarm of an event.
  private static func alarm(_ place: Int, _ occurrence: String, _ alarm: String) -> String {
    "\(place) \(occurrence)/\(alarm)"
  }
}
