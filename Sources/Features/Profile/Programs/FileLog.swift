import Basics
package import Foundation
package import Logging
import Platform
import Screen
import Synchronization

/// The log file: one line for each event, sanitized as for a terminal. A new file begins at a maximum size.
///
/// Nothing is logged to the terminal, which shows the inbox. Several processes may write to one log.
package final class FileLog: Sendable {
  private struct State {
    var handle: FileHandle?
    var isFailureTold = false
  }

  private let path: String
  private let limit: Int
  private let now: @Sendable () -> Date
  private let onFailure: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the number of bytes after which the file is renamed to `….old` and a new one begins.
  ///   - onFailure: called once, with a sentence, if the log cannot be written; the program continues.
  package init(
    path: String, limit: Int = Limits.logBytes, now: @escaping @Sendable () -> Date,
    onFailure: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.path = path
    self.limit = limit
    self.now = now
    self.onFailure = onFailure
  }

  /// Returns a logger that writes to this file. The file is created at the first line.
  package func logger(label: String) -> Logger {
    Logger(label: label) { _ in FileLogHandler(log: self) }
  }

  fileprivate func write(_ level: Logger.Level, _ text: String) {
    // Line ends are replaced too, since an event is one line.
    let line = text.prefix(Limits.logLineCharacters).unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }
    let shown = SafeText(untrusted: String(String.UnicodeScalarView(line))).text
    let bytes = Data("\(ISOInstant.text(now())) \(level) \(shown)\n".utf8)
    let failure: String? = state.withLock { state in
      do {
        try append(bytes, &state.handle)
        return nil
      } catch {
        // The next line makes another attempt.
        state.handle = nil
        if state.isFailureTold { return nil }
        state.isFailureTold = true
        return "\(path) cannot be written: \(SystemReason.words(error))"
      }
    }
    if let failure { onFailure(failure) }
  }

  private func append(_ line: Data, _ handle: inout FileHandle?) throws {
    // Another process may have begun a new file, or the file was deleted.
    if let open = handle, !isCurrent(open) { handle = nil }
    var current = try handle ?? open()
    // An empty file accepts a line of any length.
    let size = size(of: current)
    if size > 0, size + line.count > limit {
      try beginAnew(current)
      current = try open()
    }
    try current.write(contentsOf: line)
    handle = current
  }

  private func open() throws -> FileHandle {
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // Each write goes to the end, so that lines of several processes are not mixed. Opening a FIFO would wait for a
    // reader.
    let descriptor = Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Renames the file, so that a new one begins. If several processes find the file too long, only one renames it.
  private func beginAnew(_ handle: FileHandle) throws {
    guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    defer { flock(handle.fileDescriptor, LOCK_UN) }
    guard isCurrent(handle) else { return }
    guard rename(path, "\(path).old") == 0 else {
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
  }

  /// Whether the path still names the file that the handle has open.
  private func isCurrent(_ handle: FileHandle) -> Bool {
    var ours = stat()
    var named = stat()
    return fstat(handle.fileDescriptor, &ours) == 0 && stat(path, &named) == 0
      && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev
  }

  private func size(of handle: FileHandle) -> Int {
    var status = stat()
    return fstat(handle.fileDescriptor, &status) == 0 ? Int(status.st_size) : 0
  }
}

private struct FileLogHandler: LogHandler {
  let log: FileLog
  var logLevel: Logger.Level = .info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let extra = metadata.merging(event.metadata ?? [:]) { $1 }
    let words = extra.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    log.write(event.level, "\(event.message)\(words)")
  }
}
