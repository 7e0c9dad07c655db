import Limits
import Screen

/// Keys that were typed while the place that an earlier key led to was still being read. They are done in order, to what
/// then stands there.
struct WaitingKeys: Hashable, Sendable {
  private(set) var events: [InputEvent] = []
  /// Counts the waits, so that the end of an earlier one does not end a later one.
  private(set) var wait = 0

  var isEmpty: Bool { events.isEmpty }

  /// - Returns: false where too many wait already.
  mutating func append(_ event: InputEvent) -> Bool {
    guard events.count < Limits.waitingKeys else { return false }
    events.append(event)
    return true
  }

  mutating func removeFirst() -> InputEvent? { events.isEmpty ? nil : events.removeFirst() }

  mutating func removeAll() { events = [] }

  /// - Returns: the number of a new wait.
  mutating func begin() -> Int {
    wait += 1
    return wait
  }
}

/// What was asked for, held by the prompt, form or page that asked: an answer with another id changes nothing on the screen.
package struct RequestID: Hashable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
