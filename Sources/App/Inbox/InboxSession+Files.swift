import Foundation
import Interface
import Messages
import Polling
import Storage

@MainActor
extension InboxSession {
  /// The database's files tell of other processes, the settings file of its owner's editor.
  func watchFiles() {
    guard let path = workspace.store.path else { return }
    let settings = workspace.settingsFile.path
    let schedules = Dictionary(
      workspace.sources.filter { $0.kind == .schedule }.map { (URL(string: $0.address)?.path ?? "", $0.id) },
      uniquingKeysWith: { first, _ in first })
    let database: Set<String> = [path, path + "-wal"]
    guard let events = FileEvents(watching: database.union(schedules.keys).union([settings])) else { return }
    let store = workspace.store
    tasks.append(
      Task { [weak self] in
        for await changed in events.changes {
          if changed.contains(settings) { await self?.reopenSettings() }
          for file in changed {
            if let schedule = schedules[file] { self?.refresh(schedule, .forced) }
          }
          if !changed.isDisjoint(with: database) {
            do {
              try await store.checkForExternalChanges()
            } catch {
              self?.report(error)
            }
          }
        }
      })
  }

  /// Takes over what was changed; a mistake in the file is said and changes nothing.
  func reopenSettings() async {
    do {
      let settings = try workspace.settingsFile.load()
      let fresh = try Workspace(
        settings: settings, file: workspace.settingsFile, store: workspace.store,
        surroundings: workspace.surroundings)
      let old = workspace
      workspace = fresh
      stage?.workspaceChanged(fresh)
      if old.language != fresh.language || old.settings.keys != fresh.settings.keys
        || old.settings.animations != fresh.settings.animations
      {
        takeOptions()
      }
      if old.language != fresh.language { translate() }
      await adapters.settingsChanged(fresh, language: fresh.language)
      guard fresh.sources != old.sources else { return }
      await poller.sourcesChanged(fresh.sources)
      reload()
    } catch {
      report(error)
    }
  }

  private func takeOptions() {
    var options = state.options
    let (keymap, problems) = Keymap.with(overrides: workspace.settings.keys)
    if !options.signs.isASCII { options.words = workspace.words }
    options.keymap = keymap
    options.animations = workspace.settings.animations
    happened(.optionsChanged(options))
    if !problems.isEmpty { happened(.keymapProblems(problems)) }
  }

  /// Sleeps until the next message appears or expires, or a feature is switched; lists, counts and dots then change
  /// without a poll.
  func scheduleTransition() {
    transition?.cancel()
    let store = workspace.store
    let now = workspace.surroundings.now
    transition = Task { [weak self] in
      do {
        while true {
          let (next, due) = try await store.inBackground { store throws(StoreFailure) in
            (try store.advance(to: now()), try store.switchDueFeatures(at: now()))
          }
          if !due.isEmpty { self?.runHook { await $0.run(due) } }
          guard let next else { return }
          let wait = max(0.001, next.timeIntervalSince(now()))
          // A day at most: the clock may be set meanwhile.
          try await Task.sleep(for: .seconds(min(wait, 86400)), clock: .continuous)
        }
      } catch is CancellationError {
        return
      } catch {
        self?.report(error)
      }
    }
  }
}
