package import Foundation

/// The effect that a rule would have had on earlier messages, as far as they were examined.
package struct RuleTrial: Hashable, Sendable {
  /// A message that matched.
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

  /// The number of examined messages.
  package var looked = 0
  package var matched = 0
  /// The numbers of matching messages that the user opened and starred.
  package var opened = 0
  package var starred = 0
  package var bySource: [SourceID: Int] = [:]
  /// The matches keyed by day number, as the caller counts days.
  package var byDay: [Int: Int] = [:]
  /// The newest matches.
  package var samples: [Sample] = []
  /// The position from which the examination continues with earlier messages, or `nil` if it is finished.
  package var rest: MessageID? = MessageID(.max)
  /// The arrival of the last examined message, or `nil` before the first one.
  package var lookedTo: Date?

  package init() {}

  /// The number of samples to keep.
  package static let mostSamples = 10
  /// The default number of days to examine.
  package static let usualDays = 30
}

/// A message from the source of the message for which a rule is proposed. Comparing the two shows which words
/// distinguish that message.
package struct RuleNeighbour: Hashable, Sendable {
  package var title: String
  package var tags: [String]

  package init(title: String, tags: [String] = []) { (self.title, self.tags) = (title, tags) }
}

/// The number of stored messages that contain a word, counted only far enough to know whether it is rare.
package struct WordCount: Hashable, Sendable {
  package var count: Int
  /// Whether the word is too frequent to be useful; the real number may be higher than `count` then.
  package var isFrequent: Bool

  package init(_ count: Int, isFrequent: Bool = false) { (self.count, self.isFrequent) = (count, isFrequent) }
}
