package import Basics
package import Foundation

/// The events and to-dos of one iCalendar document (RFC 5545), with all versions of them.
package struct CalendarFile: Sendable {
  /// The calendar's name.
  package var title: String?
  /// The items, in the order of the file.
  package var items: [CalendarItem] = []
  /// The problems, in the order of lines.
  package var problems: [FormatProblem] = []
  /// The parts of the document that may not have been read.
  package var gaps = CalendarGaps()
  /// The file's name in its folder; empty if the calendar is one document.
  package var name = ""

  private init() {}

  /// Creates the result for files that cannot be read, with one problem.
  package init(unread names: some Collection<String>, at place: String, _ reason: String) {
    problems = [FormatProblem(file: place, line: 0, message: reason, leftOut: names.count)]
    for name in names { gaps.add(file: name) }
  }

  /// Reads a document.
  ///
  /// - Parameter name: the file's name in its folder, or empty if the calendar is one document.
  /// - Returns: `nil` if the bytes aren't a calendar.
  package static func read(_ bytes: Data, name: String = "") -> CalendarFile? {
    var problems = CalendarProblems(file: name)
    guard let calendars = CalendarComponent.read([UInt8](bytes), problems: &problems) else { return nil }
    var file = CalendarFile()
    file.name = name
    let steps = ExpansionBudget(Limits.calendarSteps)
    for calendar in calendars {
      file.title = file.title ?? (calendar["NAME"] ?? calendar["X-WR-CALNAME"])?.text
      var zones = FileZones(calendar, steps: steps, problems: &problems)
      let owners = calendar.owners
      let isCancelled = calendar["METHOD"]?.value.trimmingSpaces.uppercased() == "CANCEL"
      for part in calendar.parts where part.name == "VEVENT" || part.name == "VTODO" {
        let item = CalendarItem(part, part.name == "VTODO" ? .todo : .event, problems: &problems) {
          zones.frame(of: $0, &$1)
        }
        guard var item else { continue }
        if isCancelled { item.isCancelled = true }
        item.isDeclined = part.isDeclined(by: owners)
        file.items.append(item)
      }
    }
    file.problems = problems.list
    file.gaps = problems.gaps
    return file
  }
}

extension CalendarComponent {
  /// The addresses of the calendar's owners, in lower case. Google uses the owner's address as the calendar's name, and
  /// Apple has a property for it.
  fileprivate var owners: Set<String> {
    let names = [self["X-WR-CALNAME"]?.text, self["X-OWNER"]?.value].compactMap(\.self)
    return Set(names.map(Self.person).filter { $0.contains("@") })
  }
}

/// The time zones used in one calendar.
private struct FileZones {
  /// The VTIMEZONE components, keyed by `key` of their TZID.
  private let components: [String: CalendarComponent]
  /// The zones that were already searched, keyed by TZID; `nil` if the zone is unknown.
  private var known: [String: CalendarZone?] = [:]
  private let steps: ExpansionBudget
  /// The frame of times that have no zone: floating, or the default zone of the calendar.
  private var usual = CalendarTime.Frame.floating

  init(_ calendar: CalendarComponent, steps: ExpansionBudget, problems: inout CalendarProblems) {
    self.steps = steps
    let zones = calendar.parts.filter { $0.name == "VTIMEZONE" }
    components = Dictionary(
      zones.compactMap { zone in zone["TZID"].map { (Self.key($0.text), zone) } },
      uniquingKeysWith: { first, _ in first })
    guard let line = calendar["X-WR-TIMEZONE"] else { return }
    let name = line.text.trimmingSpaces
    if name.isEmpty { return }
    if let zone = find(name, &problems) {
      usual = .zone(zone)
    } else {
      problems.add(
        line.line, "the zone \(name.prefix(80)) is unknown; times without a zone are taken as local ones")
    }
  }

  /// Returns the name of a zone in a form for comparisons, since programs write it differently in the zone and in its
  /// uses.
  private static func key(_ name: String) -> String {
    name.replacingBytes("\"", with: "").trimmingSpaces.lowercased()
  }

  /// Returns the frame of a line's times: the zone of its TZID, or `usual` if it has none. Times of an
  /// unknown zone are floating.
  mutating func frame(of line: ContentLine, _ problems: inout CalendarProblems) -> CalendarTime.Frame {
    guard let name = line.parameters["TZID"] else { return usual }
    let zone: CalendarZone?
    if let found = known[name] {
      zone = found
    } else {
      zone = find(name, &problems)
      known[name] = .some(zone)
      if zone == nil {
        problems.add(line.line, "the zone \(name.prefix(80)) is unknown; its times are taken as local ones")
      }
    }
    return zone.map { .zone($0) } ?? .floating
  }

  /// Returns the zone with a name, or `nil` if it is unknown. The system's rules take precedence, since they are newer
  /// than those in a file.
  private func find(_ name: String, _ problems: inout CalendarProblems) -> CalendarZone? {
    if let zone = CalendarZone.known(name) { return zone }
    guard let component = components[Self.key(name)] else { return nil }
    if let zone = component["X-LIC-LOCATION"].flatMap({ CalendarZone.known($0.text) }) { return zone }
    let own = ExpansionBudget(Limits.seriesSteps, of: steps)
    return ZoneRules(component.parts, steps: own, problems: &problems).map(CalendarZone.rules)
  }
}
