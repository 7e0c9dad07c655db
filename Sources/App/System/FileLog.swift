package import Foundation
package import Logging
import Synchronization

/// The log file: one line an event, control characters made visible, begun anew past a size.
///
/// The screen belongs to the inbox, so nothing is logged to the terminal.
package final class FileLog: Sendable {
  private let path: String
  private let limit: Int
  private let now: @Sendable () -> Date
  private let lock = Mutex<FileHandle?>(nil)

  /// - Parameter limit: bytes after which the file is renamed to `….old` and begun anew.
  package init(path: String, limit: Int = 1 << 20, now: @escaping @Sendable () -> Date) {
    self.path = path
    self.limit = limit
    self.now = now
  }

  /// A logger that writes here. The file is made at the first line.
  package func logger(label: String) -> Logger {
    Logger(label: label) { _ in FileLogHandler(log: self) }
  }

  fileprivate func write(_ level: Logger.Level, _ text: String) {
    // Line ends become visible as well: an event is one line.
    let visible = SafeOutput.line(
      String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? "\u{FFFD}" : $0 })))
    let line = "\(Timestamp.utc(now())) \(level) \(visible)\n"
    lock.withLock { handle in
      do {
        if handle == nil { handle = try open() }
        try handle?.write(contentsOf: Data(line.utf8))
      } catch {
        // A log that cannot be written must not stop the program, and there is nowhere to say it.
        handle = nil
      }
    }
  }

  private func open() throws -> FileHandle {
    let manager = FileManager.default
    let url = URL(fileURLWithPath: path)
    try manager.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    if let size = try? manager.attributesOfItem(atPath: path)[.size] as? NSNumber, size.intValue > limit {
      _ = try? manager.removeItem(atPath: "\(path).old")
      try manager.moveItem(atPath: path, toPath: "\(path).old")
    }
    if !manager.fileExists(atPath: path) {
      guard manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
        throw CocoaError(.fileWriteNoPermission)
      }
    }
    let handle = try FileHandle(forWritingTo: url)
    try handle.seekToEnd()
    return handle
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
