import Basics
import Foundation
import Messages

/// The hours and days in which a feed should not be polled: RSS `skipHours` and `skipDays`, in UTC.
///
/// A list of every hour, or of every day, is ignored.
struct SkippedTimes {
  private let hours: Set<Int>
  private let days: Set<Int>

  init(_ state: PollState) {
    let hours = state.skipHours.isEmpty ? [] : state.skipHours.intersection(0...23)
    let days = state.skipDays.isEmpty ? [] : state.skipDays.intersection(1...7)
    self.hours = hours.count == 24 ? [] : hours
    self.days = days.count == 7 ? [] : days
  }

  var isEmpty: Bool { hours.isEmpty && days.isEmpty }

  /// Returns the first allowed time after `date`, and the rule that is the last to delay it, or `nil` if `date` is
  /// allowed.
  func end(from date: Date) -> (date: Date, rule: WaitRule)? {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard !isEmpty, abs(seconds) < 1e12 else { return nil }
    var second = Int(seconds)
    var rule: WaitRule?
    while true {
      let time = WallTime(seconds: second)
      if days.contains(time.weekday) {
        second = (time.dayNumber + 1) * 86_400
        rule = .skipDays
      } else if hours.contains(time.hour) {
        second = time.dayNumber * 86_400 + (time.hour + 1) * 3600
        rule = .skipHours
      } else {
        return rule.map { (Date(timeIntervalSince1970: Double(second)), $0) }
      }
    }
  }
}
