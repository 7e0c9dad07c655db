import Basics
import Foundation
import Screen

/// Keys that were typed while the result of an earlier key was still being loaded. They are handled in order, once that
/// result is on the screen.
struct WaitingKeys: Hashable, Sendable {
  struct Input: Hashable, Sendable {
    var event: InputEvent
    /// The time at which it was typed: whether two keys are one command does not depend on their waiting time.
    var time: Date
  }

  private(set) var inputs: [Input] = []
  /// The number of waits so far, so that the timeout of an earlier one does not end a later one.
  private(set) var wait = 0

  var isEmpty: Bool { inputs.isEmpty }

  /// Adds input to the end.
  ///
  /// - Returns: `false` if too many inputs are waiting already.
  mutating func append(_ event: InputEvent, typed time: Date) -> Bool {
    guard inputs.count < Limits.waitingKeys else { return false }
    inputs.append(Input(event: event, time: time))
    return true
  }

  mutating func removeFirst() -> Input? { inputs.isEmpty ? nil : inputs.removeFirst() }

  mutating func removeAll() { inputs = [] }

  /// Starts a new wait, and returns its number.
  mutating func begin() -> Int {
    wait += 1
    return wait
  }
}

/// The id of a request, stored by the prompt, form or page that made it. A response with another id changes nothing on
/// the screen.
package struct RequestID: Hashable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
