import Basics
package import Calendars
import Foundation
package import Messages
import Services

/// Polls a calendar, which is a file, a folder of files, or a URL, and returns the messages of the alarms that are due.
///
/// The alarms of a URL are shown on time without a request, even without a network, because its last document is
/// stored.
struct CalendarAdapter {
  static let accept = "text/calendar, */*;q=0.5"

  var fetcher: Fetcher
  var words: CalendarWords
  /// Returns a sentence on the number of alarms of one event that were missed before the one that is shown.
  var missedBefore: @Sendable (Int) -> String
  /// Returns a sentence for a failed request.
  var sentence: @Sendable (FetchFailure) -> String
  /// Returns the last document of a URL, or `nil` if there is none.
  var copy: @Sendable () -> Data?

  func poll(_ source: Source, from position: PollPosition, context: PollContext) async -> PollOutcome {
    let memory = CalendarRound.Memory(position.cursor) ?? .init()
    if let url = URL(string: source.address), url.isFileURL {
      do throws(FetchFailure) {
        return content(try CalendarReading.read(url.path), source, memory, at: context.now)
      } catch {
        return .failed(error, PollHints())
      }
    }
    return await poll(web: source, from: position, memory, context)
  }

  /// Returns the result for a file or folder. If events are missing, they count as cancelled only if a second
  /// reading, some time later, lacks them too, because a program may be writing the files.
  private func content(
    _ reading: CalendarReading, _ source: Source, _ memory: CalendarRound.Memory, at now: Date
  ) -> PollOutcome {
    var memory = memory
    var gaps = reading.gaps
    var decisions: [Date] = []
    /// Returns the time at which an event's file was first found missing, or the whole calendar empty, as
    /// long as a later reading has to confirm that; otherwise `nil`.
    func doubted(since first: Date?) -> Date? {
      // The clock may have been set back.
      let first = min(first ?? now, now)
      let decision = first + Limits.emptiedSeconds
      guard now < decision else { return nil }
      decisions.append(decision)
      return first
    }
    if reading.items.isEmpty, memory.hasOpen(at: now) {
      memory.emptied = doubted(since: memory.emptied)
      if memory.emptied != nil { gaps = .all }
    } else {
      memory.emptied = nil
    }
    var missing: [String: Date] = [:]
    for file in memory.openFiles(at: now).subtracting(reading.files) where !file.isEmpty {
      missing[file] = doubted(since: memory.missing?[file])
      if missing[file] != nil { gaps.add(file: file) }
    }
    memory.missing = missing.isEmpty ? nil : missing
    let outcome = content(reading, source, memory, PollPosition(), PollHints(), now, gaps: gaps)
    guard case .content(let content, var hints) = outcome, let decision = decisions.min() else {
      return outcome
    }
    hints.nextPoll = min(hints.nextPoll ?? decision, decision)
    return .content(content, hints)
  }

  /// Polls a URL. If only an alarm is due, the stored document is used without a request.
  private func poll(
    web source: Source, from position: PollPosition, _ memory: CalendarRound.Memory, _ context: PollContext
  ) async -> PollOutcome {
    let now = context.now
    let isDue = memory.nextAlarm.map { $0 <= now } ?? false
    let interval = source.polling.interval / .seconds(1)
    if isDue, let asked = memory.asked, (0..<interval).contains(now.timeIntervalSince(asked)),
      let outcome = content(ofCopy: source, memory, position, PollHints(), now)
    {
      return outcome
    }
    var asking = position
    // A server may report by mistake that nothing has changed.
    if let received = memory.received, now.timeIntervalSince(received) > Double(Limits.confirmedSeconds) {
      asking.validators = Validators()
    }
    var memory = memory
    memory.asked = now
    switch await fetcher.fetch(source, position: asking, accept: Self.accept, context: context) {
    case .failed(let failure, let hints):
      // The alarm is shown in spite of the failure, with a line that names the document's date.
      guard isDue, let outcome = content(ofCopy: source, memory, position, hints, now),
        case .content(var content, let hints) = outcome
      else { return .failed(failure, hints) }
      content.problems.insert(
        FormatProblem(at: "", message: "from the last copy, since the request failed: \(sentence(failure))"),
        at: 0
      )
      return .content(content, hints)
    case .notModified(let next, let hints):
      guard let outcome = content(ofCopy: source, memory, next, hints, now) else {
        return .failed(.malformed(line: nil, reason: "304 to a request without validators"), hints)
      }
      return outcome
    case .document(let document):
      memory.received = now
      var next = PollPosition(
        validators: document.validators, movedTo: document.movedTo, movedCount: document.movedCount)
      do throws(FetchFailure) {
        let reading = try CalendarReading(document.bytes)
        // Only a complete document has the events that this one lacks.
        if !reading.gaps.files.isEmpty { next.validators = Validators() }
        let outcome = content(reading, source, memory, next, document.hints, now)
        guard case .content(var content, let hints) = outcome else { return outcome }
        // Stored under the address of the next poll, because that request is conditional only if its copy is found.
        content.document = SourceDocument(
          address: position.permanentAddress ?? source.address, bytes: document.bytes)
        return .content(content, hints)
      } catch {
        return .failed(error, document.hints)
      }
    }
  }

  /// Returns the result for the stored document of a URL, or `nil` if there is no readable one.
  private func content(
    ofCopy source: Source, _ memory: CalendarRound.Memory, _ position: PollPosition, _ hints: PollHints,
    _ now: Date
  ) -> PollOutcome? {
    guard let bytes = copy(), let reading = try? CalendarReading(bytes) else { return nil }
    return content(reading, source, memory, position, hints, now)
  }

  /// Computes the due alarms of a calendar, and returns them as the result of a poll.
  private func content(
    _ reading: CalendarReading, _ source: Source, _ memory: CalendarRound.Memory, _ position: PollPosition,
    _ hints: PollHints, _ now: Date, gaps: CalendarGaps? = nil
  ) -> PollOutcome {
    let round = CalendarRound(words: words, default: source.settings.defaultAlarm, missedBefore: missedBefore)
    let result = round.run(reading.items, gaps: gaps ?? reading.gaps, memory: memory, at: now)
    var position = position
    position.cursor = result.memory.cursor
    var content = PollContent(
      messages: result.messages, title: reading.title, position: position,
      problems: reading.problems + result.problems)
    content.endings = result.endings
    var hints = hints
    hints.nextPoll = result.memory.nextAlarm
    return .content(content, hints)
  }
}

extension SourceSettings {
  /// The alarm that the source's settings specify for events without an alarm.
  package var defaultAlarm: DefaultAlarm {
    DefaultAlarm(before: reminder.seconds, dayStart: dayStartMinutes * 60)
  }
}
