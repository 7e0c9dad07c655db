import Foundation
import Interface
import Logging
import Messages
import Polling
import Storage

@MainActor
extension InboxSession {
  /// Watches the database for writes of other processes, and the settings and schedule files for edits.
  func watchFiles() {
    guard let database else { return }
    guard let events = FileEvents(watching: watchedFiles, open: database) else { return }
    fileEvents = events
    tasks.append(
      Task { [weak self] in
        // An edit between reading and watching the file caused no event.
        await self?.reopenSettings(onlyIfTheyDiffer: true)
        await self?.lookAtStore()
        for await changed in events.changes {
          await self?.filesChanged(changed)
          if !changed.isDisjoint(with: database) { await self?.lookAtStore() }
        }
      })
  }

  private func lookAtStore() async {
    do {
      try await workspace.store.checkForExternalChanges()
    } catch {
      report(error)
    }
  }

  /// nil if it is in memory.
  private var database: Set<String>? { workspace.store.path.map { [$0, $0 + "-wal"] } }

  private var watchedFiles: Set<String> {
    (database ?? []).union(schedules.keys).union([workspace.settingsFile.path])
      .union([workspace.environment.zoneFile].compactMap(\.self))
  }

  /// Schedule files with their sources.
  private var schedules: [String: [SourceID]] {
    let files = workspace.sources.filter { $0.kind == .schedule }.compactMap { source in
      URL(string: source.address).map { ($0.path, [source.id]) }
    }
    return Dictionary(files, uniquingKeysWith: +)
  }

  private func filesChanged(_ changed: Set<String>) async {
    if changed.contains(workspace.settingsFile.path) { await reopenSettings() }
    if let zone = workspace.environment.zoneFile, changed.contains(zone) { await zoneChanged() }
    for (file, sources) in schedules where changed.contains(file) {
      refresh(Set(sources), .forced)
    }
  }

  /// Shows all times in the new zone, and judges anew what depends on days: saved lists, schedules, quiet hours.
  private func zoneChanged() async {
    // To ask for the clock reads the zone.
    _ = workspace.environment.clock()
    paint()
    do {
      _ = try await workspace.inBackground { workspace in
        try workspace.takeRules()
        return workspace
      }
    } catch {
      report(error)
    }
    refresh(Set(schedules.values.joined()), .forced)
    reload()
    scheduleTransition()
    tell()
  }

  /// Applies changed settings. With a mistake in the file nothing changes; the mistake is shown until it is corrected.
  ///
  /// - Parameter onlyIfTheyDiffer: from those read last; otherwise the database isn't used.
  func reopenSettings(onlyIfTheyDiffer: Bool = false) async {
    do {
      guard !hadSettings || workspace.settingsFile.exists else {
        throw SettingsFile.Failure(path: workspace.settingsFile.path, reason: "is not there any more")
      }
      if onlyIfTheyDiffer, !hadSettings, !workspace.settingsFile.exists { return }
      let fresh = try await workspace.inBackground { workspace in
        if onlyIfTheyDiffer, try workspace.settingsFile.load() == workspace.settings {
          try workspace.takeRules()
          return workspace
        }
        let fresh = try workspace.reopened()
        try fresh.takeRules()
        return fresh
      }
      if workspace.settingsFile.exists { hadSettings = true }
      tellOfSettings(nil)
      tellOfProblem(fresh.settings.problems.first?.sentence)
      await take(fresh)
    } catch let failure as any UserFacingError
      where failure is SettingsMistakes || failure is SettingsFile.Failure
    {
      tellOfSettings(failure.sentence)
    } catch {
      report(error)
    }
  }

  private func take(_ fresh: Workspace) async {
    let old = workspace
    guard fresh.settings != old.settings || fresh.sources != old.sources else { return }
    workspace = fresh
    stage?.workspaceChanged(fresh)
    if fresh.settings.usesMouse != old.settings.usesMouse { screen.reportMouse(fresh.settings.usesMouse) }
    applyOptions()
    let problems = fresh.settings.keymap.problems
    if fresh.settings.keys != old.settings.keys, !problems.isEmpty { happened(.keymapProblems(problems)) }
    if old.language != fresh.language { translate() }
    let waiting = fresh.settings.keysThatWaitForRestart(since: old.settings)
    if !waiting.isEmpty { happened(.restartNeeded(waiting)) }
    await adapters.settingsChanged(fresh, language: fresh.language)
    await pictures.settingsChanged(limits: fresh.settings.sourceDefaults.source.polling)
    guard fresh.sources != old.sources else { return }
    fileEvents?.watch(watchedFiles)
    await poller.sourcesChanged(fresh.sources)
    streams.keep(fresh.sources)
    reload()
  }

  /// - Parameter mistake: nil if there is none any more.
  private func tellOfSettings(_ mistake: String?) {
    guard mistake != settingsMistake else { return }
    settingsMistake = mistake
    if let mistake { log?.error("\(mistake)") }
    happened(.settingsMistaken(mistake.map(withoutFolder)))
  }

  private func tellOfProblem(_ problem: String?) {
    guard problem != settingsProblem else { return }
    settingsProblem = problem
    if let problem { log?.error("\(problem)") }
    happened(.settingsTaken(problem: problem.map(withoutFolder)))
  }

  /// So that the line and the key fit on the screen.
  func withoutFolder(_ mistake: String) -> String {
    let folder = (workspace.settingsFile.path as NSString).deletingLastPathComponent + "/"
    return mistake.hasPrefix(folder) ? String(mistake.dropFirst(folder.count)) : mistake
  }

  /// What the settings make of the interface now; the terminal stays as it is.
  private func applyOptions() {
    let old = state.options
    let options = InterfaceOptions(
      workspace, isUTF8: !old.signs.isASCII, hasMotion: screen.allowsMotion,
      hasPictures: screen.pictureColors != nil, hasColors: old.hasColors, notice: old.notice)
    if options != old { happened(.optionsChanged(options)) }
  }

  /// Sleeps until the next message appears or expires, or a feature is switched; then lists, counts and dots change
  /// without a poll.
  func scheduleTransition() {
    transition?.cancel()
    let store = workspace.store
    let now = workspace.environment.now
    transition = Task { [weak self] in
      do {
        while true {
          let (next, due, hasRuns) = try await store.inBackground { store throws(StoreFailure) in
            (
              try store.advance(to: now()), try store.switchDueFeatures(at: now()),
              try !store.waitingRuleRuns(limit: 1).isEmpty
            )
          }
          if !due.isEmpty || hasRuns { self?.runHook() }
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
