import Basics
import Glibc

/// Holds standard error while the screen is ours. If it is the same terminal, messages of libraries and the Swift
/// runtime would appear on the screen and be lost with it. They are printed afterwards.
extension Restoration {

  static func holdStandardError() {
    guard plan.pointee.heldErrors < 0, isatty(STDERR_FILENO) == 1 else { return }
    let held = anonymousFile()
    guard held >= 0 else { return }
    let real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    guard real >= 0, dup2(held, STDERR_FILENO) >= 0 else {
      close(held)
      if real >= 0 { close(real) }
      return
    }
    plan.pointee.standardError = real
    plan.pointee.heldErrors = held
  }

  /// Releases standard error; safe in a signal handler.
  static func releaseStandardError() {
    let (real, held) = (plan.pointee.standardError, plan.pointee.heldErrors)
    guard held >= 0 else { return }
    plan.pointee.heldErrors = -1
    plan.pointee.standardError = -1
    dup2(real, STDERR_FILENO)
    var place = max(0, lseek(held, 0, SEEK_END) - off_t(Limits.heldErrorBytes))
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
      guard let bytes = buffer.baseAddress else { return }
      while true {
        let count = pread(held, bytes, 512, place)
        guard count > 0 else { return }
        write(bytes, count, to: real)
        place += off_t(count)
      }
    }
    close(held)
    close(real)
  }

  /// Returns a file without a name, or -1 if it cannot be made: standard error then stays unchanged.
  private static func anonymousFile() -> Int32 {
    var path = Array("/tmp/reddot.XXXXXX".utf8CString)
    let file = mkstemp(&path)
    if file >= 0 {
      unlink(path)
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    }
    return file
  }
}
