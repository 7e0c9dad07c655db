import Dates
package import Foundation

extension Environment {
  /// `2026-11-20 09:00`, in the system's zone.
  package func wallTime(_ date: Date, seconds: Bool = false) -> String {
    let time = WallTime(date, in: clock())
    return "\(time.date.text) \(seconds ? time.clockWithSeconds : time.clock)"
  }

  /// Whether the locale's characters are UTF-8 (POSIX.1-2017, section 8.2).
  package var isUTF8: Bool {
    let value =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
    let lower = value.lowercased()
    return lower.contains("utf-8") || lower.contains("utf8")
  }
}
