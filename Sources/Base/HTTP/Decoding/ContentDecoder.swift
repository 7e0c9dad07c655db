import Basics
package import Foundation

/// Undoes one content coding while the bytes arrive. It never receives an empty piece, and is used by one thread at a
/// time.
protocol CodingDecoder: AnyObject {
  typealias Failure = ContentDecoder.Failure
  /// Receives decoded bytes, at most `Limits.decodedPiece` at a time.
  typealias Sink = (UnsafeRawBufferPointer) throws(ContentDecoder.Failure) -> Void

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure)

  /// Ends the decoding after all bytes have arrived. Throws `cutOff` if the coded data is incomplete, or its checksum
  /// is wrong.
  func finish(to sink: Sink) throws(Failure)
}

/// Undoes `Content-Encoding` (RFC 9110 section 8.4) while the body arrives: only decoded bytes are kept. A compressed
/// file without a header is unpacked too: see ``SniffedEncoding``.
///
/// Limits and cancellation are checked for every decoded piece.
package final class ContentDecoder {
  package enum Failure: Error, Hashable {
    case cutOff
    case damaged
    case limitReached
    /// There are too many decoded bytes for the number of received ones, as in a decompression bomb.
    case expandsTooFar
    case tooManyCodings(Int)
    case unknown(String)
    case cancelled
  }

  /// The value of `Accept-Encoding`.
  static let accepted = "zstd, br, gzip"

  private let limit: Int
  private let output: GrowingBuffer
  /// The decoders in the order in which they run: the coding that was applied last is undone first.
  private var decoders: [any CodingDecoder] = []
  /// The number of bytes that each decoder has produced.
  private var made: [Int] = []
  /// The reason why the codings cannot be undone. An empty body isn't compressed, whatever its header says.
  private var refusal: Failure?
  /// The number of bytes received.
  package private(set) var received = 0
  private var isStopped: () -> Bool = { false }

  /// Codings that exist, but that the request did not accept. A value that is no coding at all, for example `UTF-8`, is
  /// an error of the server's settings: the body is read unchanged.
  private static let refused: Set = [
    "compress", "x-compress", "exi", "pack200-gzip", "aes128gcm", "dcb", "dcz", "lzma", "xz", "x-xz", "bzip2",
    "x-bzip2", "lz4", "snappy",
  ]

  /// - Parameters:
  ///   - codings: the codings in the order in which they were applied.
  ///   - limit: the maximum number of bytes of the body, both before and after decompression.
  ///   - announced: the `Content-Length`, or 0 if it is missing.
  package init(codings: [String], limit: Int, announced: Int = 0) {
    self.limit = limit
    output = GrowingBuffer(limit: limit)
    let known = ["gzip", "x-gzip", "deflate", "br", "zstd"]
    let codings = codings.map { $0.lowercased() }.filter { known.contains($0) || Self.refused.contains($0) }
    guard codings.count <= Limits.contentCodings else {
      refusal = .tooManyCodings(codings.count)
      return
    }
    for coding in codings.reversed() {
      switch coding {
      case "gzip", "x-gzip": decoders.append(ZlibDecoder(.gzip))
      case "deflate": decoders.append(ZlibDecoder(.deflate))
      case "br": decoders.append(BrotliDecoder())
      case "zstd": decoders.append(ZstdDecoder())
      default: refusal = .unknown(coding)
      }
    }
    decoders.append(SniffedEncoding())
    made = decoders.map { _ in 0 }
    if codings.isEmpty { output.reserve(announced) }
  }

  /// Decodes the next bytes of the body.
  ///
  /// - Parameter isStopped: returns whether the body is no longer wanted.
  package func append(_ piece: UnsafeRawBufferPointer, isStopped: () -> Bool = { false }) throws(Failure) {
    guard !piece.isEmpty else { return }
    if let refusal { throw refusal }
    received += piece.count
    try withoutActuallyEscaping(isStopped) { (isStopped) throws(Failure) in
      self.isStopped = isStopped
      defer { self.isStopped = { false } }
      try pass(piece, to: 0, of: received)
    }
  }

  /// Ends the decoding after all bytes have arrived; nothing may be appended afterwards.
  ///
  /// - Returns: `false` if coded data is incomplete, or its checksum is wrong.
  package func finish() throws(Failure) -> Bool {
    var isWhole = true
    for index in decoders.indices where index == 0 ? received > 0 : made[index - 1] > 0 {
      do throws(Failure) {
        try decoders[index].finish { (piece) throws(Failure) in try self.pass(piece, from: index) }
      } catch {
        guard error == .cutOff else { throw error }
        isWhole = false
      }
    }
    return isWhole
  }

  /// Returns the decoded bytes: after `finish()` the whole body, after a failure the part before it, up to the limit.
  package func decoded() -> Data { output.finish() }

  /// Passes bytes to a decoder, or to the output after the last one, up to the limit.
  ///
  /// - Parameter total: the number of bytes that the decoder at `index` has received so far, including this piece.
  private func pass(_ piece: UnsafeRawBufferPointer, to index: Int, of total: Int) throws(Failure) {
    guard total <= limit else {
      let fitting = piece.dropLast(total - limit)
      if !fitting.isEmpty { try pass(UnsafeRawBufferPointer(rebasing: fitting), to: index, of: limit) }
      throw .limitReached
    }
    guard index < decoders.count else {
      do throws(GrowingBuffer.LimitReached) { try output.append(piece) } catch { throw .limitReached }
      return
    }
    try decoders[index].decode(piece) { (piece) throws(Failure) in try self.pass(piece, from: index) }
  }

  /// Passes the bytes that a decoder has produced to the next one, unless they are too many.
  private func pass(_ piece: UnsafeRawBufferPointer, from index: Int) throws(Failure) {
    guard !piece.isEmpty else { return }
    if isStopped() { throw .cancelled }
    made[index] += piece.count
    guard made[index] <= Limits.expansionFloor + received * Limits.expansionFactor else {
      throw .expandsTooFar
    }
    try pass(piece, to: index + 1, of: made[index])
  }
}

extension RequestFailure {
  package init(_ failure: ContentDecoder.Failure, limit: Int, received: Int) {
    self =
      switch failure {
      case .cutOff: .cutOff(received: received)
      case .damaged: .malformed(reason: "its compression is damaged")
      case .limitReached: .tooLarge(limit: limit)
      case .expandsTooFar:
        .malformed(reason: "it decompresses to more than \(Limits.expansionFactor) times its size")
      case .tooManyCodings(let count):
        .malformed(reason: "it is compressed \(count) times; \(Limits.contentCodings) are allowed")
      case .unknown(let coding):
        .malformed(reason: "it is compressed as \(coding.prefix(40)), which the request did not accept")
      case .cancelled: .cancelled
      }
  }
}
