import Calendars
import Foundation
import Services
import TestBasics
import Testing

@testable import Polling

/// The calendars of the contract, which is not part of the project: `identity/vectors.json` in the folder `shared` next
/// to it. Each is a folder of files, which is read like a source.
@Suite(
  .enabled(
    if: CalendarVector.isThere, "skipped: there is no ../shared/identity/vectors.json beside the project"))
struct SharedCalendarVectorsTests {
  @Test func theVectorsShowTheirItems() throws {
    let vectors = try CalendarVector.all()
    #expect(vectors.count >= 10)
    for vector in vectors { #expect(try vector.read() == vector.shown, "\(vector.name): \(vector.reason)") }
  }
}

/// A vector of the kind `calendar`.
struct CalendarVector: Decodable {
  struct Item: Decodable {
    var uid: String, start: String
    var file: String?, recurrence: String?, summary: String?, sequence: Int?, modified: String?,
      place: String?

    /// - Parameter number: becomes its description.
    func lines(_ number: Int) -> String {
      func time(_ text: String) -> String { text.filter { $0 != "-" && $0 != ":" } }
      let lines = [
        "BEGIN:VEVENT", "UID:\(uid)", "DTSTART:\(time(start))", "DESCRIPTION:\(number)",
        summary.map { "SUMMARY:\($0)" }, recurrence.map { "RECURRENCE-ID:\(time($0))" },
        sequence.map { "SEQUENCE:\($0)" }, modified.map { "LAST-MODIFIED:\(time($0))" },
        place.map { "LOCATION:\($0)" }, "END:VEVENT",
      ]
      return lines.compactMap(\.self).joined(separator: "\r\n")
    }
  }

  var name: String, reason: String, items: [Item], shown: [Int]

  /// Writes the items into a folder, and returns the numbers of those that its reading has.
  func read() throws -> [Int] {
    let folder = URL.temporaryDirectory.appending(path: "vector-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = Dictionary(grouping: items.indices) { items[$0].file ?? "all.ics" }
    for (name, numbers) in files {
      let lines = ["BEGIN:VCALENDAR"] + numbers.map { items[$0].lines($0) } + ["END:VCALENDAR", ""]
      try Data(lines.joined(separator: "\r\n").utf8).write(to: folder.appending(path: name))
    }
    return try CalendarReading.read(folder.path(percentEncoded: false)).items.compactMap {
      Int($0.description)
    }.sorted()
  }

  private struct Kind: Decodable { var kind: String }

  /// A vector, or nothing for one of another kind.
  private struct AnyVector: Decodable {
    var calendar: CalendarVector?

    init(from decoder: any Decoder) throws {
      calendar = try Kind(from: decoder).kind == "calendar" ? CalendarVector(from: decoder) : nil
    }
  }

  private static let file = Project.folder.appending(path: "../shared/identity/vectors.json").standardized

  static var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

  static func all() throws -> [CalendarVector] {
    try JSONDecoder().decode([AnyVector].self, from: Data(contentsOf: file)).compactMap(\.calendar)
  }
}
