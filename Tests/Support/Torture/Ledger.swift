import Messages

/// The acknowledged acts, and those that may have happened in killed commands.
///
/// A message's key is its source's name, a slash and its remote id.
struct Ledger {
  /// The possible values of one mark of a message.
  enum Mark: Equatable {
    case yes, no, unknown
  }

  /// A pushed message.
  struct Push {
    var isAcknowledged = false
    var times = 0
  }

  var pushes: [String: Push] = [:]
  /// The reminders by title, with whether they were acknowledged.
  var reminders: [String: Bool] = [:]
  /// The messages that the feeds and services list or listed.
  var published: Set<String> = []
  /// The listed messages that existed when an acknowledged poll began.
  var polled: Set<String> = []
  /// The read state, without the older items of a feed that were not marked: its first poll stores them as read.
  var read: [String: Mark] = [:]
  var starred: [String: Mark] = [:]
  var dismissed: [String: Mark] = [:]
  var snoozed: [String: Mark] = [:]
  /// The messages that several machines mark: the last act isn't known here.
  var contested: Set<String> = []
  /// The acts on messages, acknowledged or not.
  private var tried: [String: Set<OutgoingMark>] = [:]

  /// Whether an act was performed here that was sent to a service. A dismissal is sent as reading if the service has
  /// nothing else.
  func didTry(_ mark: OutgoingMark, _ key: String) -> Bool {
    let marks = tried[key] ?? []
    if case .read(let isRead) = mark, marks.contains(.done(isRead)) { return true }
    return marks.contains(mark)
  }

  /// Adds a new message of a service.
  mutating func arrive(_ key: String) {
    published.insert(key)
    read[key] = .no
  }

  mutating func tries(_ mark: OutgoingMark, _ key: String) { tried[key, default: []].insert(mark) }

  /// Whether the message is dismissed or snoozed.
  func gone(_ key: String) -> Mark {
    let marks = [dismissed[key] ?? .no, snoozed[key] ?? .no]
    return marks.contains(.yes) ? .yes : marks.contains(.unknown) ? .unknown : .no
  }

  /// Compares the ledger with the lists.
  func problems(in listed: [ListedMessage]) -> [String] {
    var problems = repeated(listed)
    var seen: [String: ListedMessage] = [:]
    for message in listed { seen[message.key] = message }
    func expect(_ key: String, _ isSure: Bool) {
      if contested.contains(key) { return }
      let isGone = gone(key)
      if isSure, isGone == .no, seen[key] == nil {
        problems.append("\(key) was acknowledged and is in no list")
      }
      if isGone == .yes, seen[key] != nil { problems.append("\(key) was taken off the lists and is there") }
      guard let message = seen[key] else { return }
      if let mark = read[key], mark != .unknown, (mark == .yes) == message.isUnread {
        problems.append("\(key): read is \(mark), but unread is \(message.isUnread)")
      }
      let isStarred = starred[key] ?? .no
      if isStarred != .unknown, (isStarred == .yes) != message.isStarred {
        problems.append("\(key): starred is \(isStarred), but the star is \(message.isStarred)")
      }
    }
    for (key, push) in pushes { expect(key, push.isAcknowledged) }
    for key in published { expect(key, polled.contains(key)) }
    for key in seen.keys where pushes[key] == nil && !published.contains(key) {
      problems.append("\(key) was never sent")
    }
    return problems
  }

  /// Compares the ledger with everything that is stored, in lists or hidden.
  func problems(stored: [ListedMessage]) -> [String] {
    let keys = Set(stored.map(\.key))
    return repeated(stored) + polled.subtracting(keys).map { "\($0) was acknowledged and is not stored" }
  }

  /// Compares the ledger with the output of `remind --list`.
  func problems(reminders lines: [String]) -> [String] {
    reminders.compactMap { title, isAcknowledged in
      let count = lines.count { $0.hasSuffix("  \(title)") }
      return count == 1 || count == 0 && !isAcknowledged ? nil : "\(title) is there \(count) times"
    }
  }

  private func repeated(_ messages: [ListedMessage]) -> [String] {
    Dictionary(grouping: messages, by: \.key).filter { $1.count > 1 }.map { "\($0.key) is there twice" }
  }
}

/// A message as `list --json` shows it.
struct ListedMessage {
  var id: Int
  var source: String
  var remoteID: String
  var isUnread: Bool
  var isStarred: Bool
  var isDismissed: Bool

  /// The message's name in the ledger.
  var key: String { "\(source)/\(remoteID)" }
}
