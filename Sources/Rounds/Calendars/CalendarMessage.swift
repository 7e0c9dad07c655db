package import Calendars
package import Dates
import Foundation
import Limits
package import Messages

/// How an occurrence reads as a message, and in the agenda.
package struct CalendarWords: Sendable {
  /// The zone of floating times, and of all that is shown.
  package var reader: ZoneClock
  /// The label of the action that opens a meeting's address.
  package var join: String

  package init(reader: ZoneClock, join: String) { (self.reader, self.join) = (reader, join) }

  /// `2026-11-20 09:00–10:00`, `2026-11-20` for a day.
  package func span(_ occurrence: CalendarOccurrence) -> String {
    let start = wall(occurrence.start, occurrence.startsAt)
    if occurrence.start.isDay {
      let last = max(start.dayNumber, occurrence.end.wall.dayNumber - 1)
      return last == start.dayNumber || occurrence.item.kind == .todo
        ? start.date.text : "\(start.date.text) – \(CivilDate(dayNumber: last).text)"
    }
    let end = wall(occurrence.end, occurrence.endsAt)
    if occurrence.item.kind == .todo {
      return "\(end.date.text)" + (occurrence.end.isDay ? "" : " \(end.clock)")
    }
    let first = "\(start.date.text) \(start.clock)"
    if end == start { return first }
    return end.dayNumber == start.dayNumber
      ? "\(first)–\(end.clock)" : "\(first) – \(end.date.text) \(end.clock)"
  }

  private func wall(_ time: CalendarTime, _ seconds: Int) -> WallTime {
    time.isDay ? time.wall : reader.wall(at: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// The message of an alarm.
  package func message(_ firing: AlarmFiring, missed: String? = nil) -> IncomingMessage {
    let item = firing.occurrence.item
    let place = item.location.trimmingCharacters(in: .whitespacesAndNewlines)
    var body = span(firing.occurrence)
    if !place.isEmpty { body += "\n\(place)" }
    let description = item.description.trimmingCharacters(in: .whitespacesAndNewlines)
    if !description.isEmpty { body += "\n\n\(description)" }
    if let missed { body += "\n\n\(missed)" }
    let title = item.summary.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var message = IncomingMessage(
      remoteID: RemoteID(firing.remoteID), kind: .calendar,
      title: title.isEmpty ? span(firing.occurrence) : title,
      body: body.cut(toBytes: Limits.bodyBytes))
    message.published = Date(timeIntervalSince1970: Double(firing.instant))
    let meeting = MeetingAddress.find(in: item)
    message.url = MeetingAddress.web(item.url ?? "") ?? meeting
    var extras = MessageExtras()
    // The same event at another moment is news: it was moved, or its alarm is repeated.
    extras.occasion = "\(firing.instant)"
    if let meeting { extras.actions = [MessageAction(label: join, url: meeting)] }
    message.extras = extras
    return message
  }
}

extension AlarmFiring {
  /// The same for an event that was moved, and for each repetition of one alarm.
  var remoteID: String {
    let item = occurrence.item
    return "\(item.kind.rawValue):\(item.key)@\(occurrence.key)/\(key)"
  }
}

/// Where a meeting takes place on the web.
enum MeetingAddress {
  /// What CONFERENCE says, else an address of a known service, else any in LOCATION.
  static func find(in item: CalendarItem) -> String? {
    if let conference = item.conferences.lazy.compactMap(web).first { return conference }
    let texts = [item.url ?? "", item.location, item.description]
    let found = texts.map { addresses(in: $0) }
    return found.joined().first(where: isMeeting) ?? found[1].first
  }

  /// An http or https address with a host; nil for anything else.
  static func web(_ text: String) -> String? {
    guard text.utf8.count <= Limits.addressBytes, let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false
    else { return nil }
    return text
  }

  private static func addresses(in text: String) -> [String] {
    text.split { $0.isWhitespace || "<>\"()[]".contains($0) }.lazy
      .filter { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
      .prefix(20)
      .compactMap { web(String($0).trimmingCharacters(in: CharacterSet(charactersIn: ".,;!'"))) }
  }

  private static let hosts = [
    "zoom.us", "zoomgov.com", "meet.google.com", "teams.microsoft.com", "teams.live.com", "webex.com",
    "meet.jit.si", "whereby.com", "gotomeeting.com", "bluejeans.com", "chime.aws", "meet.element.io",
  ]

  private static func isMeeting(_ address: String) -> Bool {
    guard let host = URL(string: address)?.host()?.lowercased() else { return false }
    return hosts.contains { host == $0 || host.hasSuffix(".\($0)") }
  }
}
