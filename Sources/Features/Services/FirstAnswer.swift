package import Messages

/// The response to the examination of a source, before it was followed. The first poll uses it instead of a request.
package enum FirstAnswer: Sendable {
  /// A document, which the adapter of the source reads.
  case document(Fetcher.Document)
  /// The first parts of a poll.
  case parts([PollOutcome])
}
