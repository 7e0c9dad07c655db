import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Tells when files change, by the system's file events; nothing is polled.
///
/// Directories are watched rather than files, so that a file which is replaced (as editors do) or made later is
/// noticed too.
package final class FileEvents: Sendable {
  /// Paths of the files that changed, gathered per wake.
  package let changes: AsyncStream<Set<String>>

  // Made once, then only cancelled, which Dispatch allows from any thread.
  nonisolated(unsafe) private let source: any DispatchSourceRead

  /// - Returns: nil where the system has no file events or gives no descriptor.
  package init?(watching paths: some Sequence<String>) {
    let paths = Set(paths)
    #if canImport(Glibc)
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      var directories: [Int32: String] = [:]
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE | IN_MOVED_FROM)
      for directory in Set(paths.map { ($0 as NSString).deletingLastPathComponent }) {
        let watch = inotify_add_watch(descriptor, directory, mask)
        if watch >= 0 { directories[watch] = directory }
      }
      let (stream, continuation) = AsyncStream.makeStream(
        of: Set<String>.self, bufferingPolicy: .bufferingNewest(64))
      let queue = DispatchQueue(label: "reddot.file-events")
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [directories] in
        let changed = Self.readEvents(descriptor, directories).intersection(paths)
        if !changed.isEmpty { continuation.yield(changed) }
      }
      source.setCancelHandler {
        close(descriptor)
        continuation.finish()
      }
      self.source = source
      changes = stream
      source.activate()
    #else
      return nil
    #endif
  }

  deinit { source.cancel() }

  package func cancel() { source.cancel() }

  #if canImport(Glibc)
    private static func readEvents(_ descriptor: Int32, _ directories: [Int32: String]) -> Set<String> {
      var changed: Set<String> = []
      withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
        guard let base = buffer.baseAddress else { return }
        while true {
          let count = read(descriptor, base, buffer.count)
          guard count > 0 else { return }
          var offset = 0
          while offset + MemoryLayout<inotify_event>.size <= count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let nameStart = offset + MemoryLayout<inotify_event>.size
            let length = Int(event.len)
            if length > 0, nameStart + length <= count, let directory = directories[event.wd] {
              let bytes = buffer[nameStart..<nameStart + length].prefix { $0 != 0 }
              changed.insert(directory + "/" + String(decoding: bytes, as: UTF8.self))
            }
            offset = nameStart + length
          }
        }
      }
      return changed
    }
  #endif
}
