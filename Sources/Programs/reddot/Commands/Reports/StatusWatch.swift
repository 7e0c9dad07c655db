import Foundation
import Messages
import Platform
import Profile
import Settings
import Storage

/// `reddot status --watch`: prints the line about the inbox, and the new line after each change. It runs as long as the
/// bar that reads the lines, whatever happens to database and settings. A moved or replaced file is opened again, and
/// while the file can't be read, the last line stays.
struct StatusWatch {
  private let path: String
  private let settingsPaths: [String]
  private let environment: Environment
  private let open: () throws -> Profile
  /// The time until an unreadable file is tried again, in seconds.
  private static let patience = 5.0

  /// - Parameters:
  ///   - config, database: paths that override the XDG paths.
  init(
    config: String?, database: String?, _ environment: Environment, open: @escaping () throws -> Profile
  ) {
    path = database ?? environment.directories.databaseFile
    settingsPaths =
      SettingsFile(path: config ?? environment.directories.settingsFile, home: environment.home).paths
    self.environment = environment
    self.open = open
  }

  /// Runs until the task is cancelled.
  ///
  /// - Parameters:
  ///   - line: returns the current line.
  ///   - complain: gets the reason why the database can't be read, once for each reason.
  ///   - body: gets the lines; its errors end the watch.
  func run(
    _ line: (Profile) throws -> String, complain: (any UserFacingError) -> Void,
    _ body: (String) throws -> Void
  ) async throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Starts to watch the files of the database and the settings for changes. It is called before the files
    /// are read, so that no change is missed.
    func follow() throws -> Task<Void, Never> {
      let files = [path, path + "-wal"]
      let watched = files + settingsPaths + [environment.zoneFile].compactMap(\.self)
      guard let events = FileEvents(watching: watched, open: files) else {
        throw GivenMistake(
          sentence:
            "the system has no file events, which --watch needs; run the command repeatedly without --watch")
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
    var (opened, read) = (identity, settingsIdentity)
    var profile = try open()
    var (last, complaint): (String?, String?)
    wake.yield()
    for await _ in wakes {
      var wait = Self.patience
      let now = Result {
        let found = identity
        if found != opened {
          // The file may be another one, in another folder.
          changes.cancel()
          changes = try follow()
          profile = try open()
          opened = found
        }
        let settings = settingsIdentity
        if settings != read {
          profile = try profile.withSettingsReadAgain()
          read = settings
        }
        profile = try profile.withSourcesReadAgain()
        // Messages that appear or expire, and quiet hours, change the line without a write.
        let next = [try profile.store.time.advance(to: environment.now()), try profile.quietChange()]
          .compactMap(\.self).min()
        return (try line(profile), next)
      }
      switch now {
      case .success(let (text, next)):
        complaint = nil
        if text != last { try body(text) }
        last = text
        wait = next.map { max(0.001, $0.timeIntervalSince(environment.now())) } ?? .infinity
        // Until there is a database, it cannot be watched.
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

  /// The identity of the database file (device and inode), or `nil` if there is no file.
  private var identity: [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// The identities of the settings' files, with their sizes and the times of their last changes.
  private var settingsIdentity: [[UInt64]?] { settingsPaths.map(Self.contentIdentity) }

  private static func contentIdentity(of path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let time = status.st_mtim
    let numbers =
      [status.st_dev, status.st_ino].map { UInt64($0) } + [UInt64(bitPattern: Int64(status.st_size))]
    return numbers + [time.tv_sec, time.tv_nsec].map { UInt64(bitPattern: Int64($0)) }
  }
}
