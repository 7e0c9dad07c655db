package import Foundation

/// Takes the bytes of one large document while they arrive, so that they need no memory: a file without a name, which is
/// gone as soon as nothing uses it. Used by one thread at a time.
final class SpoolFile {
  let descriptor: Int32
  /// Bytes that the file may have.
  private let room: Int
  private(set) var count = 0

  /// - Parameters:
  ///   - folder: on the disk of the user's own data, since the bytes are as private as those.
  ///   - room: bytes that the file may have; tests make it as full as a disk.
  /// - Returns: nil if no file can be made there.
  init?(in folder: String, room: Int = .max) {
    self.room = room
    let path = "\(folder)/.reddot-\(UUID().uuidString)"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// - Returns: false if not all could be written, as on a full disk; `count` is what was written.
  func append(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard piece.count <= room - count else { return false }
    var rest = piece[...]
    while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
      let written = write(descriptor, start, rest.count)
      guard written > 0 else {
        if written < 0, errno == EINTR { continue }
        return false
      }
      count += written
      rest = rest.dropFirst(written)
    }
    return true
  }

  /// The bytes so far; nil if there are none, or they can't be mapped.
  func mapped() -> SpooledBytes? { SpooledBytes(descriptor, count) }

  /// Reads the first bytes into memory, where they can't be mapped.
  ///
  /// - Returns: false if the disk fails.
  func read(_ count: Int, into target: UnsafeMutableRawPointer) -> Bool {
    var done = 0
    while done < count {
      let part = pread(descriptor, target + done, count - done, off_t(done))
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { return false }
      done += part
    }
    return true
  }
}

/// The bytes of a file without a name. In memory are only those that were read since the last `release()`.
package final class SpooledBytes: Sendable {
  /// Never written to.
  nonisolated(unsafe) private let start: UnsafeMutableRawPointer
  private let count: Int

  fileprivate init?(_ descriptor: Int32, _ count: Int) {
    guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { return nil }
    self.start = start
    self.count = count
    MappingFaults.watch(start, count)
  }

  deinit {
    MappingFaults.forget(start)
    munmap(start, count)
  }

  /// How many pages of any file could not be read so far: a reader whose file failed finds more than before, and zeros.
  package static var faults: Int { MappingFaults.count }

  /// Valid for as long as it's kept, whatever happens to this object.
  package var data: Data {
    Data(
      bytesNoCopy: start, count: count, deallocator: .custom { [self] _, _ in withExtendedLifetime(self) {} })
  }

  /// Gives the memory back; what is read after this comes from the file again. From any thread, also while others read.
  package func release() { madvise(start, count, MADV_DONTNEED) }
}

extension SpooledBytes: Hashable {
  package static func == (one: SpooledBytes, other: SpooledBytes) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
