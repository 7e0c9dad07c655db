import Basics
import Foundation

/// Values of headers.
enum HTTPText {
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
  static func date(_ date: Date) -> String {
    let time = WallTime(seconds: Int(date.timeIntervalSince1970.rounded(.down)))
    let day = (time.date.day < 10 ? "0" : "") + String(time.date.day)
    let month = months[time.date.month - 1]
    return "\(days[time.weekday - 1]), \(day) \(month) \(time.date.year) \(time.clockWithSeconds) GMT"
  }
}
