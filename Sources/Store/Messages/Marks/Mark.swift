/// A value that a person, a rule or a service gives a message, beside what the message says itself.
package enum Mark: Hashable, Sendable {
  case read(Bool)
  case starred(Bool)
  /// When it was dismissed, in milliseconds since 1970: the list of what was dismissed is sorted by that. Nil: it is not.
  case dismissed(at: Int64?)
  /// Off the lists until then, in milliseconds since 1970.
  case snoozed(until: Int64?)
  case hidden(Hiding?)
  case tags([String])
  /// From 1 to 5.
  case priority(Int64)

  /// What keeps a message off the lists though nobody dismissed it.
  package struct Hiding: Hashable, Sendable {
    /// The name of the rule.
    package var rule: String
    /// Milliseconds since 1970: the list of what is hidden is sorted by that.
    package var at: Int64

    package init(rule: String, at: Int64) {
      (self.rule, self.at) = (rule, at)
    }
  }

  /// As stored: these numbers never change.
  package enum Field: Int64, CaseIterable, Sendable {
    case read = 1
    case starred, dismissed, snoozed, hidden, tags, priority
  }

  package var field: Field {
    switch self {
    case .read: .read
    case .starred: .starred
    case .dismissed: .dismissed
    case .snoozed: .snoozed
    case .hidden: .hidden
    case .tags: .tags
    case .priority: .priority
    }
  }
}

/// One mark of some messages, as it was and as it became.
package struct MarkChange: Hashable, Sendable {
  package var messages: IDRanges
  /// As it was shown: a snooze that is over counts as unread.
  package var old: Mark
  /// Of the same field.
  package var new: Mark
  /// The act that wrote the old value, or `nobody`; an undo counts as the act that it gave the mark back to. `nil` without
  /// synchronisation.
  package var oldBy: Int64?
  /// The act that an undo gives the mark back to, as in `oldBy`.
  package var newBy: Int64?

  /// The number of no act: the mark has this machine's default.
  package static let nobody: Int64 = 0

  package init(_ messages: IDRanges, old: Mark, new: Mark, oldBy: Int64? = nil, newBy: Int64? = nil) {
    (self.messages, self.old, self.new, self.oldBy, self.newBy) = (messages, old, new, oldBy, newBy)
  }

  package var field: Mark.Field { new.field }

  /// What it changed of some messages.
  package func among(_ ids: IDRanges) -> MarkChange {
    var change = self
    change.messages = messages.subtracting(messages.subtracting(ids))
    return change
  }

  /// What undoing it changes, where the messages still have `new`.
  package var inverse: MarkChange { MarkChange(messages, old: new, new: old, oldBy: newBy, newBy: oldBy) }

  /// Whether both are one change of different messages.
  package func isAlike(_ other: MarkChange) -> Bool {
    old == other.old && new == other.new && oldBy == other.oldBy && newBy == other.newBy
  }
}

/// Who changes marks.
package enum MarkAuthor: Hashable, Sendable {
  /// The only one whose changes can be undone, and are carried to services.
  case person
  case rule
  case service
  /// A person, on another of their machines.
  case machine
  /// What the time brings: the end of a snooze, a message that is news again.
  case occasion
}

/// The changes of one act, collected message by message: those that are the same become one.
package struct MarkChanges: Sendable {
  private var places: [MarkChange: Int] = [:]
  package private(set) var all: [MarkChange] = []

  package init() {}

  /// - Parameter change: of no messages.
  package mutating func append(_ id: Int64, _ change: MarkChange) {
    if let last = all.last, last.isAlike(change) { return add(id, at: all.count - 1) }
    if let place = places[change] {
      add(id, at: place)
    } else {
      places[change] = all.count
      all.append(change)
      all[all.count - 1].messages = IDRanges([id])
    }
  }

  /// Adds a change of a mark that the act may have changed before: then both become one.
  package mutating func appendAgain(_ id: Int64, _ change: MarkChange) {
    let earlier = all.firstIndex { $0.field == change.field && $0.messages.contains(id) }
    guard let earlier else { return append(id, change) }
    all[earlier].messages = all[earlier].messages.subtracting(IDRanges([id]))
    var whole = change
    (whole.old, whole.oldBy) = (all[earlier].old, all[earlier].oldBy)
    append(id, whole)
  }

  /// Usually ids ascend; those of several acts that are undone together don't.
  private mutating func add(_ id: Int64, at place: Int) {
    if all[place].messages.isBehind(id) {
      all[place].messages.append(id)
    } else {
      all[place].messages = all[place].messages.union(IDRanges([id]))
    }
  }

  /// Every message that changed.
  package var messages: IDRanges { all.reduce(IDRanges()) { $0.union($1.messages) } }
}
