import Foundation
import Messages

/// What the next key or click continues, or brings back.
package struct InputProgress: Hashable, Sendable {
  /// The number typed so far, before a motion.
  package internal(set) var count: Int?
  var clicked = Clicked.other
  /// An act that a motion extends, if it follows at once.
  var extensible: Extensible?
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

  /// What was under the last click. The second click of a double click means the same thing, even if the list or the panes
  /// moved in between.
  enum Clicked: Hashable, Sendable {
    case message(MessageID)
    case link(String)
    case choice(Int)
    case other
  }
}
