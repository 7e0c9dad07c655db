import Basics
import Calendars
import Formats
import Foundation
import Messages
import Platform
import Polling
import Profile

/// The output of `reddot inspect` for a calendar: the number of events and to-dos, the next events, and the next alarm
/// with the default settings.
package struct CalendarPreview {
  private let events: Int
  private let todos: Int
  private let next: [String]
  private let nextAlarm: Date?
  private let environment: Environment
  /// The problems of repetition rules that take too long.
  let problems: [FormatProblem]

  init(_ items: [CalendarItem], _ environment: Environment) {
    self.environment = environment
    events = items.count { $0.kind == .event }
    todos = items.count { $0.kind == .todo }
    let (now, reader) = (environment.now(), environment.clock())
    next = Agenda(items, reader: reader, now: now, days: Limits.agendaDays).first(5)
    let round = CalendarRound(
      words: CalendarWords(reader: reader, join: ""), default: SourceSettings().defaultAlarm,
      missedBefore: { "\($0)" })
    let result = round.run(items, memory: .init(), at: now)
    nextAlarm = result.memory.nextAlarm
    problems = result.problems
  }

  var lines: [String] {
    ["events: \(events)", "to-dos: \(todos)"]
      + (nextAlarm.map { ["next alarm: \(environment.wallTime($0, seconds: true))"] } ?? [])
      + (next.isEmpty ? [] : ["", "next:"] + next.map { "  \($0)" })
  }

  var json: [JSONObject.Member] {
    [
      .init(key: "events", value: .integer(events)), .init(key: "todos", value: .integer(todos)),
      .init(key: "next_alarm", value: MessageJSON.date(nextAlarm)),
    ]
  }
}
