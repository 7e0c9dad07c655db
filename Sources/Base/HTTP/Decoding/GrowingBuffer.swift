import Basics
import Foundation

/// Bytes that arrive piece by piece, up to a limit, and become `Data` without being copied. Many of them go to a file.
final class GrowingBuffer {
  struct LimitReached: Error {}

  private let limit: Int
  private var count = 0
  private let makeFile: (() -> SpoolFile?)?
  /// Set while the bytes are in a file.
  private var file: SpoolFile?
  private var maySpool = true
  private var capacity = 0
  private var base: UnsafeMutableRawPointer?

  /// - Parameter spoolFolder: of the file for many bytes; nil: they stay in memory.
  convenience init(limit: Int, spoolFolder: String? = nil) {
    self.init(limit: limit, makeFile: spoolFolder.map { folder in { SpoolFile(in: folder) } })
  }

  init(limit: Int, makeFile: (() -> SpoolFile?)?) {
    self.limit = max(0, limit)
    self.makeFile = makeFile
  }

  deinit { free(base) }

  /// Announced sizes are hints: the system gives memory only as bytes are written.
  func reserve(_ announced: Int) {
    let useful = makeFile == nil ? limit : min(limit, Limits.spooledBytes)
    if announced > capacity { grow(to: min(announced, useful)) }
  }

  func append(_ piece: UnsafeRawBufferPointer) throws(LimitReached) {
    guard let source = piece.baseAddress, !piece.isEmpty else { return }
    guard piece.count <= limit - count else { throw LimitReached() }
    if !spool(piece) {
      makeRoom(for: piece.count)
      base?.advanced(by: count).copyMemory(from: source, byteCount: piece.count)
    }
    count += piece.count
  }

  /// - Returns: false if the piece belongs to memory.
  private func spool(_ piece: UnsafeRawBufferPointer) -> Bool {
    if file == nil, maySpool, count + piece.count > Limits.spooledBytes, let makeFile {
      maySpool = false
      guard let made = makeFile(),
        made.append(UnsafeRawBufferPointer(start: base, count: count))
      else { return false }
      file = made
      free(base)
      base = nil
      capacity = 0
    }
    guard let file else { return false }
    if file.append(piece) { return true }
    // The disk is full: memory may still be there.
    makeRoom(for: 0)
    if let base, !file.read(count, into: base) { MappingFaults.add() }
    self.file = nil
    return false
  }

  private func makeRoom(for more: Int) {
    if count + more > capacity { grow(to: min(limit, max(count + more, capacity * 2, 16_384))) }
  }

  private func grow(to size: Int) {
    guard size > capacity else { return }
    guard let grown = realloc(base, size) else { preconditionFailure("out of memory") }
    base = grown
    capacity = size
  }

  /// Returns the bytes and empties the buffer.
  /// - Returns: `spooled` if the bytes are in a file.
  func finish() -> (data: Data, spooled: SpooledBytes?) {
    defer {
      base = nil
      file = nil
      count = 0
      capacity = 0
    }
    if let file {
      if let mapped = file.mapped() { return (mapped.data, mapped) }
      // Some file systems map nothing: then the bytes need memory.
      makeRoom(for: 0)
      if let base, !file.read(count, into: base) { MappingFaults.add() }
    }
    guard let base, count > 0 else { return (Data(), nil) }
    // Unused memory is freed.
    let fitted = realloc(base, count) ?? base
    return (Data(bytesNoCopy: fitted, count: count, deallocator: .free), nil)
  }
}
