package import Foundation

/// A date as it was written, with its time of day and zone if it has them. All dates that programs write are read here.
package struct WrittenDate: Hashable, Sendable {
  var year: Int
  /// The number of digits of the written year.
  var yearDigits = 4
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  /// The fraction of a second, from 0 to 1.
  var fraction = 0.0
  /// The number of written parts of the time of day: hours, minutes, seconds.
  var clockParts = 0
  /// Seconds east of UTC, or `nil` if no offset was written.
  package var offset: Int?
  /// The zone that was written instead of an offset.
  var zone: ZoneClock?
  /// Whether the date certainly has no time of day. With `nil`, `isDay` depends on the written time of day.
  var isKnownDay: Bool?

  init(year: Int, month: Int = 1, day: Int = 1) { (self.year, self.month, self.day) = (year, month, day) }

  init(_ date: CivilDate) { self.init(year: date.year, month: date.month, day: date.day) }

  /// Creates a date in UTC from seconds since 1970.
  init(unix seconds: Int) {
    let wall = WallTime(seconds: seconds)
    self.init(wall.date)
    setClock(wall.hour, wall.second / 60 % 60, wall.second % 60)
    offset = 0
  }

  /// Reads a date in one of the forms, or returns `nil` if the text has another form or the date does not exist.
  package init?(_ text: String, _ forms: DateForms) {
    var text = text
    if forms.contains(.scripts), let plain = PlainDate(text) {
      text = plain.text
      guard let read = text.withUTF8({ Self.read($0, forms) }), plain.allows(year: read.year) else {
        return nil
      }
      self = read
    } else {
      guard let read = text.withUTF8({ Self.read($0, forms) }) else { return nil }
      self = read
    }
  }

  /// Reads a date that begins with a number, or otherwise one in words.
  private static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ forms: DateForms) -> WrittenDate? {
    let bytes = bytes.withoutSpacesAround
    guard let first = bytes.first, bytes.count <= Limits.dateBytes else { return nil }
    if first.isASCIIDigit || first == UInt8(ascii: "-") {
      var numeric = NumericDate(bytes, forms)
      switch numeric.read() {
      case .date(let date): return date.isPossible(forms) ? date : nil
      case .nothing: return nil
      case .otherForm: break
      }
    }
    guard forms.contains(.words), bytes.count >= 4 else { return nil }
    var worded = WordedDate(bytes, forms)
    return worded.read().flatMap { $0.isPossible(forms) ? $0 : nil }
  }

  /// Sets the time of day; missing parts are 0.
  mutating func setClock(_ hour: Int, _ minute: Int? = nil, _ second: Int? = nil) {
    (self.hour, self.minute, self.second) = (hour, minute ?? 0, second ?? 0)
    clockParts = second != nil ? 3 : minute != nil ? 2 : 1
  }

  /// Applies a word for a.m. or p.m. The word is ignored if the hour is above 12.
  mutating func setHalf(isAfternoon: Bool) {
    if hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
  }

  // MARK: The value

  package var date: CivilDate { CivilDate(year: year, month: month, day: day) }

  /// Whether a time of day was written.
  package var hasClock: Bool { clockParts > 0 }

  /// The seconds since midnight. A leap second becomes the second before it, since wall times have none.
  package var secondOfDay: Int { hour * 3600 + minute * 60 + min(second, 59) }

  /// Whether the date has no time of day, or its time of day is midnight. Programs that do not know the time also write
  /// 24:00.
  package var isDay: Bool {
    isKnownDay ?? ((hour == 0 || hour == 24) && minute == 0 && second == 0 && fraction == 0)
  }

  /// The instant, in UTC if no zone was written, or `nil` if the offset moves it out of the years 0 to 9999, which four
  /// digits can represent. A leap second is the first second of the next minute, as in POSIX.
  package var instant: Date? {
    let local = WallTime(dayNumber: date.dayNumber, second: hour * 3600 + minute * 60 + second)
    let seconds = zone?.seconds(of: local) ?? local.secondsAtUTC - (offset ?? 0)
    guard ISOInstant.writable.contains(Double(seconds)) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// Whether the day and the time of day exist. Feeds may exceed both: 31 June is 1 July, as the published test cases
  /// of feed readers expect.
  private func isPossible(_ forms: DateForms) -> Bool {
    guard (0...9999).contains(year) else { return false }
    if forms.contains(.overflow) {
      return (1...12).contains(month) && (1...31).contains(day) && hour < 100 && minute < 100 && second < 100
    }
    return date.isInCalendar && hour < 24 && minute < 60 && second <= 60
  }

  /// Returns the full year of a year with two or three digits (RFC 5322 section 4.3).
  static func fullYear(_ value: Int, digits: Int) -> Int {
    switch digits {
    case ...2: value < 50 ? 2000 + value : 1900 + value
    case 3: 1900 + value
    default: value
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var withoutSpacesAround: UnsafeBufferPointer<UInt8> {
    var (low, high) = (0, count)
    while low < high, self[low].isDateSpace { low += 1 }
    while high > low, self[high - 1].isDateSpace { high -= 1 }
    return UnsafeBufferPointer(rebasing: self[low..<high])
  }
}

extension UInt8 {
  /// Whether the byte is a space, a tab or a line end.
  var isDateSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
