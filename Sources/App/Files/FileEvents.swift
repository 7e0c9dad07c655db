import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Tells when files change, by the system's file events; nothing is polled.
///
/// A file need not be there yet, nor its directory: what is there of the way to it is watched. So are the symbolic
/// links on the way and what they lead to. A file that is replaced (as editors do) is noticed, one that is being
/// written only when the writer closes it: half of a file says nothing.
package final class FileEvents: Sendable {
  /// Paths of the files that changed, as they were given, gathered per wake; none is lost while nobody listens.
  package let changes: AsyncStream<Set<String>>

  /// After a wake the next one waits so long. A large poll writes thousands of pages, each of which is an event: told one
  /// by one they would take the processors from the keys.
  private static let pause = DispatchTimeInterval.milliseconds(50)

  #if canImport(Glibc)
    private let state: Mutex<FileWatches>
    private let gathered: GatheredChanges
  #endif
  // Made once, then only cancelled, which Dispatch allows from any thread.
  nonisolated(unsafe) private let source: any DispatchSourceRead

  /// - Parameters:
  ///   - paths: files; relative ones stand in the working directory.
  ///   - open: those among them whose writers keep them open, as databases are: every write counts.
  /// - Returns: nil where the system has no file events or gives no descriptor.
  package init?(watching paths: some Sequence<String>, open: some Sequence<String> = []) {
    #if canImport(Glibc)
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let gathered = GatheredChanges()
      self.gathered = gathered
      var watches = FileWatches(descriptor: descriptor, open: Set(open))
      watches.watch(Set(paths))
      state = Mutex(watches)
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let queue = DispatchQueue(label: "reddot.file-events")
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      changes = AsyncStream {
        for await _ in stream {
          let changed = gathered.take()
          if !changed.isEmpty { return changed }
        }
        return nil
      }
      source.setEventHandler { [weak self] in
        guard let self else { return }
        let changed = state.withLock { $0.readEvents() }
        if !changed.isEmpty {
          gathered.add(changed)
          continuation.yield()
        }
        // The system gathers events meanwhile.
        queue.suspend()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { queue.resume() }
      }
      source.setCancelHandler {
        close(descriptor)
        continuation.finish()
      }
      source.activate()
    #else
      return nil
    #endif
  }

  deinit { source.cancel() }

  /// Watches these files from now on, and no others.
  package func watch(_ paths: Set<String>) {
    #if canImport(Glibc)
      state.withLock { $0.watch(paths) }
    #endif
  }

  package func cancel() { source.cancel() }
}

/// What changed since somebody asked.
private final class GatheredChanges: Sendable {
  private let paths = Mutex<Set<String>>([])

  func add(_ changed: Set<String>) { paths.withLock { $0.formUnion(changed) } }

  func take() -> Set<String> {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
