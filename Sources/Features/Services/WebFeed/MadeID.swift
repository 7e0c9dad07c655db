import Basics
import Foundation
import Messages

/// Makes the id of an entry that has neither an id nor a link in its document. The algorithm is frozen because messages
/// are stored with these ids; tests check its values.
enum MadeID {
  /// Returns the URL of the entry's attachment or, without one, a digest of its title and its time of publication; of
  /// its title and the day if only that is known; or of its title and text if there is no time.
  ///
  /// The text is used last, so that an entry whose text is edited keeps its id.
  ///
  /// - Parameter message: the entry's message, whose traits and title are already set.
  static func of(_ message: IncomingMessage) -> RemoteID {
    if let file = message.extras?.enclosures?.first?.url { return RemoteID(file) }
    let hasTitle = !message.traits.contains(.lacksTitle)
    let title = (hasTitle ? ComparedText.text(message.title) : nil) ?? ""
    let rest =
      message.published.map { time($0, isDay: message.traits.contains(.isPublishedDay)) }
      ?? "\u{0}\(ComparedText.text(message.body) ?? "")"
    return RemoteID.digest(of: "\(title)\u{0}\(rest)")
  }

  /// Returns `2026-11-28T10:00:00` in UTC or, for a day, `2026-11-28`.
  private static func time(_ date: Date, isDay: Bool) -> String {
    guard isDay else {
      let time = ZoneClock.gmt.wall(at: date)
      return "\(time.date.text)T\(time.clockWithSeconds)"
    }
    // Midnight in a time zone is at most half a day before or after midnight in UTC.
    return ZoneClock.gmt.wall(at: date.addingTimeInterval(43_200)).date.text
  }
}
