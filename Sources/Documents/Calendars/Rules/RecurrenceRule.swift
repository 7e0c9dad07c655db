import Basics

/// An RRULE (RFC 5545 section 3.3.10).
struct RecurrenceRule: Hashable, Sendable {
  /// FREQ: the length of the rule's periods.
  enum Frequency: Int, Comparable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    init?(_ text: String) {
      let names = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
      guard let place = names.firstIndex(of: text) else { return nil }
      self.init(rawValue: place)
    }
  }

  /// A weekday: `MO`, or with an ordinal `-1FR`, which is the last Friday.
  struct Weekday: Hashable, Sendable {
    /// The day, from 1 for Monday to 7 for Sunday.
    var day: Int
    /// The ordinal of the weekday in its month or year, negative from the end, or 0 if every such weekday is
    /// meant.
    var ordinal: Int
  }

  var frequency: Frequency
  /// The number of periods from one use of the rule to the next, 1 or more: with 2, a weekly rule recurs every other
  /// week.
  var interval = 1
  var count: Int?
  var until: CalendarTime?
  /// The first day of weeks, from 1 for Monday to 7 for Sunday.
  var weekStart = 1
  /// The values of the BY parts, empty if a part is missing. Negative days and weeks are counted from the
  /// end.
  var seconds: [Int] = []
  var minutes: [Int] = []
  var hours: [Int] = []
  var weekdays: [Weekday] = []
  var monthDays: [Int] = []
  var yearDays: [Int] = []
  var weeks: [Int] = []
  var months: [Int] = []
  /// The values of BYSETPOS: the positions of the chosen times among those of a period, negative from the end.
  var positions: [Int] = []

  /// Whether the rule has no BY part, so that each of its periods has one time.
  var isPlain: Bool {
    seconds.isEmpty && minutes.isEmpty && hours.isEmpty && weekdays.isEmpty && monthDays.isEmpty
      && yearDays.isEmpty && weeks.isEmpty && months.isEmpty && positions.isEmpty
  }

  /// Whether some values could not be read, so that occurrences may be missing.
  private(set) var lacksValues = false

  /// Reads the rule of a line. A part that cannot be used is left out and reported as a problem. Returns `nil` if the
  /// rule has no known frequency.
  static func read(_ line: ContentLine, problems: inout CalendarProblems) -> RecurrenceRule? {
    do throws(Mistake) {
      return try RecurrenceRule(line.value) { problems.add(line.line, "\(line.name): \($0)") }
    } catch {
      problems.add(line.line, "\(line.name): \(error.reason)")
      return nil
    }
  }

  /// The names of parts in RFC 5545 and RFC 7529.
  private static let parts: Set<String> = [
    "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY",
    "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST", "RSCALE", "SKIP",
  ]

  /// The reason why a rule or a part of it cannot be used.
  struct Mistake: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Parses the value of an RRULE.
  ///
  /// - Parameter leaveOut: called with the reason for each part that is left out.
  /// - Throws: if the frequency is missing or unknown, or the rule uses another calendar.
  init(_ text: String, leaveOut: (String) -> Void) throws(Mistake) {
    var values: [String: String] = [:]
    let text = text.trimmingSpaces
    // Some programs write the name twice.
    let rule = text.uppercased().hasPrefix("RRULE:") ? text.dropFirst(6) : text[...]
    for part in rule.split(onBytes: ";").prefix(40) {
      let pair = part.split(onBytes: "=", maxSplits: 1)
      if pair.count == 2 {
        values[String(pair[0]).trimmingSpaces.uppercased()] = String(pair[1]).trimmingSpaces.uppercased()
      } else {
        leaveOut("\(part.prefix(40)) has no value")
      }
    }
    for name in values.keys.sorted() where !Self.parts.contains(name) && !name.hasPrefix("X-") {
      leaveOut("\(name.prefix(40)) is unknown")
    }
    guard let name = values["FREQ"] else { throw Mistake("FREQ is missing") }
    guard let frequency = Frequency(name) else { throw Mistake("FREQ=\(name.prefix(40)) is unknown") }
    self.frequency = frequency
    if let scale = values["RSCALE"], scale != "GREGORIAN" {
      throw Mistake("the calendar RSCALE=\(scale.prefix(40)) is not supported")
    }
    func value<Value>(_ name: String, _ read: (String) throws(Mistake) -> Value) -> Value? {
      guard let text = values[name] else { return nil }
      do throws(Mistake) {
        return try read(text)
      } catch {
        leaveOut(error.reason)
        return nil
      }
    }
    let counts = 1...999_999_999
    interval =
      value("INTERVAL") { text throws(Mistake) in try Self.number(text, "INTERVAL", in: counts) } ?? 1
    count = value("COUNT") { text throws(Mistake) in try Self.number(text, "COUNT", in: counts) }
    until = value("UNTIL", Self.until)
    weekStart = value("WKST", Self.weekday) ?? 1
    var lacksValues = false
    func list(_ name: String, _ range: ClosedRange<Int>, without left: Int? = nil) -> [Int] {
      var numbers: Set<Int> = []
      for part in values[name, default: ""].split(onBytes: ",").prefix(1000) {
        do throws(Mistake) {
          let number = try Self.number(part, name, in: range)
          if number == left { throw Mistake("\(name)=0 means nothing") }
          numbers.insert(number)
        } catch {
          leaveOut(error.reason)
          lacksValues = true
        }
      }
      return numbers.sorted()
    }
    seconds = list("BYSECOND", 0...60).filter { $0 < 60 }
    minutes = list("BYMINUTE", 0...59)
    hours = list("BYHOUR", 0...23)
    monthDays = list("BYMONTHDAY", -31...31, without: 0)
    yearDays = list("BYYEARDAY", -366...366, without: 0)
    weeks = list("BYWEEKNO", -53...53, without: 0)
    months = list("BYMONTH", 1...12)
    positions = list("BYSETPOS", -366...366, without: 0)
    for part in values["BYDAY", default: ""].split(onBytes: ",").prefix(400) {
      do throws(Mistake) {
        weekdays.append(try Self.day(part, frequency))
      } catch {
        leaveOut(error.reason)
        lacksValues = true
      }
    }
    self.lacksValues = lacksValues
  }

  /// Returns the last time of the rule according to UNTIL, as a wall time in the zone of the start, or `nil`
  /// if the rule has no UNTIL. If UNTIL is a day, the whole day is included.
  func last(from start: CalendarTime, _ reader: ZoneClock) -> WallTime? {
    guard let until else { return nil }
    if start.isDay { return WallTime(dayNumber: until.wall.dayNumber, second: 0) }
    if until.isDay { return WallTime(dayNumber: until.wall.dayNumber, second: 86_399) }
    return until.wall(in: start.frame, reader)
  }

  /// Whether UNTIL is before the start, in whatever zone the reader is.
  func isOver(before start: CalendarTime) -> Bool {
    guard let last = last(from: start, .gmt) else { return false }
    // A time without a zone is a different instant for each reader, whose clock is up to 14 hours ahead.
    let slack = until?.frame == .zone(.utc) && start.frame == .floating ? 14 * 3600 : 0
    return last.secondsAtUTC + slack < start.wall.secondsAtUTC
  }

  /// Parses the value of UNTIL.
  private static func until(_ text: String) throws(Mistake) -> CalendarTime {
    guard let time = CalendarValue.time(text, zone: .floating) else {
      throw Mistake("UNTIL=\(text.prefix(40)) is not a date")
    }
    return time
  }

  /// Parses the value of WKST.
  private static func weekday(_ text: String) throws(Mistake) -> Int {
    guard let day = number(of: text) else { throw Mistake("WKST=\(text.prefix(40)) is not a weekday") }
    return day
  }

  /// Parses a value of BYDAY. An ordinal, as in "the second Tuesday", is ignored unless the rule is monthly or yearly.
  private static func day(_ text: Substring, _ frequency: Frequency) throws(Mistake) -> Weekday {
    let text = String(text).trimmingSpaces
    guard let day = number(of: text.suffix(2)),
      let ordinal = text.count == 2 ? 0 : Int(text.dropLast(2)), abs(ordinal) <= 53
    else { throw Mistake("BYDAY=\(text.prefix(40)) is not a weekday") }
    return Weekday(day: day, ordinal: frequency >= .monthly ? ordinal : 0)
  }

  /// Returns the number of a weekday, from 1 for MO to 7 for SU.
  private static func number(of weekday: some StringProtocol) -> Int? {
    ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].firstIndex(of: String(weekday)).map { $0 + 1 }
  }

  /// Parses a number in the part `name` of a rule, or throws if it is not in the range.
  private static func number(
    _ text: some StringProtocol, _ name: String, in range: ClosedRange<Int>
  ) throws(Mistake) -> Int {
    guard let number = Int(String(text).trimmingSpaces), range.contains(number) else {
      throw Mistake(
        "\(name)=\(text.prefix(40)) is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
