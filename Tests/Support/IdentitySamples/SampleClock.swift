import Foundation

/// The time in a history, as documents write it.
struct SampleClock {
  /// 2026-11-23 09:10:11 UTC.
  private var seconds = 1_795_425_011

  private static let style = Date.ISO8601FormatStyle()

  mutating func advance(hours: Int) { seconds += hours * 3600 }

  var now: String { time(hours: 0) }

  /// The moment so many hours from now.
  func time(hours: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds + hours * 3600)).formatted(Self.style)
  }

  func day(hours: Int) -> String { String(time(hours: hours).prefix(10)) }

  /// A date of a document that many hours later, with as much of it as it had.
  func moved(_ date: String, hours: Int) -> String {
    let whole = date.count > 10 ? date : date + "T00:00:00Z"
    guard let found = try? Date(whole, strategy: Self.style) else { return date }
    return String((found + Double(hours * 3600)).formatted(Self.style).prefix(date.count))
  }
}
