package import Foundation
package import Messages

/// Everything that a query can test in a message. Fields that are `nil` or empty are missing: no condition on them
/// matches.
package struct Facts: Hashable, Sendable {
  package var id: MessageID?
  package var remoteID: RemoteID?
  package var title: String
  /// The body, as plain text as a terminal shows it.
  package var body: String
  package var author: String?
  /// The source's name in the settings, and its title if that differs.
  package var sourceNames: [String] = []
  /// The path of the source's folder.
  package var folder: String?
  package var tags: [String]
  /// The message's own kind, and its source's if that differs.
  package var kinds: [String]
  package var language: String?
  package var channel: String?
  /// The absolute URL of the message.
  package var link: String?
  package var priority: Priority
  package var states: States = []
  package var parts: Parts
  /// See `IncomingMessage.isQuiet`; no query tests it.
  package var isQuiet = false
  /// Whether the message is a question that takes answers; no query tests it.
  package var isQuestion = false
  /// The time that lists show and sort by.
  package var time: Date?
  /// The names of the rules that changed it.
  package var rules: [String] = []

  /// Creates a message without content.
  package init(title: String = "", body: String = "", priority: Priority = .normal) {
    self.title = title
    self.body = body
    self.priority = priority
    (tags, kinds, parts) = ([], [], [])
  }

  /// Creates the facts of a message's content. The rest must be filled in: ids, the source's names and folder, marks,
  /// time and rules.
  package init(_ content: IncomingMessage) {
    remoteID = content.remoteID
    title = content.title
    body = content.body
    author = content.author
    tags = content.tags
    kinds = [content.kind.rawValue]
    language = content.language
    channel = content.channel
    link = content.url
    priority = content.priority
    states = content.rank == .normal ? [] : .pinned
    parts = Parts(content)
    isQuiet = content.isQuiet
    isQuestion = content.isQuestion
    if content.isWaiting { states.insert(.waiting) }
  }

  /// The host of the link in lower case, or `nil` if it has none.
  package var site: String? { link.flatMap(HostName.withoutPort) }
}

extension Facts {
  /// The states of a message. A message without `unread` is read.
  package struct States: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let unread = States(.unread)
    package static let starred = States(.starred)
    package static let dismissed = States(.dismissed)
    package static let snoozed = States(.snoozed)
    /// Hidden by a rule.
    package static let hidden = States(.hidden)
    package static let expired = States(.expired)
    /// The message is shown above the rest of the list.
    package static let pinned = States(.pinned)
    /// The message is unseen: new since the user last viewed it.
    package static let new = States(.new)
    /// A program waits for the user.
    package static let waiting = States(.waiting)
    /// The subject of the message has ended.
    package static let done = States(.done)

    /// The states that hide a message from lists, except from those that ask for one of these states.
    package static let outOfInbox: States = [.dismissed, .snoozed, .hidden, .expired]

    /// Creates the set with one state of a query; the set is empty for `read`, which is the absence of
    /// `unread`.
    package init(_ state: Query.State) {
      rawValue =
        switch state {
        case .read: 0
        case .unread: 1
        case .starred: 2
        case .dismissed: 4
        case .snoozed: 8
        case .hidden: 16
        case .expired: 32
        case .pinned: 64
        case .new: 128
        case .waiting: 256
        case .done: 512
        }
    }

    /// Whether a message with these states meets a condition on one state.
    func holds(_ state: Query.State) -> Bool {
      state == .read ? !contains(.unread) : contains(States(state))
    }
  }

  /// The parts of a message that exist.
  package struct Parts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ part: Query.Part) {
      rawValue =
        switch part {
        case .link: 1
        case .actions: 2
        case .picture: 4
        case .html: 8
        case .tag: 16
        case .enclosure: 32
        }
    }

    package init(_ content: IncomingMessage) {
      self = []
      let extras = content.extras
      if content.url != nil { insert(Parts(.link)) }
      if extras?.actions.isEmpty == false { insert(Parts(.actions)) }
      if extras?.poster != nil { insert(Parts(.picture)) }
      if content.html != nil { insert(Parts(.html)) }
      if !content.tags.isEmpty { insert(Parts(.tag)) }
      if extras?.enclosures?.isEmpty == false { insert(Parts(.enclosure)) }
    }
  }
}
