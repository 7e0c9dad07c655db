package import Messages
package import Screen

/// The terminal, as it last reported itself.
package struct TerminalState: Hashable, Sendable {
  package internal(set) var size: Size
  /// Whether the terminal has the focus; `false` after it reported that another window has it.
  package internal(set) var hasFocus = true
}

/// The content of the panes and the banner, including their selections and scroll positions.
package struct Shown: Hashable, Sendable {
  package internal(set) var sources = SourceList()
  package internal(set) var list: MessageList
  package internal(set) var reader = Reader()
  package internal(set) var timeline = Timeline()
  package internal(set) var banner: BannerView?
  /// The number of requested layouts of banner views, which is the number of the last request.
  var viewRequests = 0
  /// The welcome messages that were read; they are not in the store.
  var readWelcome: Set<MessageID> = []

  init(list: MessageList) { self.list = list }
}

/// Counts over all sources, as of the last snapshot.
package struct InboxCounts: Hashable, Sendable {
  package internal(set) var unread = 0
  package internal(set) var total = 0
  package internal(set) var starred = 0
  package internal(set) var snoozed = 0
  /// The number of programs that wait for the user.
  package internal(set) var waiting = 0
  /// The number of messages that each rule hides, largest first.
  package internal(set) var hidden: [HiddenCount] = []
  /// Whether there are messages that the user has not seen, so that the terminal's title has a dot.
  package internal(set) var isUnseen = false
  package internal(set) var canUndo = false

  init() {}

  init(_ snapshot: InboxSnapshot) {
    unread = snapshot.unread
    total = snapshot.total
    starred = snapshot.starred
    snoozed = snapshot.snoozed
    waiting = snapshot.waiting
    hidden = snapshot.hidden
    isUnseen = snapshot.isUnseen
    canUndo = snapshot.canUndo
  }
}
