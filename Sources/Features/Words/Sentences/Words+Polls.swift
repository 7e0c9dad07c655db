package import Basics
package import Foundation
package import Messages
package import Screen

/// Past and coming polls in few words, for the timeline, the header and `reddot why`.
extension Words {
  /// Returns a sentence about the programs that fill a source that is not polled.
  package func whoFills(_ source: Source) -> SafeText {
    self(source.kind == .desktop ? .fromDesktop : .notPolled)
  }

  /// Returns the result of a poll in few words, for the timeline.
  package func result(of attempt: PollAttempt, in zone: ZoneClock) -> SafeText {
    var text: SafeText
    switch attempt.result {
    case .new(let new, let updated, let back):
      let back = back ?? 0
      text = list([(.newMessages, new), (.changedMessages, updated - back), (.messagesBack, back)])
      if text.isEmpty { text = self(.nothingNew) }
    case .nothingNew: text = self(.nothingNew)
    case .notModified: text = self(.notModified)
    case .failed(let failure): text = brief(failure)
    case .heldBack(let until, let rule):
      text = self(.heldBack, instant(until, from: attempt.end, in: zone), brief(rule))
    case .joined: text = self(.joined)
    case .started: text = self(.polling)
    case .carried(let number): text = count(.carried, number)
    case .refused(let number, let failure): text = count(.carryRefused, number, brief(failure))
    case .carryFailed(let failure, let waiting): text = count(.carryWaits, waiting, brief(failure))
    }
    if !attempt.problems.isEmpty { text += ", " + count(.problems, attempt.problems.count) }
    return text
  }

  package func name(_ trigger: PollTrigger) -> SafeText {
    switch trigger {
    case .initial: self(.triggerInitial)
    case .periodic: self(.triggerPeriodic)
    case .soft: self(.triggerSoft)
    case .forced: self(.triggerForced)
    case .stream: self(.triggerStream)
    case .act: self(.triggerAct)
    }
  }

  /// Returns one line about the result of a refresh that the user requested.
  package func sentence(_ result: RefreshResult, at now: Date, in zone: ZoneClock) -> SafeText {
    switch result {
    case .new(let number, let back): list([(.refreshNew, number), (.messagesBack, back)])
    case .nothingNew: self(.refreshNothing)
    case .failed(let failure): sentence(failure)
    case .heldBack(let until, let rule): heldBack(until: until, rule: rule, at: now, in: zone)
    }
  }

  /// Returns a list of the counts that aren't 0.
  private func list(_ counts: [(Phrase, Int)]) -> SafeText {
    counts.filter { $0.1 > 0 }.map { count($0.0, $0.1) }
      .reduce(.empty) { $0.isEmpty ? $1 : $0 + ", " + $1 }
  }

  /// Returns the reason why a source is not polled now, and the time of the next poll.
  package func heldBack(until: Date, rule: WaitRule, at now: Date, in zone: ZoneClock) -> SafeText {
    switch rule {
    case .gone: self(.gone)
    case .notPolled: self(.refreshNothingToPoll)
    case .paused: self(.rulePaused)
    case .initialDelay, .interval, .backoff, .grace, .retryAfter, .maxAge, .ttl, .pollInterval, .requestLimit,
      .skipHours, .skipDays, .schedule, .backlog, .dailyLimit:
      self(.refreshHeldBack, instant(until, from: now, in: zone), reason(rule))
    }
  }

  package func name(_ order: ListOrder) -> SafeText {
    switch order {
    case .newest: self(.newestFirst)
    case .oldest: self(.oldestFirst)
    case .source: self(.bySource)
    case .priority: self(.byPriority)
    }
  }

  /// Returns a time near another one: the time of day, with the weekday if the day differs.
  ///
  /// - Parameter seconds: whether seconds are shown; `nil` shows them if the instant is within ten minutes from `now`.
  package func instant(_ date: Date, from now: Date, in zone: ZoneClock, seconds: Bool? = nil) -> SafeText {
    let time = WallTime(date, in: zone)
    let isSoon = date > now && date.timeIntervalSince(now) < 600
    if hasWholeTimes { return SafeText(untrusted: time.text(seconds: seconds ?? isSoon)) }
    let clock = SafeText(untrusted: seconds ?? isSoon ? time.clockWithSeconds : time.clock)
    let isToday = time.dayNumber == WallTime(now, in: zone).dayNumber
    return isToday ? clock : "\(weekdays[time.weekday - 1]) \(clock)"
  }

  /// Returns the time in a row of a list: the hour today, the weekday within a week, then the day, and for other years
  /// the day with two digits of the year.
  ///
  /// - Parameter withClock: whether the hour follows the weekday.
  package func listTime(_ time: WallTime, today: WallTime, withClock: Bool = false) -> SafeText {
    switch today.dayNumber - time.dayNumber {
    case 0: SafeText(untrusted: time.clock)
    case 1...6:
      withClock
        ? weekdays[time.weekday - 1] + " " + SafeText(untrusted: time.clock) : weekdays[time.weekday - 1]
    // Future times of snoozed messages and events
    case -6 ... -1 where withClock: weekdays[time.weekday - 1] + " " + SafeText(untrusted: time.clock)
    default:
      if time.date.year == today.date.year {
        self(.dayOfYear, "\(time.date.day)", months[time.date.month - 1])
      } else {
        day(of: time.date)
      }
    }
  }

  private func day(of date: CivilDate) -> SafeText {
    let year = date.year % 100
    return self(
      .dayOfEarlierYear, "\(date.day)", months[date.month - 1], year < 10 ? "0\(year)" : "\(year)")
  }

  /// Returns the heading of a day above its messages: `Today`, `Friday 20 November`, with the year if it is another
  /// one.
  ///
  /// - Parameter number: the days since 1970-01-01.
  package func day(_ number: Int, today: WallTime) -> SafeText {
    switch today.dayNumber - number {
    case 0: return self(.today)
    case 1: return self(.yesterday)
    case _: break
    }
    let time = WallTime(dayNumber: number, second: 0)
    let (weekday, day, month) = (
      weekdaysInFull[time.weekday - 1], SafeText("\(time.date.day)"), monthsInFull[time.date.month - 1]
    )
    return time.date.year == today.date.year
      ? self(.dayInFull, weekday, day, month)
      : self(.dayInFullOfYear, weekday, day, month, "\(time.date.year)")
  }

  /// Returns a date in the form `Friday 20 November 2026, 14:03`.
  package func fullDate(_ date: Date, in zone: ZoneClock) -> SafeText {
    let time = WallTime(date, in: zone)
    let day = time.date
    return self(
      .fullDate, weekdaysInFull[time.weekday - 1], "\(day.day)", monthsInFull[day.month - 1],
      "\(day.year)", SafeText(untrusted: time.clock))
  }

  /// The width, in columns, of the widest time in a line of the timeline: a weekday and the clock, or the clock with
  /// seconds.
  package var clockColumns: Int { max(9, (weekdays.map(\.columns).max() ?? 0) + 6) }
}
