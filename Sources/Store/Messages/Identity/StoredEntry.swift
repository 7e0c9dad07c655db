/// The properties of a stored message that the rules of `EntryJudge` use, even if the message is no longer kept.
package struct StoredEntry: Hashable, Sendable {
  /// The number of the message, which it keeps after it was deleted.
  package var number: Int64
  package var isKept: Bool
  /// The id under which it is stored.
  package var storedID: RemoteID
  /// The hash of everything except the id.
  package var hash: Int64
  /// The facts, or `nil` if an earlier version deleted the message, so that only its id and its hash are known.
  package var facts: EntryFacts?

  package init(number: Int64, isKept: Bool, storedID: RemoteID, hash: Int64, facts: EntryFacts?) {
    (self.number, self.isKept, self.storedID) = (number, isKept, storedID)
    (self.hash, self.facts) = (hash, facts)
  }

  package static func == (a: Self, b: Self) -> Bool { a.number == b.number && a.storedID == b.storedID }

  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The properties of a source's documents that its polls remember.
package struct SourceMemory: Hashable, Sendable {
  /// Whether a document once contained two different ids (not links in place of ids), so that the
  /// source's ids distinguish entries.
  package var tellsApart = false
  /// Whether an id occurred again in a later document.
  package var isSteady = false
  /// Whether two messages had the same title and page, or the same title and no page. Equal titles and pages
  /// are then no evidence that two messages are the same.
  package var recurs = false
  /// The time of the last document with entries, in seconds, or `nil` if there was none.
  package var lastDocument: Int64?

  package init() {}
}

/// The stored messages of one source, which the rules of `EntryJudge` look up by keys.
package protocol StoredEntries {
  /// Returns the numbers of the messages with a key of `EntryFacts`, newest first, except the taken ones, or `nil` if
  /// there are more than `most`.
  func numbers(with key: Int64, without taken: Set<Int64>, atMost most: Int) throws -> [Int64]?
  /// Returns the message with a number, or `nil` if it has no facts.
  func entry(_ number: Int64) throws -> StoredEntry?
  /// Returns whether the messages of the source have more than one moment; having no moment counts as one.
  func haveSeveralMoments() throws -> Bool
}

/// The decision on an entry of a document.
package enum EntryVerdict: Hashable, Sendable {
  case new
  /// A message that was published again, and becomes unread again.
  case again
  /// A stored message with other content.
  case changed
  /// A stored message that arrived with another id.
  case joined(isEdited: Bool)
  /// A new message that another source also has.
  case copy(of: SourceID)
}

/// The facts by which an entry with an unknown id was matched with a stored message.
package enum JoinEvidence: String, Hashable, Sendable, Codable {
  case titleAndMoment, textAndMoment, titleAndText, titleAndPage
}
