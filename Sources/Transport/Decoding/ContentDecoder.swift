import Foundation
import Limits

/// Undoes one content coding while the bytes arrive. It never gets an empty piece. Used by one thread at a time.
protocol CodingDecoder: AnyObject {
  typealias Failure = ContentDecoder.Failure
  /// Takes decoded bytes, at most `Limits.decodedPiece` at a time.
  typealias Sink = (UnsafeRawBufferPointer) throws(ContentDecoder.Failure) -> Void

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure)

  /// All bytes have arrived. Throws `cutOff` if the coded data is incomplete.
  func finish(to sink: Sink) throws(Failure)
}

/// Undoes `Content-Encoding` (RFC 9110 section 8.4) while the body arrives: only decoded bytes are kept.
///
/// Cancellation and limits are checked for every decoded piece.
final class ContentDecoder {
  enum Failure: Error, Hashable {
    case cutOff
    case damaged
    case limitReached
    /// The decoded bytes are too many for the received ones.
    case expandsTooFar
    case tooManyCodings(Int)
    case unknown(String)
    case cancelled
  }

  /// The value of `Accept-Encoding`.
  static let accepted = "zstd, br, gzip"

  private let limit: Int
  private let output: GrowingBuffer
  /// In the order in which they are undone: the last that was applied first.
  private var decoders: [any CodingDecoder] = []
  /// Bytes that each has produced.
  private var made: [Int] = []
  /// Why the codings cannot be undone. An empty body isn't compressed whatever its header says.
  private var refusal: Failure?
  /// Bytes received.
  private(set) var received = 0
  /// After `finish()`: set if the body is in a file.
  private(set) var spooled: SpooledBytes?

  /// - Parameters:
  ///   - codings: in the order in which they were applied.
  ///   - limit: bytes of body, both before and after decompression.
  ///   - announced: the `Content-Length`, else 0.
  ///   - spoolFolder: of the file for a large body; nil: it stays in memory.
  init(codings: [String], limit: Int, announced: Int = 0, spoolFolder: String? = nil) {
    self.limit = limit
    output = GrowingBuffer(limit: limit, spoolFolder: spoolFolder)
    let codings = codings.map { $0.lowercased() }.filter { $0 != "identity" }
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
    made = decoders.map { _ in 0 }
    if decoders.isEmpty { output.reserve(announced) }
  }

  func append(_ piece: UnsafeRawBufferPointer) throws(Failure) {
    guard !piece.isEmpty else { return }
    if let refusal { throw refusal }
    received += piece.count
    try pass(piece, to: 0, of: received)
  }

  /// The body without its codings; nothing may be appended afterwards.
  func finish() throws(Failure) -> Data {
    for index in decoders.indices where index == 0 ? received > 0 : made[index - 1] > 0 {
      try decoders[index].finish { (piece) throws(Failure) in try self.take(piece, from: index) }
    }
    let (data, spooled) = output.take()
    self.spooled = spooled
    return data
  }

  /// What was decoded so far, of a body that did not come to its end: after `limitReached` as much as the limit allows.
  func takeDecoded() -> Data { output.take().data }

  /// - Parameter total: how many bytes came to this place so far, those of the piece included.
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
    try decoders[index].decode(piece) { (piece) throws(Failure) in try self.take(piece, from: index) }
  }

  private func take(_ piece: UnsafeRawBufferPointer, from index: Int) throws(Failure) {
    guard !piece.isEmpty else { return }
    if Task.isCancelled { throw .cancelled }
    made[index] += piece.count
    guard made[index] <= Limits.expansionFloor + received * Limits.expansionFactor else {
      throw .expandsTooFar
    }
    try pass(piece, to: index + 1, of: made[index])
  }
}
