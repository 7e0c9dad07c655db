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

  package init(_ messages: IDRanges, old: Mark, new: Mark) {
    (self.messages, self.old, self.new) = (messages, old, new)
  }

  package var field: Mark.Field { new.field }

  /// What it changed of some messages.
  package func among(_ ids: IDRanges) -> MarkChange {
    MarkChange(messages.subtracting(messages.subtracting(ids)), old: old, new: new)
  }

  /// What undoing it changes, where the messages still have `new`.
  package var inverse: MarkChange { MarkChange(messages, old: new, new: old) }
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
  private struct Step: Hashable {
    var old: Mark
    var new: Mark
  }

  private var places: [Step: Int] = [:]
  package private(set) var all: [MarkChange] = []

  package init() {}

  package mutating func append(_ id: Int64, old: Mark, new: Mark) {
    if let last = all.last, last.old == old, last.new == new { return add(id, at: all.count - 1) }
    let step = Step(old: old, new: new)
    if let place = places[step] {
      add(id, at: place)
    } else {
      places[step] = all.count
      all.append(MarkChange(IDRanges([id]), old: old, new: new))
    }
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
