import Formats
import Foundation
import Limits
import Messages

/// How far the messages of an ntfy server were read: the time of the newest one, and the ids of those not much older.
///
/// Not by the last id: a delayed message keeps the place of its submission, so that one which came meanwhile would hide it,
/// and after an unknown id all messages come again.
struct NtfyCursor: Hashable {
  /// Seconds since 1970, by the server's clock; nil: nothing was read yet.
  private var newest: Int?
  /// The ids of events that may come again, with their times.
  private var seen: [String: Int] = [:]

  init(_ cursor: Cursor?) {
    guard let cursor, let object = (try? JSONReader.parse(cursor.text))?.object else { return }
    newest = object["newest"]?.integer
    for member in object["seen"]?.object?.members ?? [] { seen[member.key] = member.value.integer ?? 0 }
  }

  var cursor: Cursor? {
    guard let newest else { return nil }
    var object = JSONObject()
    object["newest"] = .integer(newest)
    object["seen"] = .object(
      JSONObject(
        seen.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
          JSONObject.Member(key: $0.key, value: .integer($0.value))
        }))
    return Cursor(JSONValue.object(object).serialized())
  }

  /// The value of `since`, which includes its second.
  var since: String { newest.map { String($0 - Limits.ntfyOverlap) } ?? "all" }

  /// Whether an event wasn't read yet.
  func isNew(_ event: NtfyEvent) -> Bool { seen[event.id] == nil }

  /// - Parameter there: the time there, if the server says it: a clock that was ahead for a while and was set right would
  ///   otherwise hide what comes until then.
  mutating func note(_ events: [NtfyEvent], at there: Date?) {
    for event in events {
      newest = max(newest ?? event.time, event.time)
      seen[event.id] = event.time
    }
    if let there { newest = newest.map { min($0, Int(there.timeIntervalSince1970.rounded(.up))) } }
    guard let newest else { return }
    seen = seen.filter { $0.value >= newest - Limits.ntfyOverlap }
  }
}
