package import Calendars
import Digests
package import Foundation
import Limits
package import Messages

/// Computes the alarms of a calendar that are due, and what has changed of those that were told of. Pure.
package struct CalendarRound {
  /// The content of a calendar source's cursor, as JSON.
  package struct Memory: Hashable, Sendable, Codable {
    /// A message of an alarm.
    struct Known: Hashable, Sendable, Codable {
      var uid: String
      var kind: String
      /// Which occurrence, and which alarm of it.
      var occurrence: String
      var alarm: String
      /// When it went off, and when its event ends: seconds since 1970.
      var instant: Int
      var ends: Int
      /// Of what the message says.
      var digest: String
      var isOver = false
    }

    /// Alarms up to here, inclusive, went off or are before the calendar was first read. Seconds since 1970.
    var done: Int?
    /// The next alarm.
    var next: Int?
    /// Of an address: when its document was last asked for, and when it last came.
    var asked: Date?
    var received: Date?
    /// The newest last.
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

    package var nextAlarm: Date? { next.map { Date(timeIntervalSince1970: Double($0)) } }
  }

  package struct Result {
    /// Oldest first.
    package var messages: [IncomingMessage] = []
    /// Whether what a message tells of is over: a to-do is done, an event was cancelled.
    package var endings: [(message: RemoteID, isOver: Bool)] = []
    package var problems: [PollProblem] = []
    package var memory: Memory
  }

  private let words: CalendarWords
  private let standard: DefaultAlarm
  /// A sentence on how many alarms of one event were missed before the one that is told of.
  private let missedBefore: @Sendable (Int) -> String

  package init(
    words: CalendarWords, default standard: DefaultAlarm, missedBefore: @escaping @Sendable (Int) -> String
  ) {
    self.words = words
    self.standard = standard
    self.missedBefore = missedBefore
  }

  package func run(_ items: [CalendarItem], memory: Memory, at now: Date) -> Result {
    let now = Int(now.timeIntervalSince1970.rounded(.down))
    var result = Result(memory: memory)
    // An alarm in the second in which the calendar is first read is told of. If the clock was set back, alarms must not wait
    // until its earlier time.
    let done = min(memory.done ?? now - 1, now)
    // A machine that was off for longer has other worries.
    let from = max(done, now - Limits.alarmDays * 86_400)
    let all = CalendarSeries.all(items)
    let steps = Steps(Limits.calendarSteps)
    let expansions = all.map { SeriesExpansion($0, reader: words.reader, steps: steps) }
    var fired: Set<String> = []
    var due: [(firing: AlarmFiring, missed: Int)] = []
    let remembered = Set(memory.known.map(\.remoteID))
    for (series, expansion) in zip(all, expansions) {
      let firings = expansion.alarms(
        of: series, after: min(from, now - Limits.lateAlarmSeconds), through: now, default: standard)
      let missed = firings.drop { $0.instant <= from }
      if let last = missed.last {
        due.append((last, missed.count - 1))
      } else if let late = firings.last, late.occurrence.isToCome(at: now),
        !remembered.contains(late.remoteID)
      {
        // Its event came into the calendar, or was moved, after its moment.
        if memory.done != nil {
          due.append((late, 0))
        } else {
          result.memory.known.append(known(late))
        }
      }
    }
    due.sort { $0.firing.instant < $1.firing.instant }
    for (firing, missed) in due {
      let message = words.message(firing, missed: missed > 0 ? missedBefore(missed) : nil)
      result.messages.append(message)
      result.endings.append((message.remoteID, false))
      fired.insert(firing.remoteID)
    }
    follow(all, expansions, &result, without: fired, at: now)
    result.memory.known += due.map { known($0.firing) }
    result.memory.known.removeFirst(max(0, result.memory.known.count - Limits.rememberedAlarms))
    result.memory.done = now
    result.memory.next = next(all, expansions, after: now)
    result.problems = zip(all, expansions).filter { $1.steps.isSpent }
      .prefix(Limits.calendarProblems).map { series, _ in
        PollProblem(
          at: "\(series.master?.line ?? series.overrides.first?.line ?? 0)",
          message: "\(series.uid.prefix(100)): \(Steps.sentence)")
      }
    return result
  }

  // MARK: What was told of

  /// Changed events change their messages; those that are done or gone end them.
  private func follow(
    _ all: [CalendarSeries], _ expansions: [SeriesExpansion], _ result: inout Result,
    without fired: Set<String>,
    at now: Int
  ) {
    let places = Dictionary(
      all.indices.map { ("\(all[$0].kind.rawValue) \(all[$0].uid)", $0) },
      uniquingKeysWith: { first, _ in first })
    var kept: [Memory.Known] = []
    for var one in result.memory.known where !fired.contains(one.remoteID) {
      let place = places["\(one.kind) \(one.uid)"]
      let occurrence = place.flatMap { expansions[$0].occurrence(one.occurrence) }
      guard let occurrence else {
        // Many calendars forget what is past: only what was to come has been called off.
        guard one.ends > now else { continue }
        if !one.isOver { result.endings.append((RemoteID(one.remoteID), true)) }
        one.isOver = true
        kept.append(one)
        continue
      }
      let firing = AlarmFiring(occurrence: occurrence, key: one.alarm, instant: one.instant)
      let changed = known(firing)
      if changed.digest != one.digest { result.messages.append(words.message(firing)) }
      if occurrence.item.isCompleted != one.isOver {
        result.endings.append((RemoteID(one.remoteID), occurrence.item.isCompleted))
      }
      one = changed
      one.isOver = occurrence.item.isCompleted
      kept.append(one)
    }
    result.memory.known = kept
  }

  private func known(_ firing: AlarmFiring) -> Memory.Known {
    let message = words.message(firing)
    let text = [message.title, message.body, message.url ?? "", message.extras?.actions.first?.url ?? ""]
    return Memory.Known(
      uid: firing.occurrence.item.uid, kind: firing.occurrence.item.kind.rawValue,
      occurrence: firing.occurrence.key, alarm: firing.key, instant: firing.instant,
      ends: firing.occurrence.endsAt, digest: SHA256.digest(text.joined(separator: "\u{0}")).prefix(8).hex)
  }

  // MARK: What comes

  /// The first alarm after an instant: looked for in spans that become longer, since most calendars have one soon.
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
  /// Whether what it is told of is still ahead.
  fileprivate func isToCome(at now: Int) -> Bool { (item.kind == .todo ? endsAt : startsAt) > now }
}

extension CalendarRound.Memory.Known {
  var remoteID: String { "\(kind):\(uid)@\(occurrence)/\(alarm)" }
}
