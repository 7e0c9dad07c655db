import Foundation
import Messages
package import Platform
import Storage
package import Workspace

/// `reddot status --watch`: the line of the inbox, and each other one that it becomes. It lives as long as the bar that reads
/// it, whatever happens to the database: a moved or replaced file is opened anew, and while it can't be read the last line
/// stands.
package struct StatusWatch {
  private let path: String
  private let environment: Environment
  private let open: () throws -> Workspace
  /// Seconds until what cannot be read is tried again.
  private static let patience = 5.0

  /// - Parameter database: overrides the XDG path.
  package init(
    database: String?, _ environment: Environment, open: @escaping () throws -> Workspace
  ) {
    path = database ?? environment.directories.databaseFile
    self.environment = environment
    self.open = open
  }

  /// Until the task is cancelled.
  ///
  /// - Parameters:
  ///   - line: reads it.
  ///   - complain: gets why the database can't be read, once for each reason.
  ///   - body: gets the lines; what it throws ends the watch.
  package func run(
    _ line: (Workspace) throws -> String, complain: (any UserFacingError) -> Void,
    _ body: (String) throws -> Void
  ) async throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Watches the files that are there now. To be called before they are read.
    func follow() throws -> Task<Void, Never> {
      let files = [path, path + "-wal"]
      let watched = files + [environment.zoneFile].compactMap(\.self)
      guard let events = FileEvents(watching: watched, open: files) else {
        throw GivenMistake(
          sentence: "the system has no file events, which --watch needs; run it now and then")
      }
      return Task {
        for await _ in events.changes { wake.yield() }
      }
    }
    var changes = try follow()
    var timer: Task<Void, any Error>?
    defer {
      changes.cancel()
      timer?.cancel()
    }
    var opened = identity
    var workspace = try open()
    var (last, complaint): (String?, String?)
    wake.yield()
    for await _ in wakes {
      var wait = Self.patience
      let read = Result {
        let found = identity
        if found != opened {
          // Another file, maybe in another folder.
          changes.cancel()
          changes = try follow()
          workspace = try open()
          opened = found
        }
        workspace = try workspace.withSourcesReadAgain()
        // What appears or expires, and quiet hours, come without a write of others.
        let next = [try workspace.store.time.advance(to: environment.now()), try workspace.quietChange()]
          .compactMap(\.self).min()
        return (try line(workspace), next)
      }
      switch read {
      case .success(let (now, next)):
        complaint = nil
        if now != last { try body(now) }
        last = now
        wait = next.map { max(0.001, $0.timeIntervalSince(environment.now())) } ?? .infinity
        // Until there is a database, nothing of it can be watched.
        if opened == nil { wait = min(wait, Self.patience) }
      case .failure(let failure as any UserFacingError):
        if failure.sentence != complaint { complain(failure) }
        complaint = failure.sentence
      case .failure(let failure): throw failure
      }
      timer?.cancel()
      guard wait < .infinity else { continue }
      timer = Task { [wait, clock = environment.timer] in
        try await clock.sleep(for: .seconds(min(wait, 86400)))
        wake.yield()
      }
    }
  }

  /// Which file it is; nil: none.
  private var identity: [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }
}
