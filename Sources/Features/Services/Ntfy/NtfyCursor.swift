import Basics
import Foundation
import Messages

/// The position up to which the messages of an ntfy server were read: the time of the newest message, and the ids of
/// the messages that are not much older.
///
/// The last id alone is not enough: a delayed message keeps the position of its submission, so a message that came in
/// the meantime would hide it; and after an unknown id the server sends all messages again.
struct NtfyCursor: ServiceCursor {
  /// The time of the newest message, in seconds since 1970 by the server's clock; `nil` if nothing was read yet.
  private var newest: Int?
  /// The ids of events that may come again, with their times.
  private var seen: [String: Int]?

  init() {}

  /// The value of the query item `since`: the server returns the messages from this second on, or all messages if none
  /// were read yet.
  var since: String { newest.map { String($0 &- Limits.ntfyOverlap) } ?? "all" }

  /// Whether an event was already read.
  func knows(_ event: NtfyEvent) -> Bool { seen?[event.id] != nil }

  /// Adds the events of a response.
  ///
  /// - Parameter there: the server's time, if the response has it. The time of the newest message is limited to it;
  ///   otherwise, a server clock that was fast for a while and then corrected would hide all messages until that time.
  mutating func add(_ events: [NtfyEvent], at there: Date?) {
    newest = (events.map(\.time) + [newest].compactMap(\.self)).max()
    if let there { newest = newest.map { min($0, Int(there.timeIntervalSince1970.rounded(.up))) } }
    guard let newest else { return }
    let start = newest &- Limits.ntfyOverlap
    seen = (seen ?? [:]).filter { $0.value >= start }
    for event in events where event.time >= start { seen?[event.id] = event.time }
  }
}
