import Basics
import Foundation
import Messages

/// How far the messages of an ntfy server were read: the time of the newest one, and the ids of those not much older.
///
/// Not by the last id: a delayed message keeps the place of its submission, so that one which came meanwhile would hide it,
/// and after an unknown id all messages come again.
struct NtfyCursor: ServiceCursor {
  /// Seconds since 1970, by the server's clock; nil: nothing was read yet.
  private var newest: Int?
  /// The ids of events that may come again, with their times.
  private var seen: [String: Int]?

  init() {}

  /// The value of `since`, which includes its second.
  var since: String { newest.map { String($0 &- Limits.ntfyOverlap) } ?? "all" }

  /// Whether an event was read already.
  func knows(_ event: NtfyEvent) -> Bool { seen?[event.id] != nil }

  /// - Parameter there: the time there, if the server says it: a clock that was ahead for a while and was set right would
  ///   otherwise hide what comes until then.
  mutating func add(_ events: [NtfyEvent], at there: Date?) {
    newest = (events.map(\.time) + [newest].compactMap(\.self)).max()
    if let there { newest = newest.map { min($0, Int(there.timeIntervalSince1970.rounded(.up))) } }
    guard let newest else { return }
    let start = newest &- Limits.ntfyOverlap
    seen = (seen ?? [:]).filter { $0.value >= start }
    for event in events where event.time >= start { seen?[event.id] = event.time }
  }
}
