package import Messages
import Queries
package import Screen
import Words

/// What waits for the user's answer.
package struct Dialog: Hashable, Sendable {
  package internal(set) var prompt: Prompt?
  package internal(set) var overlay: Overlay?
  package internal(set) var form: SourceForm?
  package internal(set) var ruleForm: RuleForm?
  /// Shown at the bottom until it is answered.
  package internal(set) var question: Question?
  /// Whether something lies over the panes, so that nothing in them is seen.
  var coversPanes: Bool { overlay != nil || form != nil || ruleForm != nil }

  var isSearching: Bool {
    if case .search? = prompt { true } else { false }
  }
  /// Whether what was entered is being checked or written.
  var isAsking: Bool {
    if let form { return form.phase.isAsking }
    if let ruleForm { return ruleForm.phase.isAsking }
    switch prompt {
    case .add(_, let phase), .snooze(_, _, let phase), .quiet(_, let phase), .saveList(_, _, let phase):
      return phase.isAsking
    case .save(_, _, let phase): return phase.isAsking
    case .search, .filter, .pipe, nil: return false
    }
  }
  /// Why what was typed is not accepted.
  var failure: SafeText? {
    let phase: Prompt.Phase? =
      switch prompt {
      case .add(_, let phase), .snooze(_, _, let phase), .quiet(_, let phase), .saveList(_, _, let phase):
        phase
      case .save(_, _, .failed(let reason)): .failed(reason)
      case .save, .search, .filter, .pipe, nil: form?.phase ?? ruleForm?.phase
      }
    if case .failed(let reason)? = phase { return reason }
    return nil
  }
  /// While Tab completes a search.
  var completion: SearchCompletion?
  /// Which of the remembered searches the prompt shows.
  var recalled: Int?
  /// Values of messages, for completions.
  var names: [Query.NameField: [String]] = [:]
}

/// What is done only after the key that its text names. Any other key drops it, and does what it does without it.
package enum Question: Hashable, Sendable {
  /// An address that a banner wants to open.
  case bannerLink(AskedAddress)
  /// An action of a message that is more than a link.
  case action(MessageAction, of: MessageID)

  package var isBannerLink: Bool {
    if case .bannerLink = self { true } else { false }
  }

  /// The key that means yes. Enter reads a message: it doesn't answer a question that came meanwhile.
  var answer: KeyPress {
    switch self {
    case .bannerLink(let asked): asked.isAfterPress ? KeyPress(.enter) : KeyPress("o")
    case .action: KeyPress(.enter)
    }
  }
}

/// An address that a banner's script wants to open.
package struct AskedAddress: Hashable, Sendable {
  package var address: String
  /// Whether the script did so because something was pressed.
  package var isAfterPress: Bool
}

/// The line at the bottom while something is typed.
package enum Prompt: Hashable, Sendable {
  /// Each change searches; `before` and `at` are what was shown before, and are restored on Escape.
  case search(LineEditor, before: InboxQuery, at: ListKey?)
  case add(LineEditor, Phase)
  /// Words of the sources that the pane shows.
  case filter(LineEditor)
  /// Until when messages are snoozed.
  case snooze(LineEditor, MessageSelection, Phase)
  /// Until when nothing is told.
  case quiet(LineEditor, Phase)
  /// The command that gets messages.
  case pipe(LineEditor, GivenMessages, MessageForm)
  /// The file that messages are written to.
  case save(LineEditor, GivenMessages, SavePhase)
  /// What a search is called that becomes a list: its query.
  case saveList(LineEditor, query: String, Phase)

  package enum Phase: Hashable, Sendable {
    case editing
    /// What was typed is being checked, or written.
    case asking(RequestID)
    /// What was wrong with it.
    case failed(SafeText)

    var isAsking: Bool { if case .asking = self { true } else { false } }
    var isFailed: Bool { if case .failed = self { true } else { false } }
  }

  package enum SavePhase: Hashable, Sendable {
    case editing
    case asking(RequestID)
    /// There is a file of that name; one more Enter replaces it.
    case isThere
    case failed(SafeText)

    var isAsking: Bool { if case .asking = self { true } else { false } }
  }

  /// The request that the prompt waits for.
  var request: RequestID? {
    switch self {
    case .add(_, .asking(let request)), .snooze(_, _, .asking(let request)), .quiet(_, .asking(let request)),
      .saveList(_, _, .asking(let request)), .save(_, _, .asking(let request)):
      request
    case .add, .snooze, .quiet, .saveList, .save, .search, .filter, .pipe: nil
    }
  }

  var editor: LineEditor {
    switch self {
    case .search(let editor, _, _), .add(let editor, _), .filter(let editor),
      .snooze(let editor, _, _), .quiet(let editor, _), .pipe(let editor, _, _), .save(let editor, _, _),
      .saveList(let editor, _, _):
      editor
    }
  }
}

/// What Tab puts in place of a word of a search, one after the other.
package struct SearchCompletion: Hashable, Sendable {
  /// Where the word begins, in bytes.
  var start: Int
  var texts: [String]
  var index: Int
}

/// What covers the panes.
package enum Overlay: Hashable, Sendable {
  case help(scroll: Int)
  /// A page offers several feeds. `top` is the first visible one.
  case choices([FeedChoice], selected: Int, top: Int = 0)
  /// The terminal cannot copy this address.
  case address(String)
  /// Why a source cannot be polled.
  case problem(SourceID, scroll: Int = 0)
  /// What the bottom line has said.
  case messages(scroll: Int)
  case rules(RulesPage)
  /// All that an action of a message would send: Enter sends it.
  case request(MessageAction, of: MessageID, scroll: Int = 0)

  /// Lines above the first one in sight; nil for what doesn't scroll.
  var scroll: Int? {
    switch self {
    case .help(let scroll), .problem(_, let scroll), .messages(let scroll), .request(_, _, let scroll): scroll
    case .choices, .address, .rules: nil
    }
  }

  mutating func scroll(to line: Int) {
    switch self {
    case .help: self = .help(scroll: line)
    case .problem(let source, _): self = .problem(source, scroll: line)
    case .messages: self = .messages(scroll: line)
    case .request(let action, let message, _): self = .request(action, of: message, scroll: line)
    case .choices, .address, .rules: break
    }
  }

  var place: Places {
    switch self {
    case .help, .choices, .address, .messages, .request: .overlay
    case .problem: .problem
    case .rules: .rules
    }
  }
}
