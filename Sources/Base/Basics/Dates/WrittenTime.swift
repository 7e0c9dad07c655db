/// A unit of a time span as users write it: `h`, `2 months`, `7d`.
package enum SpanUnit: String, Hashable, Sendable, CaseIterable {
  case minutes = "min"
  case hours = "h"
  case days = "d"
  case weeks = "w"
  case months = "mo"
  case years = "y"

  /// Returns the unit that a word names in English, or `nil` if it names none. Case is ignored.
  package init?(written word: some StringProtocol) {
    switch word.lowercased() {
    case "m", "min", "mins", "minute", "minutes": self = .minutes
    case "h", "hr", "hrs", "hour", "hours": self = .hours
    case "d", "day", "days": self = .days
    case "w", "wk", "week", "weeks": self = .weeks
    case "mo", "month", "months": self = .months
    case "y", "yr", "year", "years": self = .years
    case _: return nil
    }
  }
}

extension CivilDate {
  /// Reads `2026-12-24` or `24.12.2026`, or returns `nil` for anything else and for days that do not exist.
  package init?(written text: some StringProtocol) {
    func number(_ digits: some StringProtocol) -> Int? {
      (1...4).contains(digits.utf8.count) && digits.utf8.allSatisfy { (48...57).contains($0) }
        ? Int(digits) : nil
    }
    let isISO = text.contains("-")
    let parts = text.split(onBytes: isISO ? "-" : ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[isISO ? 0 : 2].count == 4, let year = number(parts[isISO ? 0 : 2]),
      let month = number(parts[1]), let day = number(parts[isISO ? 2 : 0])
    else { return nil }
    self.init(year: year, month: month, day: day)
    if !isInCalendar { return nil }
  }
}
