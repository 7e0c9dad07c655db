import Calendars
import Foundation
import Limits

/// Where a meeting takes place on the web.
enum MeetingAddress {
  /// Returns the address that the calendar names as the conference, or one of a known service, or any in LOCATION.
  static func find(in item: CalendarItem, _ description: CalendarDescription) -> String? {
    if let conference = item.conferences.lazy.compactMap(web).first { return conference }
    let found = [item.url ?? "", item.location, description.text].map { addresses(in: $0) }
    let all = found[0] + found[1] + description.links.compactMap(web) + found[2]
    return all.lazy.map(unwrapped).first(where: isMeeting) ?? found[1].first
  }

  /// An http or https address with a host; `nil` for anything else.
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

  /// The address inside of one that a mail server has put around it to check it first: Safe Links of Microsoft, and Google's.
  private static func unwrapped(_ address: String) -> String {
    guard let parts = URLComponents(string: address), let host = parts.host?.lowercased() else {
      return address
    }
    let name: String
    switch host {
    case _ where host.hasSuffix(".safelinks.protection.outlook.com"): name = "url"
    case "www.google.com" where parts.path == "/url": name = "q"
    case _: return address
    }
    return parts.queryItems?.first { $0.name == name }?.value.flatMap(web) ?? address
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
