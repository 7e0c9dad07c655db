package import Basics

/// The messages of a large poll, created while earlier ones are stored. Used by one thread.
package protocol MessageStream: AnyObject, Sendable {
  /// Waits for the next messages, in the order of delivery: of two with the same time, the later one is listed first.
  ///
  /// - Returns: `nil` at the end.
  func next() throws(MessageStreamFailure) -> [IncomingMessage]?

  /// Begins again: `next` then returns the messages from the first one on.
  func restart() throws(MessageStreamFailure)

  /// The problems of the part read so far, in addition to those in `PollContent.problems`.
  var problems: [FormatProblem] { get }

  /// Ends the creation of messages; `next` throws `ended` from then on. It may be called at any time, from
  /// any thread.
  func end()

  /// Returns the same poll with all messages together, for a document that cannot be read in parts.
  func whole() throws(MessageStreamFailure) -> PollOutcome
}

package enum MessageStreamFailure: Error, Hashable, Sendable {
  /// The messages so far must be discarded, since they can only be identified when all messages are known. They are
  /// read again from the beginning, and matched with stored ones before the first is stored.
  case needsSurvey
  /// The messages so far must be discarded: the document can only be read as a whole.
  case needsWhole
  /// `end` was called: the messages so far must not be kept.
  case ended
}
