package import Messages
package import Screen

/// The terminal as it last reported itself.
package struct TerminalState: Hashable, Sendable {
  package internal(set) var size: Size
  /// False while the terminal reports that another window has the keyboard.
  package internal(set) var hasFocus = true
}

/// What the panes and the banner show. Which row is selected and how far each is scrolled is part of it.
package struct Shown: Hashable, Sendable {
  package internal(set) var sources = SourceList()
  package internal(set) var list: MessageList
  package internal(set) var reader = Reader()
  package internal(set) var timeline = Timeline()
  package internal(set) var banner: BannerView?
  /// How many layouts of banner views were asked for: the number of the last one.
  var viewRequests = 0
  /// Messages of the welcome that were read; they are not in the store.
  var readWelcome: Set<MessageID> = []

  init(list: MessageList) { self.list = list }
}

/// Counts over all sources, as of the last snapshot.
package struct InboxCounts: Hashable, Sendable {
  package internal(set) var unread = 0
  package internal(set) var total = 0
  package internal(set) var starred = 0
  package internal(set) var snoozed = 0
  /// How many messages each rule hides, most first.
  package internal(set) var hidden: [HiddenCount] = []
  /// Something arrived that is unseen: the dot of the program's title.
  package internal(set) var isUnseen = false
  package internal(set) var canUndo = false

  init() {}

  init(_ snapshot: InboxSnapshot) {
    unread = snapshot.unread
    total = snapshot.total
    starred = snapshot.starred
    snoozed = snapshot.snoozed
    hidden = snapshot.hidden
    isUnseen = snapshot.isUnseen
    canUndo = snapshot.canUndo
  }
}
