import Messages

/// What came since somebody looked at reddot before: such messages stand out among the unread ones.
///
/// It does not depend on when lists are marked seen: keys typed ahead change nothing of it.
struct News: Hashable, Sendable {
  /// What nobody had seen when the first rows came; empty once somebody was away.
  private var unseen: Set<MessageID> = []
  /// Later messages are new: the last one when the first rows came, or when the terminal lost the focus.
  private var since: MessageID?

  /// The first rows came; nothing happens with later ones.
  mutating func begin(with snapshot: InboxSnapshot) {
    guard since == nil else { return }
    unseen = snapshot.unseen
    since = snapshot.newest
  }

  /// Somebody goes away, who has seen all up to that message.
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
