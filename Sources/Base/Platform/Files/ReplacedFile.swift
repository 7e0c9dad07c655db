import Basics
package import Foundation

/// A user's file that reddot edits: read completely, and replaced by a rename, so that a crash leaves
/// the old file or the new one. Owner, group, mode and symbolic links are kept.
package struct ReplacedFile {
  /// The reason why the file could not be read or replaced.
  package struct Failure: Error {
    package var reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ what: String, errno code: Int32) { self.init("\(what): \(SystemReason.words(errno: code))") }
  }

  package let path: String

  package init(path: String) { self.path = path }

  /// Returns the content, or `nil` if the file does not exist.
  package func bytes() throws(Failure) -> Data? { try Self.bytes(of: path) }

  /// Changes the file while no other reddot process does. If another program writes it meanwhile, `change` is called
  /// again with the new content.
  ///
  /// - Parameter change: receives `nil` if the file does not exist; returning `nil` leaves the file unchanged.
  package func edit(_ change: (Data?) throws -> Data?) throws {
    let target = try Self.target(of: path)
    let directory = (target as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure("cannot be written: \(SystemReason.words(error))")
    }
    var status = stat()
    // This is checked before the file is read, since a pipe may have no end.
    guard stat(target, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      if status.st_mode & S_IFMT == S_IFDIR { throw Failure("cannot be written", errno: EISDIR) }
      throw Failure("is not a regular file; edit it yourself")
    }
    let lock = try DirectoryLock(directory)
    defer { lock.release() }
    for _ in 0..<Limits.fileEditAttempts {
      let before = try Self.bytes(of: target)
      guard let after = try change(before) else { return }
      if try replace(target, in: directory, before, by: after, isLocked: lock.isHeld) { return }
    }
    throw Failure("is being written by another program; try again when that is done")
  }

  /// Returns the absolute path of the folder that contains a file.
  package static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// Returns the path to which the symbolic links of a path lead. No file needs to exist there.
  static func target(of path: String) throws(Failure) -> String {
    var path = URL(fileURLWithPath: path).path
    for _ in 0..<Limits.symbolicLinks {
      let destination: String
      do {
        destination = try FileManager.default.destinationOfSymbolicLink(atPath: path)
      } catch {
        return path
      }
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
      path = URL(fileURLWithPath: destination, relativeTo: directory).path
    }
    throw Failure("cannot be read", errno: ELOOP)
  }

  private static func bytes(of path: String) throws(Failure) -> Data? {
    do throws(BoundedFile.Failure) {
      return try BoundedFile.read(path, limit: Limits.editedFileBytes)
    } catch .missing {
      return nil
    } catch {
      throw Failure(error.reason)
    }
  }

  /// Writes the new content to a separate file, and renames that to the target.
  ///
  /// - Returns: `false` if the file has changed meanwhile.
  private func replace(
    _ target: String, in directory: String, _ before: Data?, by after: Data, isLocked: Bool
  ) throws(Failure) -> Bool {
    var old = stat()
    let exists = before != nil && stat(target, &old) == 0
    if exists {
      guard old.st_mode & S_IFMT == S_IFREG else { throw Failure("is not a regular file; edit it yourself") }
      guard access(target, W_OK) == 0 else { throw Failure("cannot be written", errno: errno) }
    }
    let name = (target as NSString).lastPathComponent
    // Under the lock, no other process uses the name: an existing file is left from a process that was killed.
    let new = "\(directory)/.\(name).reddot-new" + (isLocked ? "" : "-\(getpid())")
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure("cannot be written", errno: errno) }
    var isRenamed = false
    defer {
      close(descriptor)
      if !isRenamed { unlink(new) }
    }
    if exists { try copyOwnerAndMode(of: old, to: descriptor) }
    try Self.write(after, to: descriptor)
    guard fsync(descriptor) == 0 else { throw Failure("cannot be written", errno: errno) }
    guard try Self.bytes(of: target) == before else { return false }
    guard rename(new, target) == 0 else { throw Failure("cannot be written", errno: errno) }
    isRenamed = true
    return true
  }

  private func copyOwnerAndMode(of old: stat, to descriptor: Int32) throws(Failure) {
    var new = stat()
    fstat(descriptor, &new)
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid,
      fchown(descriptor, old.st_uid, old.st_gid) != 0
    {
      throw Failure("belongs to another user or group, which only the owner can preserve; edit it yourself")
    }
    guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else {
      throw Failure("cannot be written", errno: errno)
    }
  }

  private static func write(_ bytes: Data, to descriptor: Int32) throws(Failure) {
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: bytes)
    } catch {
      throw Failure("cannot be written: \(SystemReason.words(error))")
    }
  }
}

/// Prevents other reddot processes from changing the files of a directory. The system releases the lock when the
/// process exits, and no lock file is needed.
private struct DirectoryLock {
  private let descriptor: Int32
  /// Whether the lock is held. File systems without locks are protected only by the comparison before the rename.
  let isHeld: Bool

  init(_ directory: String) throws(ReplacedFile.Failure) {
    descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReplacedFile.Failure("cannot be written", errno: errno) }
    var waits = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        isHeld = false
        return
      }
      guard waits < Limits.fileLockWaits else {
        close(descriptor)
        throw ReplacedFile.Failure(
          "is being changed by another reddot, which does not finish; try again later")
      }
      waits += 1
      // This is real time, since flock(2) waits either without a limit or not at all.
      usleep(10_000)
    }
    isHeld = true
  }

  func release() { close(descriptor) }
}
