package import Basics

/// The messages of a large poll, made while those before them are stored. Read by one thread.
package protocol MessageStream: AnyObject, Sendable {
  /// Waits for the next messages, in the order of delivery: of two with the same time the later one is above.
  ///
  /// - Returns: nil at the end.
  func next() throws(MessageStreamFailure) -> [IncomingMessage]?

  /// Begins again with the first messages, which are made once more.
  func restart() throws(MessageStreamFailure)

  /// Problems of what was read so far, behind those that the content has.
  var problems: [FormatProblem] { get }

  /// Ends the work; from then on `next` throws `ended`. May be called at any time, from any thread.
  func end()

  /// The same poll with all messages at once, for a document that cannot be read in parts.
  func whole() throws(MessageStreamFailure) -> PollOutcome
}

package enum MessageStreamFailure: Error, Hashable, Sendable {
  /// What was read must be forgotten: only all messages together tell which they are. They are read from the beginning, and
  /// matched before the first one is stored.
  case needsSurvey
  /// What was read must be forgotten: the document can only be read as a whole.
  case needsWhole
  /// The work was ended: nothing of it is to be kept.
  case ended
}
