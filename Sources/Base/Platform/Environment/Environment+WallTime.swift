import Basics
package import Foundation

extension Environment {
  /// Returns a time as `2026-11-20 09:00`, in the system's zone: the form of all times that commands print as text.
  package func wallTime(_ date: Date, seconds: Bool = false) -> String {
    WallTime(date, in: clock()).text(seconds: seconds)
  }

  /// Returns a time for a prompt or a status bar, which have little room: `9:00` if it is within a day, otherwise as
  /// `wallTime`.
  package func barTime(_ date: Date) -> String {
    guard date < now().addingTimeInterval(86_400) else { return wallTime(date) }
    let time = WallTime(date, in: clock())
    return "\(time.hour):\(time.clock.suffix(2))"
  }

  /// Whether the locale's characters are UTF-8 (POSIX.1-2017, section 8.2).
  package var isUTF8: Bool { characterLocale.contains("utf-8") || characterLocale.contains("utf8") }

  /// Whether the locale's language is Chinese, Japanese or Korean. Some terminals then draw characters of ambiguous
  /// width (UAX #11) with two columns.
  package var isEastAsian: Bool { ["zh", "ja", "ko"].contains { characterLocale.hasPrefix($0) } }

  private var characterLocale: String {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }?.lowercased() ?? ""
  }
}
