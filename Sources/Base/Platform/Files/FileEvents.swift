import Foundation
import Glibc
import Synchronization

/// Reports changes of files with the system's file events, without polling.
///
/// A file and its directory may not exist yet: the existing part of the path is watched, with symbolic links and their
/// targets. A replaced file is reported (editors replace files). A written file is reported only when the writer closes
/// it, since it is incomplete before.
package final class FileEvents: Sendable {
  /// The paths of changed files, as they were given, collected per wake-up. No change is lost while there is no
  /// consumer.
  package let changes: AsyncStream<Set<String>>

  /// The minimum time between wake-ups. A large poll writes thousands of pages, each with an event; handled one by one,
  /// they would delay keys.
  private static let pause = DispatchTimeInterval.milliseconds(50)

  private let state: Mutex<FileWatches>
  private let gathered: GatheredChanges
  // The source is created once and then only cancelled, which Dispatch allows from any thread.
  nonisolated(unsafe) private let source: any DispatchSourceRead

  /// - Parameters:
  ///   - paths: files, and folders whose files are watched. Relative paths are in the working directory.
  ///   - open: files that writers keep open, such as databases: every write is reported.
  /// - Returns: `nil` if the system has no file events or no free descriptor.
  package init?(watching paths: some Sequence<String>, open: some Sequence<String> = []) {
    guard let events = SystemFileEvents() else { return nil }
    let gathered = GatheredChanges()
    self.gathered = gathered
    var watches = FileWatches(events, open: Set(open))
    watches.watch(Set(paths))
    state = Mutex(watches)
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue(label: "reddot.file-events")
    // This is not Dispatch's pool, which would then wake up once a second.
    let pauses = DispatchQueue(label: "reddot.file-events-pause")
    source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
    changes = AsyncStream {
      for await _ in stream {
        let changed = gathered.removeAll()
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
      // Meanwhile the system collects events.
      queue.suspend()
      pauses.asyncAfter(deadline: .now() + Self.pause) { queue.resume() }
    }
    // The descriptor stays open until then.
    source.setCancelHandler { withExtendedLifetime(events) { continuation.finish() } }
    source.activate()
  }

  deinit { source.cancel() }

  /// Watches these files from now on, and no others.
  package func watch(_ paths: Set<String>) {
    state.withLock { $0.watch(paths) }
  }

  package func cancel() { source.cancel() }
}

/// Collects changes until `removeAll`.
private final class GatheredChanges: Sendable {
  private let paths = Mutex<Set<String>>([])

  func add(_ changed: Set<String>) { paths.withLock { $0.formUnion(changed) } }

  func removeAll() -> Set<String> {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
