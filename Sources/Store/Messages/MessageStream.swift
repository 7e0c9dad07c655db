package import Basics

/// The messages of a large poll, created while earlier ones are stored. Used by one thread.
package protocol MessageStream: AnyObject, Sendable {
  /// Waits for the next messages, in the order of delivery: of two with the same time, the later one is listed first.
  ///
  /// - Returns: `nil` at the end.
  func next() throws(MessageStreamFailure) -> [IncomingMessage]?

  /// Starts again: the first messages are created again, and `next` returns them.
  func restart() throws(MessageStreamFailure)

  /// The problems of the part read so far, in addition to those of the content.
  var problems: [FormatProblem] { get }

  /// Ends the work; after it `next` throws `ended`. It may be called at any time, from any thread.
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
  /// The work was ended: its result must not be kept.
  case ended
}
