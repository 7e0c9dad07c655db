import Messages

/// The messages that arrived since the user last looked at reddot. Their titles have another style than those of other
/// unread messages.
///
/// They do not depend on the times at which lists are marked seen: keys typed ahead do not affect them.
struct News: Hashable, Sendable {
  /// The unseen messages when the first rows arrived; empty once the user was away.
  private var unseen: Set<MessageID> = []
  /// The message after which all are new: the last one when the first rows arrived, or when the terminal lost the
  /// focus.
  private var since: MessageID?

  /// Records the unseen messages and the newest message of the first snapshot; later snapshots are ignored.
  mutating func begin(with snapshot: InboxSnapshot) {
    guard since == nil else { return }
    unseen = snapshot.unseen
    since = snapshot.newest
  }

  /// Records that the user, who has seen all messages up to this one, goes away.
  mutating func end(with newest: MessageID) {
    guard since != nil else { return }
    unseen = []
    since = newest
  }

  func contains(_ row: MessageRow) -> Bool {
    guard let since else { return false }
    return row.all.contains { $0.id > since || unseen.contains($0.id) }
  }
}
