import Messages
import Screen
import Words

/// The requests that have no response yet, and the next steps after their responses.
package struct Pending: Hashable, Sendable {
  package internal(set) var acts = PendingActs()
  /// The confirmation that is shown once its act is written, unless another key comes before.
  var confirmation: Confirmation?
  /// The list that is being marked as seen, so that this is requested only once; `nil` again with the next snapshot.
  var seen: InboxQuery.Scope?
  var unreadSearch: UnreadSearch?
  /// The request for the URLs of the marked messages, which are opened then.
  var addresses: RequestID?
  /// The request for the tags, hosts and similar values with which Tab completes a search.
  var names: RequestID?
  /// The request for the form that is opened next.
  var form: RequestID?
  /// The last form that Escape gave up before it opened: no sentence is needed when it is loaded.
  var leftForm: RequestID?
  /// A change of the settings that the sources' pane doesn't show yet.
  var change: Change?
  /// The request to copy. If the terminal cannot copy, the text is shown instead, unless the user has pressed another
  /// key.
  var copy: RequestID?
  /// The match that is shown as soon as its message is loaded and laid out.
  var hit: HitSearch?
  /// The message in which text is searched for as soon as all of it is laid out.
  var find: MessageID?
  /// The message that is selected as soon as the list has it, after an undo.
  var selection: MessageID?
  /// An undo in the sources' pane, which may restore a line.
  var restored: Restored?
  /// The name of a source that is opened as soon as it exists.
  var source: String?
  /// The name of a saved list that is opened as soon as it exists.
  var list: String?
  /// The link that is opened as soon as its message is loaded and laid out.
  var link: PendingLink?
  /// The message whose article is requested as soon as it is loaded.
  var article: MessageID?
  /// The number of articles that were requested.
  var articleRequests = 0
  var refresh: RefreshTally?
  var running: RunningPrograms?
  /// Whether this inbox has looked for offers on this machine.
  var hasLookedForOffers = false

  private var requests = 0

  var lastRequest: RequestID { RequestID(requests) }

  mutating func ask() -> RequestID {
    requests += 1
    return lastRequest
  }

  /// Whether data is being loaded that determines what the next key applies to.
  var isReadingPlace: Bool {
    unreadSearch != nil || hit != nil || find != nil || source != nil || list != nil || link != nil
      || article != nil || addresses != nil || form != nil || copy != nil || change != nil
  }

  /// Whether a form or a page opens that Escape would close.
  var opensDialog: Bool { form != nil || link?.use == .list }

  /// Stops waiting for requests and for acts.
  mutating func giveUp() {
    acts.giveUp()
    giveUpPlace()
    (selection, restored, change) = (nil, nil, nil)
  }

  /// Stops waiting for what was requested for the screen, but not for acts.
  mutating func giveUpPlace() {
    (unreadSearch, hit, find, source, list, link) = (nil, nil, nil, nil, nil, nil)
    (article, addresses, form, copy) = (nil, nil, nil, nil)
  }

  /// An undo that may restore a line of the sources' pane.
  struct Restored: Hashable, Sendable {
    var act: ActID
    /// The lines of the pane before the undo. Once the undo is known to restore a line, the line that is not
    /// among these is selected.
    var known: Set<InboxQuery.Scope>
    var restoresLine = false
  }

  /// The state of a change of the settings.
  enum Change: Hashable, Sendable {
    /// The change was requested.
    case asked(RequestID)
    /// The change is written, and the next list shows it.
    case written
  }

  /// A sentence that confirms an act.
  struct Confirmation: Hashable, Sendable {
    enum Text: Hashable, Sendable {
      case text(SafeText)
      /// A phrase about the number of messages that the act has changed. `before` is the number that an earlier act of
      /// the same step had changed.
      case done(Phrase, before: Int)
      /// The number of snoozed messages, with the end of the snooze.
      case snoozed(until: SafeText)
      /// The number of messages of a list that were marked read, which only the store knows.
      case markedRead
    }

    var act: ActID
    var text: Text
  }
}

/// A search for an unread message outside the window, and whether the result is opened.
struct UnreadSearch: Hashable, Sendable {
  var request: RequestID
  var isForward: Bool
  var opens: Bool
}

/// A link of a message that must be loaded first, so that its links are known.
struct PendingLink: Hashable, Sendable {
  enum Use: Hashable, Sendable {
    case open, copy
    /// Copies the text of the message.
    case copyText
    /// Shows the page of links.
    case list
    /// Mutes the message's thread.
    case mute
    /// Runs a program that needs the message's URL.
    case run(ProgramTemplate)
  }

  var message: MessageID
  var use: Use
  var number: Int?
}

/// Programs that the bottom line reports as started, until all of them have exited.
struct RunningPrograms: Hashable, Sendable {
  var toast: Toast
  /// The programs that are still running, each by its URL, or by its arguments.
  var left: [String]
}
