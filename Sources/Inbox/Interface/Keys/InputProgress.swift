import Foundation
import Messages
import Screen
import Words

/// The state of unfinished input, which the next key or click may continue.
package struct InputProgress: Hashable, Sendable {
  /// The number typed so far, for the command of the next key, for example to move by this number of rows.
  package internal(set) var count: Int?
  /// The time at which the input that is being handled was typed: it may have waited since.
  var time = Date.distantPast
  /// The time of the last question about an action that sends something: a key typed before is no answer to it.
  var questionTime = Date.distantPast
  var clicked = Clicked.other
  /// An act that is extended to more messages if a key that moves to the list's start or end follows immediately.
  var extensible: Extensible?
  /// The previous key, while it may still become a longer command.
  var lead: Lead?
  /// The number of keys so far that could have begun a command of two keys, so that the timeout of an earlier
  /// one does not end a later one.
  var sequences = 0
  /// The time of the last key that normally opens a prompt, or of the last key typed as text for a prompt that did not
  /// open.
  var asked: Date?
  /// The maximum time between two keys of text for a prompt that did not open, in seconds.
  static let textTime: TimeInterval = 0.5
  /// The last shell command that a message was passed to; the prompt offers it again.
  var pipe = ""
  /// The commands of one key that are still to be performed.
  var sequence: CommandSequence?
  /// Acts that one undo reverts together with an earlier act, keyed by their ids, until their effects are sent.
  var joined: [ActID: ActID] = [:]

  /// An act that the previous key performed on one message of the list.
  struct Extensible: Hashable, Sendable {
    /// The maximum time between the keys of the act and of the move to the list's start or end, in seconds.
    static let time: TimeInterval = 1

    var act: UserAct.Kind
    var message: ListKey
    /// The time of the last key of the act.
    var at: Date
    /// Whether the first of the two keys that go to the list's start was pressed.
    var goesUp = false
  }

  /// The first of two keys, until it is clear whether they form a command.
  struct Lead: Hashable, Sendable {
    /// The time within which the second key must follow, in seconds.
    static let time: TimeInterval = 1

    var key: KeyPress
    var number: Int?
    /// The time at which the first key was pressed.
    var at: Date
    /// The pane or page and the selection that both keys apply to.
    var meant: Meant
    var place: Places { meant.place }

    func isFollowed(at time: Date) -> Bool { (0...Self.time).contains(time.timeIntervalSince(at)) }
  }

  /// The item under the last click. The second click of a double click means the same item, even if the list or the
  /// panes moved in between.
  enum Clicked: Hashable, Sendable {
    case message(MessageID)
    case link(String)
    case choice(Int)
    case other
  }
}
