package import Messages

/// The response from examining a source before it was added. The first poll uses it instead of a request.
package enum FirstAnswer: Sendable {
  /// A document, which the adapter of the source reads.
  case document(Fetcher.Document)
  /// The first parts of a poll.
  case parts([PollOutcome])
}
