import Basics
import Calendars
import Foundation

/// Finds the web address of a meeting.
enum MeetingAddress {
  /// Returns the address that the calendar names as the conference. Otherwise, returns an address of a known meeting
  /// service anywhere in the event, or any address in its LOCATION.
  static func find(in item: CalendarItem, _ description: CalendarDescription) -> String? {
    if let conference = item.conferences.lazy.compactMap(web).first { return conference }
    let found = [item.url ?? "", item.location, description.text].map { addresses(in: $0) }
    let all =
      found[0] + found[1] + item.addresses.compactMap(web) + description.links.compactMap(web) + found[2]
    return all.lazy.compactMap(meeting).first ?? found[1].first
  }

  /// Returns an http or https address with a host, or `nil` for anything else.
  static func web(_ text: String) -> String? {
    guard text.utf8.count <= Limits.addressBytes, let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false
    else { return nil }
    return text
  }

  /// Returns the first http and https addresses in a string, at most 20.
  private static func addresses(in text: String) -> [String] {
    text.split { $0.isWhitespace || "<>\"()[]".contains($0) }.lazy
      .filter { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
      .prefix(20)
      .compactMap { web(String($0).trimmingCharacters(in: CharacterSet(charactersIn: ".,;!'"))) }
  }

  /// Returns the address of a meeting, or `nil` if the argument isn't one. A mail server may have put an address around
  /// it to check it first; the meeting's address inside is then returned.
  private static func meeting(_ address: String) -> String? {
    if isMeeting(address) { return address }
    let values = URLComponents(string: address)?.queryItems?.prefix(20).compactMap(\.value) ?? []
    return (values + [inside(address)].compactMap(\.self)).first { web($0) != nil && isMeeting($0) }
  }

  /// Returns the address that is inside an address of Proofpoint: `/v3/__https://zoom.us/j/1__;`.
  private static func inside(_ address: String) -> String? {
    guard let mark = address.firstRange(of: "/__http") else { return nil }
    let rest = address[address.index(mark.lowerBound, offsetBy: 3)...]
    return rest.firstRange(of: "__").map { String(rest[..<$0.lowerBound]) }
  }

  /// The hosts of known meeting services; subdomains are included.
  private static let hosts = [
    "zoom.us", "zoomgov.com", "meet.google.com", "teams.microsoft.com", "teams.live.com", "webex.com",
    "meet.jit.si", "whereby.com", "gotomeeting.com", "bluejeans.com", "chime.aws", "meet.element.io",
  ]

  private static func isMeeting(_ address: String) -> Bool {
    guard let host = URL(string: address)?.host()?.lowercased() else { return false }
    return hosts.contains { host == $0 || host.hasSuffix(".\($0)") }
  }
}
