import Dates
import Limits

/// An RRULE (RFC 5545 section 3.3.10).
struct RecurrenceRule: Hashable, Sendable {
  enum Frequency: Int, Comparable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    init?(_ text: String) {
      let names = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
      guard let place = names.firstIndex(of: text) else { return nil }
      self.init(rawValue: place)
    }
  }

  /// `MO`, or `-1FR`: the last Friday.
  struct Weekday: Hashable, Sendable {
    /// 1 Monday to 7 Sunday.
    var day: Int
    /// 0: each.
    var ordinal: Int
  }

  var frequency: Frequency
  /// 1 or more.
  var interval = 1
  var count: Int?
  var until: CalendarTime?
  /// 1 Monday to 7 Sunday.
  var weekStart = 1
  var seconds: [Int] = []
  var minutes: [Int] = []
  var hours: [Int] = []
  var weekdays: [Weekday] = []
  var monthDays: [Int] = []
  var yearDays: [Int] = []
  var weeks: [Int] = []
  var months: [Int] = []
  var positions: [Int] = []

  /// Whether it has one time in each of its periods.
  var isPlain: Bool {
    seconds.isEmpty && minutes.isEmpty && hours.isEmpty && weekdays.isEmpty && monthDays.isEmpty
      && yearDays.isEmpty && weeks.isEmpty && months.isEmpty && positions.isEmpty
  }

  /// Reads the rule of a line; if it cannot be used, adds why.
  static func read(_ line: ContentLine, problems: inout CalendarProblems) -> RecurrenceRule? {
    do throws(Mistake) {
      return try RecurrenceRule(line.value)
    } catch {
      problems.add(line.line, "\(line.name): \(error.reason)")
      return nil
    }
  }

  struct Mistake: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  init(_ text: String) throws(Mistake) {
    var values: [String: String] = [:]
    for part in text.split(exactly: ";").prefix(40) {
      let pair = part.split(exactly: "=", maxSplits: 1)
      guard pair.count == 2 else { throw Mistake("\(part.prefix(40)) has no value") }
      values[String(pair[0]).trimmingSpaces.uppercased()] = String(pair[1]).trimmingSpaces.uppercased()
    }
    guard let name = values["FREQ"] else { throw Mistake("FREQ is missing") }
    guard let frequency = Frequency(name) else { throw Mistake("FREQ=\(name.prefix(40)) is unknown") }
    self.frequency = frequency
    if let scale = values["RSCALE"], scale != "GREGORIAN" {
      throw Mistake("the calendar RSCALE=\(scale.prefix(40)) is not supported")
    }
    if let text = values["INTERVAL"] {
      interval = try Self.number(text, "INTERVAL", in: 1...999_999_999)
    }
    if let text = values["COUNT"] { count = try Self.number(text, "COUNT", in: 1...999_999_999) }
    if let text = values["UNTIL"] {
      guard let time = CalendarValue.time(text, zone: .floating) else {
        throw Mistake("UNTIL=\(text.prefix(40)) isn't a date")
      }
      until = time
    }
    if let text = values["WKST"] {
      guard let day = Self.weekday(text) else { throw Mistake("WKST=\(text.prefix(40)) isn't a weekday") }
      weekStart = day
    }
    seconds = try Self.list(values, "BYSECOND", 0...60).filter { $0 < 60 }
    minutes = try Self.list(values, "BYMINUTE", 0...59)
    hours = try Self.list(values, "BYHOUR", 0...23)
    monthDays = try Self.list(values, "BYMONTHDAY", -31...31, without: 0)
    yearDays = try Self.list(values, "BYYEARDAY", -366...366, without: 0)
    weeks = try Self.list(values, "BYWEEKNO", -53...53, without: 0)
    months = try Self.list(values, "BYMONTH", 1...12)
    positions = try Self.list(values, "BYSETPOS", -366...366, without: 0)
    if let text = values["BYDAY"] {
      for part in text.split(exactly: ",").prefix(400) {
        guard let day = Self.weekday(part.suffix(2)),
          let ordinal = part.count == 2 ? 0 : Int(part.dropLast(2)), abs(ordinal) <= 53
        else { throw Mistake("BYDAY=\(part.prefix(40)) isn't a weekday") }
        // Only months and years have a second Tuesday.
        weekdays.append(Weekday(day: day, ordinal: frequency >= .monthly ? ordinal : 0))
      }
    }
  }

  private static func weekday(_ text: some StringProtocol) -> Int? {
    ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].firstIndex(of: String(text)).map { $0 + 1 }
  }

  private static func number(
    _ text: some StringProtocol, _ name: String, in range: ClosedRange<Int>
  ) throws(Mistake) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Mistake(
        "\(name)=\(text.prefix(40)) is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// In order, each once.
  private static func list(
    _ values: [String: String], _ name: String, _ range: ClosedRange<Int>, without left: Int? = nil
  ) throws(Mistake) -> [Int] {
    guard let text = values[name] else { return [] }
    var numbers: Set<Int> = []
    for part in text.split(exactly: ",").prefix(1000) {
      let number = try number(part, name, in: range)
      if number == left { throw Mistake("\(name)=0 means nothing") }
      numbers.insert(number)
    }
    return numbers.sorted()
  }
}
