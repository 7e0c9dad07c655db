/// Every limit on what comes from outside, as a named value with its reason.
///
/// Sizes are bytes unless a name says otherwise.
package enum Limits {
  /// The largest body of one answer, before as well as after decompression. Feeds of 100,000 items have about 45 MB.
  package static let responseBytes = 64 << 20

  // MARK: What is stored of one message

  /// Characters of a title; longer ones are cut where they are taken in. Every snapshot of the list loads titles.
  package static let titleCharacters = 1000
  /// Bytes of a body as text, and of its HTML.
  package static let bodyBytes = 1 << 20
}
