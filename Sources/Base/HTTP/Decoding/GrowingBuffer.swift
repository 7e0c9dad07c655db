import Basics
import Foundation

/// Bytes that arrive piece by piece, up to a limit, and become `Data` without being copied.
final class GrowingBuffer {
  struct LimitReached: Error {}

  private let limit: Int
  private var count = 0
  private var capacity = 0
  private var base: UnsafeMutableRawPointer?

  init(limit: Int) { self.limit = max(0, limit) }

  deinit { free(base) }

  /// Reserves memory for an announced size, up to the limit. A wrong size costs nothing, since the system provides
  /// memory only when bytes are written.
  func reserve(_ announced: Int) {
    if announced > capacity { grow(to: min(announced, limit)) }
  }

  func append(_ piece: UnsafeRawBufferPointer) throws(LimitReached) {
    guard let source = piece.baseAddress, !piece.isEmpty else { return }
    guard piece.count <= limit - count else { throw LimitReached() }
    if count + piece.count > capacity { grow(to: min(limit, max(count + piece.count, capacity * 2, 16_384))) }
    base?.advanced(by: count).copyMemory(from: source, byteCount: piece.count)
    count += piece.count
  }

  private func grow(to size: Int) {
    guard size > capacity else { return }
    guard let grown = realloc(base, size) else { preconditionFailure("out of memory") }
    base = grown
    capacity = size
  }

  /// Returns the bytes and empties the buffer.
  func finish() -> Data {
    defer {
      base = nil
      count = 0
      capacity = 0
    }
    guard let base, count > 0 else { return Data() }
    // Unused memory is freed.
    let fitted = realloc(base, count) ?? base
    return Data(bytesNoCopy: fitted, count: count, deallocator: .free)
  }
}
