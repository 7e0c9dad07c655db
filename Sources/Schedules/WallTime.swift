/// A date and time of day on a wall calendar (proleptic Gregorian), without a zone.
package struct WallTime: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  package var day: Int
  /// Seconds since midnight, 0 to 86,399.
  package var second: Int

  package init(day: Int, second: Int) {
    self.day = day
    self.second = second
  }

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) {
    self.day = CivilDate(year: year, month: month, day: day).dayNumber
    self.second = hour * 3600 + minute * 60 + second
  }

  package static func < (a: Self, b: Self) -> Bool { (a.day, a.second) < (b.day, b.second) }

  package var date: CivilDate { CivilDate(dayNumber: day) }

  /// 1 Monday to 7 Sunday. 1970-01-01 was a Thursday.
  package var weekday: Int { ((day + 3) % 7 + 7) % 7 + 1 }

  /// Seconds since 1970 as if the wall stood at UTC.
  var secondsAtUTC: Int { day * 86400 + second }
}

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

  /// 28 to 31.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    case _: 31
    }
  }

  /// The day so many months on; a month that is too short gives its last day.
  package func adding(months: Int) -> CivilDate {
    let index = year * 12 + (month - 1) + months
    let year = index.dividedDown(by: 12)
    let month = index - year * 12 + 1
    return CivilDate(year: year, month: month, day: min(day, Self.length(ofMonth: month, year: year)))
  }

  /// Days since 1970-01-01. Years are counted from March, so that a leap day ends its year, in eras of 400.
  package var dayNumber: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.dividedDown(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

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

extension Int {
  /// The quotient rounded towards minus infinity, as calendars need it before 1970.
  func dividedDown(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor != 0 && (self < 0) != (divisor < 0) ? quotient - 1 : quotient
  }
}
