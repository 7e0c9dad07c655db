package import Foundation
package import Messages

/// Everything that a query may ask of a message. What is nil or empty is missing: no field matches it.
package struct Facts: Hashable, Sendable {
  package var id: MessageID?
  package var remoteID: RemoteID?
  package var title: String
  /// Plain text as a terminal shows it.
  package var body: String
  package var author: String?
  /// Its source's name in the settings, and its title if that is another.
  package var sourceNames: [String] = []
  /// The path of its source's folder.
  package var folder: String?
  package var tags: [String]
  /// The message's own kind, and its source's if that is another.
  package var kinds: [String]
  package var language: String?
  package var channel: String?
  /// The absolute address of the message.
  package var link: String?
  package var priority: Priority
  package var states: States = []
  package var parts: Parts
  /// See `IncomingMessage.isQuiet`; no query asks for it.
  package var isQuiet = false
  /// The time that lists show and order by.
  package var time: Date?
  /// Names of the rules that touched it.
  package var rules: [String] = []

  /// A message without content.
  package init(title: String = "", body: String = "", priority: Priority = .normal) {
    self.title = title
    self.body = body
    self.priority = priority
    (tags, kinds, parts) = ([], [], [])
  }

  /// What the content says. The rest is to be filled in: ids, the source's names and folder, marks, time and rules.
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
    states = content.standing == .normal ? [] : .pinned
    parts = Parts(content)
    isQuiet = content.isQuiet
  }

  /// The host of the link in lower case; nil if it has none.
  package var site: String? { link.flatMap(HostName.withoutPort) }
}

extension Facts {
  /// The marks of a message. It is read if it isn't unread.
  package struct States: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let unread = States(.unread)
    package static let starred = States(.starred)
    package static let dismissed = States(.dismissed)
    package static let snoozed = States(.snoozed)
    /// By a rule.
    package static let hidden = States(.hidden)
    package static let expired = States(.expired)
    /// Above the rest of the list.
    package static let pinned = States(.pinned)
    package static let new = States(.new)

    /// With one of these a message is in no list that does not ask for it.
    package static let offLists: States = [.dismissed, .snoozed, .hidden, .expired]

    /// Empty for `read`, which is the lack of a mark.
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
        }
    }

    func holds(_ state: Query.State) -> Bool {
      state == .read ? !contains(.unread) : contains(States(state))
    }
  }

  /// What a message has.
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
