import Messages
import Words

/// The commands of one key that are still to be performed.
struct CommandSequence: Hashable, Sendable {
  /// The messages that acts apply to, regardless of the selection.
  struct Subject: Hashable, Sendable {
    var row: MessageRow?
    var several: Several?
  }

  var calls: [CommandCall]
  /// The messages that the next command applies to. It is `nil` after a command that moved the selection; the
  /// next command then applies to the selected row.
  var subject: Subject?
  /// The number before the key, for a first command that takes a number.
  var number: Int?
  /// Whether a command on the subject is being performed.
  var isActing = false
  /// Whether the message being read is no longer in the list. Its neighbour is opened, unless a command goes elsewhere.
  var hasLeft = false
  /// The first act of the sequence. One undo reverts it together with all later acts of the sequence.
  var firstAct: ActID?
  /// The sentence that was in the bottom line before the last command.
  var said: Toast?
  /// Whether the time at which the sequence stops waiting for a result is scheduled.
  var isTimed = false
}

extension Command {
  /// Whether the command does not change the selection, so that a later command of a sequence applies to the same
  /// message.
  var isAct: Bool {
    switch self {
    case .readOn, .nextUnread, .previousUnread, .find: false
    case _: [.reading, .messages].contains(row.group)
    }
  }
}

extension AppState {
  /// The messages that acts apply to while a command of a sequence is performed.
  var acting: CommandSequence.Subject? {
    guard let sequence = input.sequence, sequence.isActing else { return nil }
    return sequence.subject
  }
}
