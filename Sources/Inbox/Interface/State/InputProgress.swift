import Foundation
import Messages
import Screen
import Words

/// What the next key or click continues, or brings back.
package struct InputProgress: Hashable, Sendable {
  /// The number typed so far, before a motion.
  package internal(set) var count: Int?
  var clicked = Clicked.other
  /// An act that a motion extends, if it follows at once.
  var extensible: Extensible?
  /// The key before, while it may still become a longer command.
  var lead: Lead?
  /// Counts such keys, so that the time of an earlier one does not end a later one.
  var sequences = 0
  /// The time of the last key that asked for text, or that was typed as its text although nothing asked.
  var asked: Date?
  /// The maximum time between two such keys.
  static let textTime: TimeInterval = 0.5
  /// The last command that a message was given to; the prompt brings it back.
  var pipe = ""

  /// What was done to one message of the list with the key before.
  struct Extensible: Hashable, Sendable {
    /// How soon the motion must follow.
    static let time: TimeInterval = 1

    var act: UserAct.Kind
    var message: ListKey
    /// When the last key of it was pressed.
    var at: Date
    /// Whether the first of the two keys that go to the list's start was pressed.
    var goesUp = false
  }

  /// The first of two keys, until it is clear whether they are one command.
  struct Lead: Hashable, Sendable {
    /// How soon the second key must follow.
    static let time: TimeInterval = 1

    var key: KeyPress
    var number: Int?
    /// When it was pressed.
    var at: Date
    /// Where it was pressed.
    var place: Places
    /// The message that it was about.
    var row: ListKey?
    /// The selected line of the sources' pane.
    var scope: InboxQuery.Scope

    func isFollowed(at time: Date) -> Bool { (0...Self.time).contains(time.timeIntervalSince(at)) }
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
