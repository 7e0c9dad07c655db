package import Glibc

/// The system's events of watched directories: inotify(7).
package final class SystemFileEvents: Sendable {
  /// Readable when there are events.
  package let descriptor: Int32

  /// Creates the events, or returns `nil` if the system's limit of such objects or of descriptors is reached.
  package init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Watches a directory from now on.
  ///
  /// - Parameter mask: the events to watch, as in inotify(7).
  /// - Returns: the number of the watch, which is the same for the same directory, or `nil` if it can't be watched.
  @discardableResult
  package func watch(_ directory: String, _ mask: UInt32) -> Int32? {
    let watch = inotify_add_watch(descriptor, directory, mask | UInt32(IN_ONLYDIR))
    return watch < 0 ? nil : watch
  }

  package func stopWatching(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// Reads all events that have arrived.
  ///
  /// - Parameter body: receives the event and the name of the entry. Without a name, the event is of the directory
  ///   itself.
  package func read(_ body: (inotify_event, Slice<UnsafeMutableRawBufferPointer>) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return }
      while true {
        let count = Glibc.read(descriptor, base, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          offset = start + Int(event.len)
          guard offset <= count else { break }
          body(event, buffer[start..<offset].prefix { $0 != 0 })
        }
      }
    }
  }
}
