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
    for (file, sources) in schedules where changed.contains(file) {
      refresh(Set(sources), .forced)
    }
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
    if old.language != fresh.language || old.settings.keys != fresh.settings.keys
      || old.settings.usesKeyboardLayouts != fresh.settings.usesKeyboardLayouts
      || old.settings.programs != fresh.settings.programs
      || old.settings.animations != fresh.settings.animations || old.settings.theme != fresh.settings.theme
      || old.settings.hasScreenReader != fresh.settings.hasScreenReader
      || old.settings.layout != fresh.settings.layout
      || old.settings.showsPictures != fresh.settings.showsPictures
    {
      takeOptions()
    }
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

  private func takeOptions() {
    var options = state.options
    let (keymap, problems) = workspace.settings.keymap
    if !options.signs.isASCII { options.words = workspace.words }
    options.keymap = keymap
    options.theme = workspace.settings.theme
    let settings = workspace.settings
    options.signs = .fitting(
      isASCII: options.signs.isASCII, areWords: settings.hasScreenReader, words: options.words)
    options.animations = settings.animations && !settings.hasScreenReader && screen.allowsMotion
    options.showsPictures = screen.pictureColors != nil && settings.drawsPictures
    options.layout = settings.layout
    happened(.optionsChanged(options))
    if !problems.isEmpty { happened(.keymapProblems(problems)) }
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
