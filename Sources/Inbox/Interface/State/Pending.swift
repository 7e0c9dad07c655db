import Messages
import Screen
import Words

/// What was asked for and is not answered yet, and what is to happen then.
package struct Pending: Hashable, Sendable {
  package internal(set) var acts = PendingActs()
  /// Shown once its act is written, unless another key comes before.
  var confirmation: Confirmation?
  /// The list that was asked to be marked seen; nil again with the next snapshot, so that it is asked once.
  var seen: InboxQuery.Scope?
  var unreadSearch: UnreadSearch?
  /// The request for the addresses of the marked messages, which are opened then.
  var addresses: RequestID?
  /// The request for the names that complete a search.
  var names: RequestID?
  /// The request for the form that is opened next.
  var form: RequestID?
  /// A change of the settings that the sources' pane doesn't show yet.
  var change: Change?
  /// The request to copy: a terminal that cannot shows the address instead, if no other key came.
  var copy: RequestID?
  /// Gone to as soon as its message is loaded and laid out.
  var hit: HitSearch?
  /// Selected as soon as the list has it: a message that came back by undo.
  var selection: MessageID?
  /// The lines of the sources' pane when an undo was asked for there: one that comes back is selected.
  var restored: Set<InboxQuery.Scope>?
  /// The name of a source that is opened as soon as there is one.
  var source: String?
  /// The name of a saved list that is opened as soon as there is one.
  var list: String?
  /// Followed as soon as its message is loaded and laid out.
  var link: PendingLink?
  /// The message whose article is asked for as soon as it is loaded.
  var article: MessageID?
  /// How often it was asked what a rule would have done.
  var ruleTrials = 0
  var ruleOffer: RuleOffer?
  /// How many articles were asked for.
  var articleRequests = 0
  var refresh: RefreshTally?
  var running: RunningPrograms?

  private var requests = 0

  var lastRequest: RequestID { RequestID(requests) }

  mutating func ask() -> RequestID {
    requests += 1
    return lastRequest
  }

  /// Whether something is read that decides where the next key lands.
  var isReadingPlace: Bool {
    unreadSearch != nil || hit != nil || source != nil || list != nil || link != nil
      || article != nil || addresses != nil || form != nil || copy != nil || change != nil
  }

  mutating func giveUp() {
    acts.giveUp()
    (unreadSearch, hit, selection, source, list, link) = (nil, nil, nil, nil, nil, nil)
    (article, addresses, form, copy, change) = (nil, nil, nil, nil, nil)
  }

  enum Change: Hashable, Sendable {
    case asked(RequestID)
    /// The next list has it.
    case written
  }

  struct Confirmation: Hashable, Sendable {
    enum Text: Hashable, Sendable {
      case text(SafeText)
      /// What was done, as a text about the number of messages that it changed, and those that the act before had changed.
      case done(Phrase, before: Int)
      /// The number of snoozed messages, with the time of their return.
      case snoozed(until: SafeText)
      /// How many messages of a list were marked read, which only the store knows.
      case markedRead
    }

    var act: ActID
    var text: Text
  }
}

/// A search for an unread message outside the window, and whether what it finds is opened.
struct UnreadSearch: Hashable, Sendable {
  var request: RequestID
  var isForward: Bool
  var opens: Bool
}

/// A link of a message that must be loaded first, to know which links it has.
struct PendingLink: Hashable, Sendable {
  enum Use: Hashable, Sendable {
    case open, copy
    /// A program needs the message's address.
    case run(ProgramTemplate)
  }

  var message: MessageID
  var use: Use
  var number: Int?
}

/// The question whether a new rule is applied to what is there already.
struct RuleOffer: Hashable, Sendable {
  var rule: String
  /// What asks it: it is over once something else is said.
  var toast: Toast

  static let key = KeyPress("y")
}

/// Programs that the bottom line says are started, until all of them have ended.
struct RunningPrograms: Hashable, Sendable {
  var toast: Toast
  /// Each by its address, or by its arguments.
  var left: [String]
}
