import Basics
package import Foundation

/// Reads files of any kind, with limits of size and time: a pipe without a writer, a device without an end or a file of
/// many gigabytes is only an error.
package enum BoundedFile {
  /// The reason why a file cannot be read.
  package enum Failure: Error, Hashable {
    case missing
    case system(errno: Int32)
    case tooLarge(limit: Int)
    /// A pipe or a device did not end within this time.
    case tooSlow(Duration)

    /// The reason, as the predicate of a sentence whose subject is the file's name.
    package var reason: String {
      switch self {
      case .missing: "cannot be read: \(SystemReason.words(errno: ENOENT))"
      case .system(let code): "cannot be read: \(SystemReason.words(errno: code))"
      case .tooLarge(let limit):
        "is larger than \(limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"), which it may have"
      case .tooSlow(let time):
        "did not end within \(Int((time / .seconds(1)).rounded(.up))) s: it is a pipe or a device that no program closes"
      }
    }
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - time: the timeout for a file that isn't regular.
  ///   - uptime: a function that returns the time since any origin, which never goes back.
  package static func read(
    _ path: String, limit: Int, within time: Duration = Limits.fileTime,
    uptime: () -> Duration = { ContinuousClock.now - Self.origin }
  ) throws(Failure) -> Data {
    // Opening a pipe would block until it has a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .system(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno: errno) }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if isRegular, Int(status.st_size) > limit { throw .tooLarge(limit: limit) }
    let end = uptime() + time
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      // A pipe without a writer would look like an empty file.
      if !isRegular, !hasInput(descriptor, for: end - uptime()) { throw .tooSlow(time) }
      let count = piece.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      guard count > 0 else {
        if errno == EINTR || errno == EAGAIN { continue }
        throw .system(errno: errno)
      }
      guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
      bytes += piece[..<count]
    }
  }

  private static let origin = ContinuousClock.now

  /// - Returns: `false` if no input arrived in this time.
  private static func hasInput(_ descriptor: Int32, for time: Duration) -> Bool {
    time > .zero && Descriptors.readable([descriptor], within: time) != []
  }
}
