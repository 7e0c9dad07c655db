import Basics
import Foundation
import Synchronization

/// A lock that works between processes, and between several holders in one process: an empty file that is
/// never deleted.
///
/// The lock belongs to the descriptor that locked it (flock(2)) and ends with the process, however the
/// process ends.
final class LockFile: Sendable {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DatabaseFile.failureToOpen(path, errno: errno) }
  }

  /// Releases the lock if it is held.
  func close() { _ = Foundation.close(descriptor) }

  /// Waits for the exclusive lock, and writes this process's id into the file.
  ///
  /// - Returns: `false` if another holder still has it after this many seconds.
  func lock(within seconds: Double) throws -> Bool {
    // This is the real clock: another process does not follow a test's clock, and flock(2) waits without a limit or not
    // at all.
    let end = ContinuousClock.now + .seconds(seconds)
    while try !attempt(LOCK_EX) {
      if ContinuousClock.now > end { return false }
      usleep(10_000)
    }
    let text = Array("\(getpid())\n".utf8)
    // The lock is held even if the file cannot be written.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    return true
  }

  /// The id of the process that last took the lock by waiting (`lock`), or `nil` if it is unknown.
  var holder: Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(
      String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Another process that holds it, shared or exclusively (proc(5), locks), or `nil` if the system doesn't list one.
  var otherHolder: Int32? {
    var file = stat()
    guard fstat(descriptor, &file) == 0,
      let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
    else { return nil }
    // A line has the form "1: FLOCK  ADVISORY  READ 1234 fe:00:5678 0 EOF".
    for line in locks.split(onBytes: "\n") {
      let words = line.split(onBytes: " ")
      guard words.count > 5, words[1] == "FLOCK", words[5].hasSuffix(":\(file.st_ino)"),
        let process = Int32(words[4]), process != getpid()
      else { continue }
      return process
    }
    return nil
  }

  /// Takes the lock, or returns `false` if another holder has it.
  func tryLock() throws -> Bool {
    while try !attempt(LOCK_EX) {
      // Waiters hold it shared for an instant when they wake up; they do not count.
      guard try attempt(LOCK_SH) else { return false }
      _ = flock(descriptor, LOCK_UN)
      sched_yield()
    }
    return true
  }

  /// Locks it shared, or returns `false` if another holder has it exclusively.
  func tryShared() throws -> Bool { try attempt(LOCK_SH) }

  private func attempt(_ operation: Int32) throws -> Bool {
    if flock(descriptor, operation | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK || errno == EINTR { return false }
    throw failure()
  }

  /// Blocks the thread until the lock is free. Any number of threads may wait and continue together.
  func waitUntilFree() throws { try wait(LOCK_SH) }

  private func wait(_ operation: Int32) throws {
    while flock(descriptor, operation) != 0 {
      guard errno == EINTR else { throw failure() }
    }
  }

  private func failure() -> StoreFailure {
    .inputOutput(path: path, reason: String(cString: strerror(errno)))
  }
}

/// The right to use a database file, which any number of processes have together, or one process that
/// replaces the file. It ends when it is released or deallocated.
final class UseLock: Sendable {
  private let file: LockFile
  private let isReleased = Atomic(false)

  /// Creates a lock that any number of processes can hold to use a file, or returns `nil` while a process replaces the
  /// file.
  init?(sharing path: String) throws {
    file = try LockFile(path: path)
    guard try file.tryShared() else { return nil }
  }

  /// Creates a lock that only one process can hold, to replace a file, or returns `nil` if others use the file for
  /// longer than this number of seconds.
  init?(alone path: String, within seconds: Double) throws {
    file = try LockFile(path: path)
    guard try file.lock(within: seconds) else { return nil }
  }

  func release() {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    file.close()
  }

  deinit { release() }
}
