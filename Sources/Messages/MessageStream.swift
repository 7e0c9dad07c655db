/// The messages of a large poll, made while those before them are stored. Taken once, by one thread.
package protocol MessageStream: AnyObject, Sendable {
  /// Waits for the next messages, in the order of delivery: of two with the same time the later one is above.
  ///
  /// - Returns: nil at the end.
  func next() throws(MessageStreamFailure) -> [IncomingMessage]?

  /// Adds what only the end tells, once all messages were taken: problems behind those that the content has, and whatever
  /// of the rest isn't in it yet.
  func complete(_ content: inout PollContent)

  /// Ends the work; from then on `next` throws `ended`. May be called at any time, from any thread.
  func end()

  /// The same poll with all messages at once, for a stream that has to be taken back.
  func whole() throws(MessageStreamFailure) -> PollOutcome
}

package enum MessageStreamFailure: Error, Hashable, Sendable {
  /// What was taken must be forgotten: only the whole tells which messages these are.
  case needsWhole
  /// The work was ended: nothing of it is to be kept.
  case ended
}
