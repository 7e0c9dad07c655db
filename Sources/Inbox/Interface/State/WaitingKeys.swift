import Basics
import Foundation
import Screen

/// Keys that were typed while the place that an earlier key led to was still being read. They are done in order, to what
/// then stands there.
struct WaitingKeys: Hashable, Sendable {
  struct Input: Hashable, Sendable {
    var event: InputEvent
    /// When it was typed: whether two keys are one command does not depend on how long they wait.
    var time: Date
  }

  private(set) var inputs: [Input] = []
  /// Counts the waits, so that the end of an earlier one does not end a later one.
  private(set) var wait = 0

  var isEmpty: Bool { inputs.isEmpty }

  /// - Returns: false where too many wait already.
  mutating func append(_ event: InputEvent, typed time: Date) -> Bool {
    guard inputs.count < Limits.waitingKeys else { return false }
    inputs.append(Input(event: event, time: time))
    return true
  }

  mutating func removeFirst() -> Input? { inputs.isEmpty ? nil : inputs.removeFirst() }

  mutating func removeAll() { inputs = [] }

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
