package import Messages
import Queries
package import Screen
import Words

/// The parts of the screen that wait for the user's answer.
package struct Dialog: Hashable, Sendable {
  package internal(set) var prompt: Prompt?
  package internal(set) var overlay: Overlay?
  /// The number of lines or choices of the overlay above the first visible one.
  package internal(set) var scroll = 0
  /// The page beneath the help, with its position.
  var beneath: Beneath?
  package internal(set) var form: SourceForm?
  package internal(set) var ruleForm: RuleForm?
  /// The question that is shown at the bottom until it is answered.
  package internal(set) var question: Question?
  /// Whether something covers the panes, so that nothing in them is visible.
  var coversPanes: Bool { overlay != nil || form != nil || ruleForm != nil }

  var isSearching: Bool {
    if case .search? = prompt?.subject { true } else { false }
  }
  var isFinding: Bool {
    if case .find? = prompt?.subject { true } else { false }
  }
  /// Whether the entered text is being checked or written.
  var isAsking: Bool { (form?.phase ?? ruleForm?.phase ?? prompt?.phase)?.isAsking ?? false }
  /// The reason why the entered text is not accepted.
  var failure: SafeText? {
    if case .failed(let reason)? = prompt?.phase ?? form?.phase ?? ruleForm?.phase { reason } else { nil }
  }
  /// The completion, while Tab completes a search.
  var completion: SearchCompletion?
  /// The index of the remembered search that the prompt shows.
  var recalled: Int?
  /// The values of messages, for example their tags, with which Tab completes a search.
  var names: [Query.NameField: [String]] = [:]

  /// Shows a page over the panes, from its beginning.
  mutating func show(_ page: Overlay) { (overlay, scroll) = (page, 0) }

  struct Beneath: Hashable, Sendable {
    var page: Overlay?
    var scroll: Int
  }

  /// Shows a page over the present one, which is shown again afterwards.
  mutating func cover(with page: Overlay) {
    if beneath == nil { beneath = Beneath(page: overlay, scroll: scroll) }
    show(page)
  }

  /// Shows the page beneath the help again.
  mutating func uncover() {
    (overlay, scroll) = (beneath?.page, beneath?.scroll ?? 0)
    beneath = nil
  }

  /// Shows a page, or closes it if it is shown.
  mutating func toggle(_ page: Overlay) { if overlay == page { overlay = nil } else { show(page) } }

  /// Closes the prompt that waits for a response.
  ///
  /// - Returns: `false` if the user has already left that prompt.
  @discardableResult
  mutating func endPrompt(_ request: RequestID) -> Bool {
    guard prompt?.phase == .asking(request) else { return false }
    prompt = nil
    return true
  }
}

/// A question that asks the user whether to perform an action. The action is performed only after the key that the
/// question shows. Any other key drops the question and keeps its normal meaning.
package enum Question: Hashable, Sendable {
  /// A URL that a banner wants to open.
  case bannerLink(AskedAddress)
  /// An action of a message that is more than a link.
  case action(MessageAction, of: MessageID)
  /// Whether a rule that was just saved is applied to earlier messages. Their number is `nil` until its trial ends.
  case rule(String, matches: Int?, trial: Int?)

  package var isBannerLink: Bool {
    if case .bannerLink = self { true } else { false }
  }

  /// The key that applies a rule to earlier messages.
  static let applyingKey = KeyPress("y")

  /// The key that means yes. Enter reads a message, so it doesn't answer a question that appeared meanwhile.
  var answer: KeyPress {
    switch self {
    case .bannerLink(let asked): asked.isAfterPress ? KeyPress(.enter) : KeyPress("o")
    case .action: KeyPress(.enter)
    case .rule: Self.applyingKey
    }
  }
}

/// The line at the bottom while the user types.
package struct Prompt: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// A search; each change updates the list. `before` and `at` are the earlier list and selection, which Escape
    /// restores.
    case search(before: InboxQuery, at: ListKey?)
    /// The source to add: a URL, the name of a service or the path of an OPML file.
    case add
    /// The filter of the sources' pane: only matching sources and saved lists are shown.
    case filter
    /// The end of a snooze of messages.
    case snooze(MessageSelection)
    /// The end of a quiet time.
    case quiet
    /// The command that gets messages.
    case pipe(GivenMessages, MessageForm)
    /// The file that messages are written to; one more Enter replaces an existing file.
    case save(GivenMessages, isThere: Bool = false)
    /// The name of a new list, which is saved with the query of a search.
    case saveList(query: String)
    /// Text of the message being read; Escape restores the earlier position.
    case find(before: ReaderPlace)
    /// The name of a command, or words of its help; the help lists the matches.
    case command(HelpList)
  }

  package enum Phase: Hashable, Sendable {
    case editing
    /// The text is being checked, or written.
    case asking(RequestID)
    /// The text has an error.
    case failed(SafeText)

    var isAsking: Bool { if case .asking = self { true } else { false } }
    var isFailed: Bool { if case .failed = self { true } else { false } }
  }

  var subject: Subject
  var editor: LineEditor
  var phase = Phase.editing

  init(_ subject: Subject, _ text: String = "") {
    self.subject = subject
    editor = LineEditor(text)
  }

  /// Edits the text, unless it is being checked.
  mutating func edit(_ change: (inout LineEditor) -> Bool) -> Bool { !phase.isAsking && change(&editor) }
}

/// The words that Tab inserts in place of a word of a search, one after the other.
package struct SearchCompletion: Hashable, Sendable {
  /// The beginning of the word, in bytes.
  var start: Int
  var texts: [String]
  var index: Int
}

/// A page that covers the panes.
package enum Overlay: Hashable, Sendable {
  case help
  /// The feeds that a web page offers, one of them selected.
  case choices([FeedChoice], selected: Int)
  /// An address that the terminal cannot copy.
  case address(String)
  /// The reason why a source cannot be polled.
  case problem(SourceID)
  /// The reports of the bottom line.
  case messages
  case rules(RulesPage)
  /// The links of a message.
  case links(LinksPage)
  case offers(OffersPage)
  /// Everything that an action of a message would send: Enter sends it.
  case request(MessageAction, of: MessageID)

  var place: Places {
    switch self {
    case .help, .choices, .offers, .address, .messages, .request: .overlay
    case .problem: .problem
    case .rules: .rules
    case .links: .links
    }
  }
}
