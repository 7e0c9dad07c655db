/// A value that a user, a rule or a service assigns to a message, in addition to the message's content.
package enum Mark: Hashable, Sendable {
  case read(Bool)
  case starred(Bool)
  /// The time of the dismissal in milliseconds since 1970, by which the list of dismissed messages is sorted, or `nil`
  /// if it is not dismissed.
  case dismissed(at: Int64?)
  /// The time until which lists leave it out, in milliseconds since 1970.
  case snoozed(until: Int64?)
  case hidden(Hiding?)
  case tags([String])
  /// The priority, from 1 to 5.
  case priority(Int64)

  /// The rule that hides a message which the user did not dismiss.
  package struct Hiding: Hashable, Sendable {
    /// The name of the rule.
    package var rule: String
    /// The time in milliseconds since 1970, by which the list of hidden messages is sorted.
    package var at: Int64

    package init(rule: String, at: Int64) {
      (self.rule, self.at) = (rule, at)
    }
  }

  /// The fields. The numbers are stored and never change.
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

/// A change of one mark of some messages, with its old and new value.
package struct MarkChange: Hashable, Sendable {
  package var messages: IDRanges
  /// The old value as it was shown: if a snooze of the message has ended, the message counts as unread.
  package var old: Mark
  /// The new value of the same field.
  package var new: Mark
  /// The number of the act that wrote the old value, or `nobody`. If an undo wrote it, this is the act whose
  /// value the undo restored. `nil` without synchronisation.
  package var oldBy: Int64?
  /// The number of the act whose value an undo restores, or `nobody`. `nil` without synchronisation.
  package var newBy: Int64?

  /// The number that stands for no act: the mark still has this machine's default.
  package static let nobody: Int64 = 0

  package init(_ messages: IDRanges, old: Mark, new: Mark, oldBy: Int64? = nil, newBy: Int64? = nil) {
    (self.messages, self.old, self.new, self.oldBy, self.newBy) = (messages, old, new, oldBy, newBy)
  }

  package var field: Mark.Field { new.field }

  /// Returns the part of the change that concerns some messages.
  package func among(_ ids: IDRanges) -> MarkChange {
    var change = self
    change.messages = messages.subtracting(messages.subtracting(ids))
    return change
  }

  /// The change that undoes this one, for messages that still have `new`.
  package var inverse: MarkChange { MarkChange(messages, old: new, new: old, oldBy: newBy, newBy: oldBy) }

  /// Whether the other change is the same one, apart from its messages.
  package func isAlike(_ other: MarkChange) -> Bool {
    old == other.old && new == other.new && oldBy == other.oldBy && newBy == other.newBy
  }
}

/// The author of a change of marks.
package enum MarkAuthor: Hashable, Sendable {
  /// The user, whose changes alone can be undone and sent to services.
  case person
  case rule
  case service
  /// The user, on another machine.
  case machine
  /// An event in time: the end of a snooze, or a message that becomes unread again.
  case occasion
}

/// The changes of one act, collected message by message; equal ones are merged.
package struct MarkChanges: Sendable {
  private var places: [MarkChange: Int] = [:]
  package private(set) var all: [MarkChange] = []

  package init() {}

  /// - Parameter change: a change without messages.
  package mutating func append(_ id: Int64, _ change: MarkChange) {
    if let last = all.indices.last, all[last].isAlike(change) { return add(id, at: last) }
    if let place = places[change] {
      add(id, at: place)
    } else {
      places[change] = all.count
      all.append(change)
      all[all.count - 1].messages = IDRanges([id])
    }
  }

  /// Appends a change of a mark that the act may have changed before; both changes of the mark then become
  /// one.
  package mutating func appendAgain(_ id: Int64, _ change: MarkChange) {
    let earlier = all.firstIndex { $0.field == change.field && $0.messages.contains(id) }
    guard let earlier else { return append(id, change) }
    all[earlier].messages = all[earlier].messages.subtracting(IDRanges([id]))
    var whole = change
    (whole.old, whole.oldBy) = (all[earlier].old, all[earlier].oldBy)
    append(id, whole)
  }

  /// Adds an id to a change. Usually ids ascend, but not if several acts are undone together.
  private mutating func add(_ id: Int64, at place: Int) {
    if all[place].messages.isBehind(id) {
      all[place].messages.append(id)
    } else {
      all[place].messages = all[place].messages.union(IDRanges([id]))
    }
  }

  /// All messages that changed.
  package var messages: IDRanges { all.reduce(IDRanges()) { $0.union($1.messages) } }
}
