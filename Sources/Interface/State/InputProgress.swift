import Foundation
import Messages
import Screen

/// What the next key or click continues, or brings back.
package struct InputProgress: Hashable, Sendable {
  /// The number typed so far, before a motion.
  package internal(set) var count: Int?
  var clicked = Clicked.other
  /// An act that a motion extends, if it follows at once.
  var extensible: Extensible?
  /// The key before, if it may be the first of two.
  var lead: Lead?
  /// The last command that a message was given to; the prompt brings it back.
  var pipe = ""

  /// What was done to one message of the list with the key before.
  struct Extensible: Hashable, Sendable {
    /// How soon the motion must follow.
    static let time: TimeInterval = 1

    var act: EachAct
    var message: ListKey
    /// When the last key of it was pressed.
    var at: Date
    /// Whether the first of the two keys that go to the list's start was pressed.
    var goesUp = false
  }

  /// The first of two keys, which has done already what it does by itself.
  struct Lead: Hashable, Sendable {
    /// How soon the second key must follow.
    static let time: TimeInterval = 1

    var key: KeyPress
    /// When it was pressed.
    var at: Date
    /// What was selected before.
    var row: ListKey?

    func isFollowed(at now: Date) -> Bool { (0...Self.time).contains(now.timeIntervalSince(at)) }
  }

  /// What was under the last click. The second click of a double click means the same thing, even if the list or the panes
  /// moved in between.
  enum Clicked: Hashable, Sendable {
    case message(MessageID)
    case link(String)
    case choice(Int)
    case other
  }
}
