/// Every limit on what comes from outside, as a named value with its reason.
///
/// Sizes are bytes unless a name says otherwise.
package enum Limits {
  /// The largest body of one answer, before as well as after decompression. Feeds of 100,000 items have about 45 MB.
  package static let responseBytes = 64 << 20

  // MARK: Bodies that come compressed

  /// Codings laid one over another (RFC 9110 section 8.4). A second one is a server's mistake that was seen; each costs
  /// a window of memory.
  package static let contentCodings = 2
  /// What a body may become however little came of it.
  package static let expansionFloor = 8 << 20
  /// How many bytes one byte that came may become beyond that. Feeds compress to a tenth, the most uniform to a
  /// hundredth; bombs to a thousandth and less.
  package static let expansionFactor = 128
  /// The window of zstd as a power of two: 8 MiB, which a content coding has at most (RFC 9659).
  package static let zstdWindowLog: Int32 = 23
  /// What a decoder gives at a time: limits and cancellation are looked at in between.
  package static let decodedPiece = 64 << 10

  // MARK: What is stored of one message

  /// Characters of a title; longer ones are cut where they are taken in. Every snapshot of the list loads titles.
  package static let titleCharacters = 1000
  /// Bytes of a body as text, and of its HTML.
  package static let bodyBytes = 1 << 20
}
