package import Foundation
package import Messages
package import Screen

/// What the interface is told once: language, signs, keys.
package struct InterfaceOptions: Hashable, Sendable {
  package var words: Words
  package var signs: Signs
  package var keymap: Keymap
  /// The zone of every time on the screen.
  package var zone: TimeZone
  /// Whether a spinner may turn; without, a still sign says the same.
  package var animations: Bool
  /// Whether the terminal has the colours that pictures need; they are not even fetched without.
  package var showsPictures: Bool
  /// Said at the bottom all the time: what the demo shortens.
  package var notice: SafeText?

  package init(
    words: Words, signs: Signs = .unicode, keymap: Keymap = .standard, zone: TimeZone,
    animations: Bool = true, showsPictures: Bool = false, notice: SafeText? = nil
  ) {
    self.words = words
    self.signs = signs
    self.keymap = keymap
    self.zone = zone
    self.animations = animations
    self.showsPictures = showsPictures
    self.notice = notice
  }
}

/// All that the screen shows, and all that a key's meaning depends on. Changed by `update` only.
package struct AppState: Hashable, Sendable {
  package internal(set) var options: InterfaceOptions
  package internal(set) var size: Size
  /// As of the last `timeChanged`; nothing on the screen ticks.
  package internal(set) var now: Date
  /// False while the terminal says that another window has the keyboard.
  package internal(set) var hasTerminalFocus = true

  package internal(set) var focus: Pane = .messages
  /// Of sources, messages and reader, the one that has the keys or had them before the timeline.
  var inner: Pane = .messages
  package internal(set) var overlay: Overlay?
  package internal(set) var prompt: Prompt?
  package internal(set) var toast: Toast?
  /// What is wrong in the settings file; stands at the bottom until it is mended.
  package internal(set) var settingsMistake: SafeText?
  /// The number typed so far, before a motion.
  package internal(set) var count: Int?

  package internal(set) var sources = SourceList()
  package internal(set) var list: MessageList
  package internal(set) var reader = Reader()
  package internal(set) var timeline = Timeline()
  package internal(set) var banner: BannerView?
  /// Layouts of banners' views that were asked for.
  var viewRequests = 0
  /// An address that a banner which is gone wanted to open; stands at the bottom until it is answered.
  package internal(set) var question: String?

  /// Unread messages of all sources.
  package internal(set) var unread = 0
  package internal(set) var total = 0
  package internal(set) var starred = 0
  /// Something arrived that nobody has looked at: the dot of the program's title.
  package internal(set) var isUnseen = false
  package internal(set) var canUndo = false
  /// What was done and is not shown by the store yet.
  package internal(set) var pending = Pending()
  /// What is said when an act is written, unless another key came before.
  var promised: Promise?
  var clicked = Clicked.other

  package internal(set) var polling: [SourceID: SourcePolling] = [:]
  var refresh: RefreshTally?
  /// The spinner's picture, and whether the next one was asked for.
  var spinner = 0
  var isTicking = false
  var isCountingDown = false

  /// Whether a person did something since the last arrival, or has had the list in sight for long enough. The list of all
  /// messages counts as looked at only then: its dots say what came from where, and going off at once nobody would see them.
  var isAttended = false
  /// The look at the list of all that is under way, by its number; nil where nobody can be looking.
  var look: Int?
  var looks = 0
  /// What was asked to be marked seen and is not yet, so that it is asked once.
  var seenAsked: InboxQuery.Scope?
  /// Where `n` searches outside the window, and whether it opens what it finds.
  var seeking: Seek?
  /// A message to be selected as soon as the list has it: one that came back by undo.
  var wanted: MessageID?
  /// A source to be shown as soon as there is one of that name.
  var awaited: String?
  var readWelcome: Set<MessageID> = []
  /// A link to be used as soon as its message is here.
  var link: LinkWish?

  /// What lay under the last click. The list may move before the second click of a double click comes, and so may the
  /// panes: that one means what the first one was on.
  enum Clicked: Hashable, Sendable {
    case message(MessageID)
    case link(String)
    case choice(Int)
    case other
  }

  struct Promise: Hashable, Sendable {
    var act: ActID
    var text: SafeText
  }

  struct Seek: Hashable, Sendable {
    var isForward: Bool
    var opens: Bool
  }

  /// - Parameters:
  ///   - scope: the list to begin with.
  ///   - timeline: whether the poll timeline is open from the start.
  package init(
    options: InterfaceOptions, size: Size, now: Date, scope: InboxQuery.Scope = .all, timeline: Bool = false
  ) {
    self.options = options
    self.size = size
    self.now = now
    list = MessageList(query: InboxQuery(scope: scope))
    self.timeline.isOpen = timeline
  }

  var layout: Layout {
    Layout(size, pane: focus, inner: inner, hasTimeline: timeline.isOpen, banner: banner?.placement)
  }

  var words: Words { options.words }

  /// The list's source, where it is the list of one.
  var shownSource: SourceID? {
    if case .source(let id) = list.query.scope { id } else { nil }
  }

  /// Whether there is nothing to show but how to begin.
  var isWelcome: Bool {
    list.isLoaded && total == 0 && list.query.scope == .all && list.query.search == nil
      && sources.statuses.allSatisfy { $0.source.kind == .local }
  }

  /// The message that keys act on: the one being read, or the selected one.
  var target: MessageRow? {
    guard focus == .reader, let message = reader.message, message.id == reader.subject else {
      return list.selectedRow
    }
    return list.rows.first { $0.id == message.id } ?? MessageRow(message)
  }
}

extension MessageRow {
  /// A message that is read although the list does not have it any more.
  init(_ message: Message) {
    let time = message.content.published ?? message.received
    self.init(
      key: ListKey(
        standing: message.content.standing, sortTime: Int64(time.timeIntervalSince1970 * 1000), id: message.id
      ),
      source: message.source, kind: message.content.kind, title: message.content.title,
      isUnread: message.isUnread, isStarred: message.isStarred, isDismissable: message.content.isDismissable,
      priority: message.content.priority)
  }
}
