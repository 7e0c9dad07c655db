import Foundation
import Messages
import Platform
import Profile
import Settings
import Storage

/// A change on the disk while the inbox runs.
enum FileChange: Sendable {
  /// Files are watched from now on. An edit between the reading of a file and this moment caused no event.
  case watching
  case settings
  /// The system's time zone.
  case zone
  /// The file of schedules, or of a calendar, that contains the content of these sources.
  case schedule([SourceID])
}

/// Watches the database for writes of other processes, and the settings, the zone and schedule files for edits.
@MainActor
final class FileFollower {
  private let loop: InboxLoop
  private var events: FileEvents?
  private var task: Task<Void, Never>?

  init(_ loop: InboxLoop) { self.loop = loop }

  /// Starts watching.
  ///
  /// - Parameter changed: called for each change, one after another. The store itself reports writes of other
  ///   processes.
  func start(_ changed: @escaping @MainActor (FileChange) async -> Void) {
    guard let database, let events = FileEvents(watching: files, open: database) else { return }
    self.events = events
    task = Task { [weak self] in
      await changed(.watching)
      await self?.lookAtStore()
      for await files in events.changes {
        for change in self?.changes(files) ?? [] { await changed(change) }
        if !files.isDisjoint(with: database) { await self?.lookAtStore() }
      }
    }
  }

  /// Watches other files after the sources have changed.
  func sourcesChanged() { events?.watch(files) }

  func stop() { task?.cancel() }

  /// The sources whose content is in a file of schedules or of a calendar.
  var scheduled: Set<SourceID> { Set(schedules.values.joined()) }

  private func lookAtStore() async {
    do {
      try await loop.profile.store.checkForExternalChanges()
    } catch {
      loop.report(error)
    }
  }

  /// The paths of the database, or `nil` if it is in memory.
  private var database: Set<String>? { loop.profile.store.path.map { [$0, $0 + "-wal"] } }

  private var files: Set<String> {
    (database ?? []).union(schedules.keys).union(loop.profile.settingsFile.paths)
      .union([loop.profile.environment.zoneFile].compactMap(\.self))
  }

  /// The files of schedules, and the files and folders of calendars, with their sources.
  private var schedules: [String: [SourceID]] {
    let files = loop.profile.sources.filter { [.schedule, .calendar].contains($0.kind) && $0.isLocalFile }
      .compactMap { source in URL(string: source.address).map { ($0.path, [source.id]) } }
    return Dictionary(files, uniquingKeysWith: +)
  }

  private func changes(_ files: Set<String>) -> [FileChange] {
    var changes: [FileChange] = []
    if !files.isDisjoint(with: loop.profile.settingsFile.paths) { changes.append(.settings) }
    if let zone = loop.profile.environment.zoneFile, files.contains(zone) { changes.append(.zone) }
    for (file, sources) in schedules where files.contains(file) { changes.append(.schedule(sources)) }
    return changes
  }
}
