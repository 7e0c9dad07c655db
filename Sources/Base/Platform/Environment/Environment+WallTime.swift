import Basics
package import Foundation

extension Environment {
  /// `2026-11-20 09:00`, in the system's zone.
  package func wallTime(_ date: Date, seconds: Bool = false) -> String {
    let time = WallTime(date, in: clock())
    return "\(time.date.text) \(seconds ? time.clockWithSeconds : time.clock)"
  }

  /// `Thu 26 Nov 9:00`, with the year where it is another one than now.
  package func dayAndTime(_ date: Date) -> String {
    let (time, today) = (WallTime(date, in: clock()), WallTime(now(), in: clock()))
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][time.weekday - 1]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let year = time.date.year == today.date.year ? "" : " \(time.date.year)"
    return "\(weekday) \(time.date.day) \(months[time.date.month - 1])\(year) \(Self.shortClock(time))"
  }

  /// Within a day `9:00`, else as `dayAndTime`.
  package func nearTime(_ date: Date) -> String {
    date < now().addingTimeInterval(86_400) ? Self.shortClock(WallTime(date, in: clock())) : dayAndTime(date)
  }

  private static func shortClock(_ time: WallTime) -> String { "\(time.hour):\(time.clock.suffix(2))" }

  /// Whether the locale's characters are UTF-8 (POSIX.1-2017, section 8.2).
  package var isUTF8: Bool { characterLocale.contains("utf-8") || characterLocale.contains("utf8") }

  /// Whether the locale's language is Chinese, Japanese or Korean: some terminals draw characters of ambiguous width
  /// (UAX #11) with two columns then.
  package var isEastAsian: Bool { ["zh", "ja", "ko"].contains { characterLocale.hasPrefix($0) } }

  private var characterLocale: String {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }?.lowercased() ?? ""
  }
}
