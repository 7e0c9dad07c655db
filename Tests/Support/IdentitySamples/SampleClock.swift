import Foundation

/// The time in a history, in the form of documents.
struct SampleClock {
  /// 2026-11-23 09:10:11 UTC.
  private var seconds = 1_795_425_011

  private static let style = Date.ISO8601FormatStyle()

  mutating func advance(hours: Int) { seconds += hours * 3600 }

  var now: String { time(hours: 0) }

  /// Returns the moment so many hours from now.
  func time(hours: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds + hours * 3600)).formatted(Self.style)
  }

  func day(hours: Int) -> String { String(time(hours: hours).prefix(10)) }

  /// Returns a date of a document that is so many hours later, with the same precision.
  func moved(_ date: String, hours: Int) -> String {
    let whole = date.count > 10 ? date : date + "T00:00:00Z"
    guard let found = try? Date(whole, strategy: Self.style) else { return date }
    return String((found + Double(hours * 3600)).formatted(Self.style).prefix(date.count))
  }
}
