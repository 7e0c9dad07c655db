import Foundation
package import Interface
import Logging
import Messages
import Polling
import Programs
import Schedules
import Screen
import Storage
import Synchronization
import Threads

/// The running inbox: events become actions, effects are carried out, and the screen shows the state.
///
/// Everything here runs on the main actor, after events of the terminal, the store, the poller and timers; without
/// events nothing runs.
@MainActor
package final class InboxSession {
  var workspace: Workspace
  let screen: any InboxScreen
  let poller: Poller
  let reader: StoreReader
  let adapters: AdapterFetcher
  let pictures: PictureCache
  let articles: ArticleLoader
  /// Pictures that are fetched or drawn.
  var drawings: [PictureRequest: Task<Void, Never>] = [:]
  /// nil without a program that runs the scripts of views.
  let stage: BannerStage?
  let stageEvents: AsyncStream<StageEvent>
  /// The results of polls of this process, for sounds and features.
  private let arrivals: AsyncStream<(source: SourceID, recorded: RecordedPoll)>
  let log: Logger?
  private let logFailures: AsyncStream<String>
  private(set) var state: AppState
  var tasks: [Task<Void, Never>] = []
  var transition: Task<Void, Never>?
  var translation: Task<Void, Never>?
  var endsWithBanner = false
  /// The user's acts are done; only the end is left.
  private var isOver = false
  /// How many of the user's acts are not written yet.
  package nonisolated var unwritten: Int { acts.unwritten }
  /// The banner that it ends with is closed; the question about its address may still be open.
  var hasBannerEnded = false
  /// Tasks that start programs for links.
  var openings: [Task<Void, Never>] = []
  /// The program that has the terminal.
  var foreground: StartedProgram?
  nonisolated let acts: ActWriter
  /// For long work on a message that is passed to a program or a file.
  let threads = WorkThreads()
  let pages = LatestPage()
  let views = LatestPage()
  /// The last written act: everything that is read from now on contains it and all earlier ones.
  var written = ActID.none
  /// Immediate answers to effects, which are handled before the next drawing.
  private var answers: [Action] = []
  /// The last requested list; it is read again after every change of the store.
  var wanted: (query: InboxQuery, window: InboxWindow)
  var loads = 0
  var ending: CheckedContinuation<Int32?, Never>?
  /// The last run of feature commands and programs of rules; each waits for the one before it.
  var hooks: Task<Void, Never>?
  var fileEvents: FileEvents?
  /// Looks at what a rule would have done.
  var ruleTrial: Task<Void, Never>?
  var telling = Telling()
  let carrier: ActCarrier
  var carrying = Carrying()
  let streams: StreamKeeper
  /// The current mistake in the settings file.
  var settingsMistake: String?
  /// What does nothing in the settings file that is used.
  var settingsProblem: String?
  /// Whether there was a settings file: if it is deleted, its settings still apply.
  var hadSettings = false

  /// - Parameters:
  ///   - scripts: runs the scripts of banners' views; without it no banner is shown.
  ///   - timeline: whether the poll timeline is open from the start.
  package init(
    workspace: Workspace, screen: any InboxScreen, options: InterfaceOptions, scripts: BannerScripts? = nil,
    timeline: Bool = false
  ) {
    self.workspace = workspace
    self.screen = screen
    let environment = workspace.environment
    adapters = AdapterFetcher(workspace, language: workspace.language)
    carrier = ActCarrier(store: workspace.store, sending: adapters, now: environment.now)
    pictures = PictureCache(
      transport: adapters.transport, environment: environment.variables, programs: environment.programs,
      colors: screen.pictureColors, limits: workspace.settings.sourceDefaults.source.polling)
    articles = ArticleLoader(workspace, adapters)
    let (told, tell) = AsyncStream.makeStream(of: StageEvent.self)
    stageEvents = told
    stage = scripts.map { [adapters] scripts in
      BannerStage(workspace: workspace, transport: adapters.transport, scripts: scripts) { tell.yield($0) }
    }
    reader = StoreReader(store: workspace.store)
    acts = ActWriter(store: workspace.store)
    // Where it cannot be read, the list cannot either, and that is told.
    let remembered = Preferences((try? workspace.store.preferences()) ?? [:])
    state = AppState(
      options: options, size: screen.size, now: environment.now(), timeline: timeline,
      preferences: remembered)
    wanted = (InboxQuery(), InboxWindow())
    hadSettings = workspace.settingsFile.exists
    let (arrived, continuation) = AsyncStream.makeStream(
      of: (source: SourceID, recorded: RecordedPoll).self)
    let (failures, tellFailure) = AsyncStream.makeStream(of: String.self)
    logFailures = failures
    log = workspace.logFile.map { path in
      FileLog(path: path, now: environment.now) { tellFailure.yield($0) }.logger(label: "inbox")
    }
    let recorder = StoreRecorder(store: workspace.store, log: log) { source, recorded in
      if !recorded.ids.isEmpty || !recorded.features.isEmpty || recorded.hasRuns {
        continuation.yield((source, recorded))
      }
    }
    poller = Poller(
      sources: workspace.sources, fetching: adapters, recording: recorder,
      clock: ContinuousClock(), now: environment.now, jitter: { environment.random() * 0.1 })
    arrivals = arrived
    streams = StreamKeeper(adapters, poller, log: log, random: environment.random)
  }

  /// Shows the list and runs until the user quits. Then the terminal is restored at once, even if work is pending.
  ///
  /// - Returns: the signal that ended it, or nil. Call `windDown` afterwards.
  package func run(keymapProblems: [Keymap.Problem] = []) async -> Int32? {
    paintFirst()
    if !keymapProblems.isEmpty { happened(.keymapProblems(keymapProblems)) }
    watch()
    let signal = await withCheckedContinuation { ending = $0 }
    screen.close()
    return signal
  }

  /// Finishes the user's acts, ends all other work, and closes the store. The caller limits the time: a write may wait
  /// for another process.
  package func windDown() async {
    let polls = Task { [poller] in await poller.stop() }
    await acts.finish()
    for opening in openings { await opening.value }
    await hooks?.value
    await endTelling()
    streams.stop()
    await endCarrying()
    await stage?.end()
    isOver = true
    pages.stop()
    views.stop()
    await articles.stop()
    screen.listen(nil)
    for task in tasks { task.cancel() }
    transition?.cancel()
    translation?.cancel()
    ruleTrial?.cancel()
    await polls.value
    await adapters.shutDown()
    closeStore()
  }

  /// Writes the write-ahead log to the database, so that the next start need not read it.
  private func closeStore() {
    do {
      try workspace.store.close()
    } catch {
      // The screen is closed already. Nothing is lost: the next process writes the log to the database.
      ErrorOutput.write("reddot: \(error.sentence)\n")
    }
  }

  /// Reads the first list synchronously, so that the first screen isn't empty.
  private func paintFirst() {
    handle(.started)
    do {
      try workspace.store.catchUp(to: workspace.environment.now())
      let snapshot = try workspace.store.snapshot(wanted.query, wanted.window)
      loads += 1
      happened(.inboxChanged(snapshot, including: written))
    } catch {
      report(error)
    }
  }

  // MARK: Actions

  /// Handles an action, carries out its effects, and draws.
  func happened(_ action: Action) {
    handle(action)
    paint()
  }

  private func handle(_ action: Action) {
    for effect in update(&state, action, at: workspace.environment.now()) { perform(effect) }
    while !answers.isEmpty {
      for effect in update(&state, answers.removeFirst()) { perform(effect) }
    }
    if endsWithBanner, hasBannerEnded, state.dialog.question?.isBannerLink != true { end(nil) }
  }

  /// Answers an effect while it is carried out; the answer is handled before the next drawing.
  func answer(_ action: Action) { answers.append(action) }

  func report(_ error: any Error) {
    // Work that the end itself cancels isn't a failure.
    if isOver { return }
    let reason = (error as? any UserFacingError)?.sentence ?? String(describing: error)
    log?.error("\(reason)")
    happened(.failed(error as? FetchFailure ?? .storage(reason: reason)))
  }

  func paint() { screen.present(render(state, screen.size)) }

  private func watch() {
    let store = workspace.store
    let poller = poller
    screen.listen { [weak self] in self?.received($0) }
    follow(logFailures) { session, reason in session.happened(.logFailed(reason: reason)) }
    follow(acts.answers) { session, answer in answer(session) }
    follow(store.changes()) { session, change in session.storeChanged(change) }
    follow(arrivals) { session, arrival in
      if !arrival.recorded.ids.isEmpty { session.sound(arrival.recorded.ids) }
      if !arrival.recorded.features.isEmpty || arrival.recorded.hasRuns { session.runHook() }
    }
    tasks.append(Task { await poller.run() })
    tasks.append(
      Task { [weak self] in
        for await event in await poller.events() { self?.polled(event) }
      })
    watchBanners()
    watchFiles()
    startTelling()
    // Pending changes and acts of a process that was ended.
    runHook()
    carrySoon()
    streams.keep(workspace.sources)
    scheduleTransition()
    translate()
    pruneDaily()
    fillFacets()
  }

  /// Makes messages of an earlier version known to the indexes of searches, a few at a time.
  private func fillFacets() {
    tasks.append(
      Task { [weak self, store = workspace.store] in
        do {
          var isUnfinished = true
          while isUnfinished {
            try await Task.sleep(for: .milliseconds(100))
            isUnfinished = try await store.inBackground { store throws(StoreFailure) in
              try store.fillFacets()
            }
          }
        } catch is CancellationError {
          return
        } catch {
          self?.report(error)
        }
      })
  }

  /// Deletes what sources no longer keep, once a day and a minute after the start, so that a short session isn't
  /// delayed.
  private func pruneDaily() {
    tasks.append(
      Task { [weak self] in
        var wait = Duration.seconds(60)
        while let self {
          do {
            try await Task.sleep(for: wait)
            try await workspace.pruneIfDue(pause: .milliseconds(50))
          } catch is CancellationError {
            return
          } catch {
            report(error)
          }
          wait = .seconds(86_400)
        }
      })
  }

  /// Handles the elements of a stream on the main actor until the inbox ends.
  package func follow<Element: Sendable>(
    _ stream: AsyncStream<Element>, _ body: @escaping @MainActor (InboxSession, Element) -> Void
  ) {
    tasks.append(
      Task { [weak self] in
        for await element in stream {
          guard let self else { return }
          body(self, element)
        }
      })
  }

  private func received(_ events: [ScreenEvent]) {
    for event in events {
      switch event {
      case .input(let input):
        noteInput(input)
        handle(.input(input))
      case .terminate(let signal): end(signal)
      }
    }
    paint()
  }

  private func storeChanged(_ change: StoreChange) {
    if change == .elsewhere {
      Task { [poller] in await poller.storeChanged() }
      carrySoon()
    }
    reload()
    scheduleTransition()
    tell()
  }

  private func polled(_ event: PollEvent) {
    switch event {
    case .current(let activities), .changed(let activities):
      // One frame for all: with many sources each of them would cost as much as a key.
      let standings = activities.map { ($0.source, SourcePolling($0)) }
      happened(.pollingChanged(Dictionary(standings) { $1 }))
    case .attempt(let attempt):
      note(attempt)
      noteControlFile(attempt)
      happened(.pollAttempted(attempt))
    case .recordingFailed(let failure):
      if isOver { return }
      log?.error("\(workspace.words.sentence(failure).text)")
      happened(.failed(failure))
    }
  }

  /// Hooks run one after another, since the order of changes matters.
  func runHook() {
    let (hook, programs, store, earlier) = (
      FeatureHook(workspace), RulePrograms(workspace), workspace.store, hooks
    )
    hooks = Task { [weak self] in
      await earlier?.value
      var troubles = await hook.runWaiting(in: store)
      troubles += await programs.runWaiting(in: store)
      self?.note(troubles)
    }
  }

  private func note(_ troubles: [String]) {
    for trouble in troubles {
      log?.warning("\(trouble)")
      happened(.hookFailed(reason: trouble))
    }
  }

  /// Failures and problems are logged, since the timeline keeps them only for a while.
  private func note(_ attempt: PollAttempt) {
    guard let log, !isOver else { return }
    let name = workspace.sources.first { $0.id == attempt.source }?.name ?? ""
    if case .failed(let failure) = attempt.result {
      log.warning("\(name): \(workspace.words.sentence(failure).text)")
    }
    for problem in attempt.problems.prefix(5) { log.notice("\(name): \(problem.at): \(problem.message)") }
  }
}

extension SourcePolling {
  init(_ activity: SourceActivity) {
    let phase: Phase =
      switch activity.phase {
      case .idle: .idle
      case .queued: .queued
      case .polling: .polling
      }
    self.init(phase: phase, next: activity.next.date, rule: activity.next.rule)
  }
}
