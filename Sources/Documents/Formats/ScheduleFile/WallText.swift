import Basics

/// Parses the wall times and days in a schedule file. An error contains the allowed form and the fault.
enum WallText {
  /// The message for text that cannot be parsed.
  struct Refusal: Error {
    var message: String

    init(_ message: String) { self.message = message }
  }

  /// Reads `2019/05/20 19:00` or `4 19:00`.
  static func start(_ text: String) throws(Refusal) -> WallSchedule.Start {
    let allowed = "must be \"YYYY/MM/DD HH:MM\", or \"D HH:MM\" with D from 1 (Monday) to 7 (Sunday)"
    let parts = text.split(onBytes: " ", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw Refusal(allowed) }
    let time = try time(String(parts[1]))
    let numbers = numbers(parts[0], separator: "/")
    switch numbers?.count {
    case 1:
      guard let weekday = numbers?[0].value, (1...7).contains(weekday) else {
        throw Refusal("\(allowed); \(parts[0]) is not a weekday")
      }
      return .weekdays([weekday], time)
    case 3:
      guard let numbers, numbers[0].digits == 4 else { throw Refusal(allowed) }
      return .day(try day(numbers[0], numbers[1], numbers[2], allowed), time)
    default: throw Refusal(allowed)
    }
  }

  /// Reads `19:30`; single digits are allowed.
  static func time(_ text: String) throws(Refusal) -> WallSchedule.Time {
    let allowed = "its time must be HH:MM, 00:00 to 23:59"
    guard let numbers = numbers(Substring(text), separator: ":"), numbers.count == 2,
      numbers.allSatisfy({ $0.digits <= 2 })
    else { throw Refusal(allowed) }
    guard numbers[0].value < 24 else { throw Refusal("\(allowed); \(numbers[0].value) is not an hour") }
    guard numbers[1].value < 60 else { throw Refusal("\(allowed); \(numbers[1].value) is not a minute") }
    return WallSchedule.Time(hour: numbers[0].value, minute: numbers[1].value)
  }

  /// Reads `20/05/2026`.
  static func endDate(_ text: String) throws(Refusal) -> CivilDate {
    let allowed = "must be \"DD/MM/YYYY\""
    guard let numbers = numbers(Substring(text), separator: "/"), numbers.count == 3, numbers[2].digits == 4
    else { throw Refusal(allowed) }
    return try day(numbers[2], numbers[1], numbers[0], allowed)
  }

  /// Returns a date, or throws if it does not exist.
  private static func day(
    _ year: Number, _ month: Number, _ day: Number, _ allowed: String
  ) throws(Refusal) -> CivilDate {
    guard month.digits <= 2, day.digits <= 2, year.value > 0 else { throw Refusal(allowed) }
    guard (1...12).contains(month.value) else {
      throw Refusal("\(allowed); \(month.value) is not a month")
    }
    let date = CivilDate(year: year.value, month: month.value, day: day.value)
    guard date.isInCalendar else {
      throw Refusal("\(allowed); month \(month.value) of \(year.value) has no day \(day.value)")
    }
    return date
  }

  /// A number as it was written.
  private struct Number {
    var value: Int
    var digits: Int
  }

  /// Splits text into numbers, or returns `nil` unless each part has 1 to 4 ASCII digits.
  private static func numbers(_ text: Substring, separator: Character) -> [Number]? {
    var numbers: [Number] = []
    for part in text.split(separator: separator, omittingEmptySubsequences: false) {
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(\.isASCIIDigit), let value = Int(part)
      else {
        return nil
      }
      numbers.append(Number(value: value, digits: part.utf8.count))
    }
    return numbers
  }
}
