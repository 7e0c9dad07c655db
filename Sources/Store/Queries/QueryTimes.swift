package import Basics
import Foundation

extension Query {
  /// A date as written: a year, a month, a day or a minute, by the clock of the reader.
  package enum DatePoint: Hashable, Sendable {
    case year(Int)
    case month(Int, Int)
    case day(CivilDate)
    /// A minute of a day, counted from midnight.
    case minute(CivilDate, Int)
    case today
    case yesterday

    static let names = ["today", "yesterday"]

    /// Parses `2026`, `2026-11`, `2026-11-20`, `20.11.2026`, `2026-11-20T09:30`, `today` or `yesterday`, or returns
    /// `nil`.
    package init?(_ text: String) {
      switch text.lowercased() {
      case "today": self = .today
      case "yesterday": self = .yesterday
      case let text where text.contains("."):
        guard let date = CivilDate(written: text) else { return nil }
        self = .day(date)
      case let text:
        let halves = text.split(onBytes: "t", omittingEmptySubsequences: false)
        let parts = halves.first?.split(onBytes: "-", omittingEmptySubsequences: false) ?? []
        guard halves.count <= 2, (1...3).contains(parts.count), let year = Self.number(parts[0], 4, 1...9999)
        else { return nil }
        if parts.count == 1, halves.count == 1 {
          self = .year(year)
          return
        }
        guard parts.count > 1, let month = Self.number(parts[1], 2, 1...12) else { return nil }
        if parts.count == 2, halves.count == 1 {
          self = .month(year, month)
          return
        }
        guard parts.count == 3, let day = Self.number(parts[2], 2, 1...31) else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.isInCalendar else { return nil }
        if halves.count == 1 {
          self = .day(date)
          return
        }
        let clock = halves[1].split(onBytes: ":", omittingEmptySubsequences: false)
        guard clock.count == 2, let hour = Self.number(clock[0], 2, 0...23),
          let minute = Self.number(clock[1], 2, 0...59)
        else { return nil }
        self = .minute(date, hour * 60 + minute)
      }
    }

    private static func number(_ text: Substring, _ digits: Int, _ range: ClosedRange<Int>) -> Int? {
      guard text.utf8.count == digits, text.utf8.allSatisfy(\.isASCIIDigit) else {
        return nil
      }
      return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    package var text: String {
      switch self {
      case .year(let year): String(CivilDate(year: year, month: 1, day: 1).text.prefix(4))
      case .month(let year, let month): String(CivilDate(year: year, month: month, day: 1).text.prefix(7))
      case .day(let date): date.text
      case .minute(let date, let minute):
        "\(date.text)T\(WallTime(dayNumber: 0, second: minute * 60).clock)"
      case .today: "today"
      case .yesterday: "yesterday"
      }
    }

    /// Whether the date depends on the present day: `today` or `yesterday`.
    var isRelative: Bool { self == .today || self == .yesterday }
  }

  /// The time from the start of one date to the end of another one; `nil` means no bound.
  package struct DateRange: Hashable, Sendable {
    package var from: DatePoint?
    package var to: DatePoint?

    package init(from: DatePoint?, to: DatePoint?) {
      self.from = from
      self.to = to
    }

    /// Parses `a..b`, `a..`, `..b`, `..`, or one date.
    package init?(_ text: String) {
      guard let dots = text.range(of: "..") else {
        guard let point = DatePoint(text) else { return nil }
        self.init(from: point, to: point)
        return
      }
      let (low, high) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
      self.init(from: DatePoint(low), to: DatePoint(high))
      if from == nil && !low.isEmpty || to == nil && !high.isEmpty { return nil }
    }

    package var text: String {
      if let from, from == to { return from.text }
      return "\(from?.text ?? "")..\(to?.text ?? "")"
    }
  }

  /// A number of minutes, hours, days, weeks, months or years.
  package struct TimeSpan: Hashable, Sendable {
    package typealias Unit = SpanUnit

    /// The number, from 0 to 99,999.
    package let count: Int
    package let unit: Unit

    package init(_ count: Int, _ unit: Unit) {
      self.count = min(max(count, 0), 99_999)
      self.unit = unit
    }

    /// Parses `90min`, `2h`, `7d`, `4w`, `6mo` or `1y`, or returns `nil`.
    package init?(_ text: String) {
      let digits = text.utf8.prefix { $0.isASCIIDigit }
      guard (1...5).contains(digits.count), let count = Int(String(digits) ?? ""),
        // `m` alone could mean months.
        text.dropFirst(digits.count).lowercased() != "m",
        let unit = Unit(written: text.dropFirst(digits.count))
      else { return nil }
      self.init(count, unit)
    }

    package var text: String { "\(count)\(unit.rawValue)" }
  }
}
