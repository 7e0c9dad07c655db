package import Basics
package import Calendars
import Foundation
package import Messages

/// Formats occurrences of events and to-dos, as messages and for the agenda.
package struct CalendarWords: Sendable {
  /// The time zone of floating times and of all displayed times.
  package var reader: ZoneClock
  /// The label of the button that opens a meeting's address.
  package var join: String

  package init(reader: ZoneClock, join: String) { (self.reader, self.join) = (reader, join) }

  /// Returns the time of an occurrence: `2026-11-20 09:00–10:00`, or `2026-11-20` for a whole day.
  package func span(_ occurrence: CalendarOccurrence) -> String {
    let start = wall(occurrence.start, occurrence.startsAt)
    let end = wall(occurrence.end, occurrence.endsAt)
    if occurrence.start.isDay, occurrence.end.isDay || occurrence.item.kind == .event {
      let last = max(start.dayNumber, end.second > 0 ? end.dayNumber : end.dayNumber - 1)
      return last == start.dayNumber || occurrence.item.kind == .todo
        ? start.date.text : "\(start.date.text) – \(CivilDate(dayNumber: last).text)"
    }
    if occurrence.item.kind == .todo {
      return "\(end.date.text)" + (occurrence.end.isDay ? "" : " \(end.clock)")
    }
    let first = "\(start.date.text) \(start.clock)"
    if end == start { return first }
    return end.dayNumber == start.dayNumber
      ? "\(first)–\(end.clock)" : "\(first) – \(end.date.text) \(end.clock)"
  }

  /// Returns the date and time of day that are displayed for a time.
  private func wall(_ time: CalendarTime, _ seconds: Int) -> WallTime {
    time.isDay ? time.wall : reader.wall(at: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// Returns the message for an alarm.
  ///
  /// - Parameter missed: a sentence on earlier alarms of the event that were missed, or `nil`.
  package func message(_ firing: AlarmFiring, missed: String? = nil) -> IncomingMessage {
    let item = firing.occurrence.item
    let place = item.location.trimmingCharacters(in: .whitespacesAndNewlines)
    var body = span(firing.occurrence)
    if !place.isEmpty { body += "\n\(place)" }
    let description = CalendarDescription(item.description)
    if !description.text.isEmpty { body += "\n\n\(description.text)" }
    if let missed { body += "\n\n\(missed)" }
    let title = item.summary.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var message = IncomingMessage(
      remoteID: RemoteID(firing.remoteID), kind: .calendar,
      title: title.isEmpty ? span(firing.occurrence) : title,
      body: body.cut(toBytes: Limits.bodyBytes))
    message.published = Date(timeIntervalSince1970: Double(firing.instant))
    message.html = description.html(below: span(firing.occurrence), place, above: missed)?.cut(
      toBytes: Limits.bodyBytes)
    let meeting = MeetingAddress.find(in: item, description)
    message.url = MeetingAddress.web(item.url ?? "") ?? meeting
    var extras = MessageExtras()
    // The same event at another time makes the message unread again: it was moved, or its alarm is repeated.
    extras.occasion = "\(firing.instant)"
    if let meeting { extras.actions = [MessageAction(label: join, url: meeting)] }
    message.extras = extras
    return message
  }
}

extension AlarmFiring {
  /// The id of the alarm's message. It stays the same if the event is moved, and for each repetition of one alarm.
  var remoteID: String {
    let item = occurrence.item
    return "\(item.kind.rawValue):\(item.key)@\(occurrence.key)/\(key)"
  }
}
