/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  /// Returns the number of days of a month, from 28 to 31.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    case _: 31
    }
  }

  /// Whether the calendar has this day: false for 30 February and for month 13.
  package var isInCalendar: Bool {
    (1...12).contains(month) && (1...Self.length(ofMonth: month, year: year)).contains(day)
  }

  /// The date in the form `2026-11-20`. A year outside 0 to 9999 isn't in ISO 8601's form.
  package var text: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

  /// Returns the date this many months later. If that month is shorter and does not have the day, returns the
  /// month's last day.
  package func adding(months: Int) -> CivilDate {
    let index = year * 12 + (month - 1) + months
    let year = index.dividedDown(by: 12)
    let month = index - year * 12 + 1
    return CivilDate(year: year, month: month, day: min(day, Self.length(ofMonth: month, year: year)))
  }

  /// The number of days since 1970-01-01; a day beyond the end of its month counts as a day of the next
  /// month.
  ///
  /// Years begin in March, so that a leap day is the last of its year, in eras of 400 years (Howard Hinnant,
  /// chrono-compatible date algorithms).
  package var dayNumber: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.dividedDown(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Creates the date that has this `dayNumber`.
  package init(dayNumber: Int) {
    let days = dayNumber + 719_468
    let era = days.dividedDown(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
