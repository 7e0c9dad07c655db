package import Messages

/// The response that was received when a source was examined before it was added. The source's first poll uses it
/// instead of sending a request.
package enum FirstAnswer: Sendable {
  /// A document, which the adapter of the source reads.
  case document(Fetcher.Document)
  /// The first parts of a poll.
  case parts([PollOutcome])
}
