package import Foundation

/// What a rule would have done with messages that came before, as far as they were looked at.
package struct RuleTrial: Hashable, Sendable {
  /// One of the messages that matched.
  package struct Sample: Hashable, Sendable {
    package var id: MessageID
    package var source: SourceID
    package var title: String
    /// The time that lists show.
    package var time: Date

    package init(id: MessageID, source: SourceID, title: String, time: Date) {
      (self.id, self.source, self.title, self.time) = (id, source, title, time)
    }
  }

  /// How many messages were looked at.
  package var looked = 0
  package var matched = 0
  /// Of those that matched: what the user did with them.
  package var opened = 0
  package var starred = 0
  package var bySource: [SourceID: Int] = [:]
  /// By day number, as the caller counts days.
  package var byDay: [Int: Int] = [:]
  /// The newest of those that matched.
  package var samples: [Sample] = []
  /// The messages before this one were not looked at yet; nil once it is finished.
  package var rest: MessageID? = MessageID(.max)
  /// When the message arrived that was looked at last; nil before the first one.
  package var lookedTo: Date?

  package init() {}

  /// How many samples are kept.
  package static let mostSamples = 10
  /// How many days it looks back where nothing else is said.
  package static let usualDays = 30
}

/// What is known of the other messages of a source: it tells which words set one of them apart.
package struct RuleNeighbour: Hashable, Sendable {
  package var title: String
  package var tags: [String]

  package init(title: String, tags: [String] = []) { (self.title, self.tags) = (title, tags) }
}

/// How many stored messages have a word, counted as far as says whether it is rare.
package struct WordCount: Hashable, Sendable {
  package var count: Int
  /// Whether so many have it that it says little; `count` may be higher then.
  package var isFrequent: Bool

  package init(_ count: Int, isFrequent: Bool = false) { (self.count, self.isFrequent) = (count, isFrequent) }
}
