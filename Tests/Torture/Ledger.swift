/// What was acknowledged, and what may have happened in commands that were killed.
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

  /// By remote id.
  var pushes: [String: Push] = [:]
  /// The number of items of the publisher; ids begin at 1.
  var published = 0
  /// How many of them existed when an acknowledged poll began.
  var polled = 0
  /// By remote id.
  var read: [String: Mark] = [:]
  var starred: [String: Mark] = [:]
  /// Dismissed or snoozed.
  var gone: [String: Mark] = [:]

  /// Compares with what the lists show.
  func problems(in listed: [ListedMessage]) -> [String] {
    var problems: [String] = []
    var seen: [String: ListedMessage] = [:]
    for message in listed {
      if seen.updateValue(message, forKey: message.key) != nil {
        problems.append("\(message.key) is there twice")
      }
    }
    func expect(_ key: String, _ isSure: Bool) {
      let isGone = gone[key] ?? .no
      if isSure, isGone == .no, seen[key] == nil {
        problems.append("\(key) was acknowledged and is in no list")
      }
      if isGone == .yes, seen[key] != nil { problems.append("\(key) was taken off the lists and is there") }
      guard let message = seen[key] else { return }
      if let mark = read[key], mark != .unknown, (mark == .yes) == message.isUnread {
        problems.append("\(key): read is \(mark), but unread is \(message.isUnread)")
      }
    }
    for (key, push) in pushes { expect(key, push.isAcknowledged) }
    for number in stride(from: 1, through: published, by: 1) {
      for source in ["board", "team"] { expect("\(source)/\(number)", number <= polled) }
    }
    for key in seen.keys where pushes[key] == nil && number(of: key) > published {
      problems.append("\(key) was never sent")
    }
    return problems
  }

  private func number(of key: String) -> Int { Int(key.split(separator: "/").last ?? "") ?? .max }
}

/// A message as `list --json` shows it.
struct ListedMessage {
  var id: Int
  var source: String
  var remoteID: String
  var isUnread: Bool

  /// Its name in the ledger.
  var key: String { "\(source)/\(remoteID)" }
}
