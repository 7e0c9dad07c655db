import Foundation
package import Interface
import Logging
import Messages
import Polling
import Schedules
import Screen
import Storage

/// The inbox while it runs: what happens becomes actions, effects become work, and the screen follows the state.
///
/// Everything here happens on the main actor, woken by the terminal, the store, the poller and timers that are due:
/// while nothing happens, nothing runs.
@MainActor
package final class InboxSession {
  private(set) var workspace: Workspace
  let screen: any InboxScreen
  let poller: Poller
  let reader: StoreReader
  let adapters: AdapterFetcher
  /// What polls of this process brought, for sounds.
  private let arrivals: AsyncStream<[MessageID]>
  private let log: Logger?
  private var state: AppState
  private var tasks: [Task<Void, Never>] = []
  private var transition: Task<Void, Never>?
  /// The last writes, waited for at the end; those before them are done, since they are done in order.
  private var writes: [Task<Void, Never>] = []
  /// The list that the interface asked for last; told again after every change of the store.
  private var wanted: (query: InboxQuery, window: InboxWindow)
  private var loads = 0
  private var isStale = false
  private var ending: CheckedContinuation<Int32?, Never>?

  /// - Parameters:
  ///   - timeline: whether the poll timeline is open from the start.
  package init(
    workspace: Workspace, screen: any InboxScreen, options: InterfaceOptions, timeline: Bool = false
  ) {
    self.workspace = workspace
    self.screen = screen
    let surroundings = workspace.surroundings
    adapters = AdapterFetcher(workspace)
    reader = StoreReader(store: workspace.store)
    state = AppState(
      options: options, size: screen.size, now: surroundings.now(), timeline: timeline)
    wanted = (InboxQuery(), InboxWindow())
    let (arrived, continuation) = AsyncStream.makeStream(of: [MessageID].self)
    let recorder = StoreRecorder(store: workspace.store) { _, recorded in
      if !recorded.ids.isEmpty { continuation.yield(recorded.ids) }
    }
    poller = Poller(
      sources: workspace.sources, fetching: adapters, recording: recorder,
      clock: ContinuousClock(), now: surroundings.now, jitter: { surroundings.random() * 0.1 })
    arrivals = arrived
    log = workspace.logFile.map { FileLog(path: $0, now: surroundings.now).logger(label: "inbox") }
  }

  /// Shows the list and runs until somebody quits.
  ///
  /// - Returns: the signal that ended it, or nil.
  package func run(keymapProblems: [Keymap.Problem] = []) async -> Int32? {
    paintFirst()
    if !keymapProblems.isEmpty { happened(.keymapProblems(keymapProblems)) }
    watch()
    let signal = await withCheckedContinuation { ending = $0 }
    // What was asked for before the end is done before the end.
    for write in writes { await write.value }
    for task in tasks { task.cancel() }
    transition?.cancel()
    await poller.stop()
    await adapters.shutDown()
    closeStore()
    return signal
  }

  /// Carries the write-ahead log over, so that the next start need not read it.
  private func closeStore() {
    do {
      try workspace.store.close()
    } catch {
      // The screen is on its way out; nothing is lost, the next process carries the log over.
      FileHandle.standardError.write(Data("reddot: \(error.sentence)\n".utf8))
    }
  }

  /// The first list is read right here: nobody should see an empty screen first.
  private func paintFirst() {
    happened(.started, painting: false)
    do {
      try workspace.store.advance(to: workspace.surroundings.now())
      let snapshot = try workspace.store.snapshot(wanted.query, wanted.window)
      loads += 1
      happened(.inboxChanged(localized(snapshot)))
    } catch {
      report(error)
      paint()
    }
  }

  // MARK: What happens

  /// Takes in what happened, does what follows from it, and draws.
  func happened(_ action: Action, painting: Bool = true) {
    var effects = update(&state, .timeChanged(workspace.surroundings.now()))
    effects += update(&state, action)
    for effect in effects { perform(effect) }
    if painting { paint() }
  }

  func report(_ error: any Error) {
    let reason = (error as? any SayableFailure)?.sentence ?? String(describing: error)
    log?.error("\(reason)")
    happened(.failed(error as? FetchFailure ?? .storage(reason: reason)))
  }

  private func paint() { screen.present(render(state, screen.size)) }

  private func watch() {
    let store = workspace.store
    let poller = poller
    follow(screen.events) { session, events in session.received(events) }
    follow(store.changes()) { session, change in session.storeChanged(change) }
    follow(arrivals) { session, ids in session.sound(ids) }
    tasks.append(Task { await poller.run() })
    tasks.append(
      Task { [weak self] in
        for await event in await poller.events() { self?.polled(event) }
      })
    watchFiles()
    scheduleTransition()
  }

  /// Takes in what a stream brings, on the main actor, until the inbox ends.
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
      case .input(let input): happened(.input(input), painting: false)
      case .terminate(let signal): end(signal)
      }
    }
    paint()
  }

  private func storeChanged(_ change: StoreChange) {
    if change == .elsewhere { Task { [poller] in await poller.storeChanged() } }
    reload()
    scheduleTransition()
  }

  private func polled(_ event: PollEvent) {
    switch event {
    case .current(let activities):
      for activity in activities {
        happened(.pollingChanged(activity.source, SourcePolling(activity)), painting: false)
      }
      paint()
    case .changed(let activity): happened(.pollingChanged(activity.source, SourcePolling(activity)))
    case .attempt(let attempt):
      note(attempt)
      happened(.pollAttempted(attempt))
    case .recordingFailed(let failure):
      log?.error("\(workspace.words.sentence(failure).text)")
      happened(.failed(failure))
    }
  }

  /// Failures and problems go to the log, where they stay when the timeline has moved on.
  private func note(_ attempt: PollAttempt) {
    guard let log else { return }
    let name = workspace.sources.first { $0.id == attempt.source }?.name ?? ""
    if case .failed(let failure) = attempt.result {
      log.warning("\(name): \(workspace.words.sentence(failure).text)")
    }
    for problem in attempt.problems.prefix(5) { log.notice("\(name): \(problem.at): \(problem.message)") }
  }

  // MARK: What is done

  private func perform(_ effect: Effect) {
    switch effect {
    case .load(let query, let window):
      wanted = (query, window)
      reload()
    case .loadMessage(let id):
      read({ store throws(StoreFailure) in try store.message(id) }) { session, message in
        session.happened(.messageLoaded(id, message.map(session.localized)))
      }
    case .findUnread(let query, let key, let forward):
      read({ store throws(StoreFailure) in
        try store.nextUnread(after: key, query: query, forward: forward)
      }) { session, found in session.happened(.unreadFound(query, found)) }
    case .perform(let act):
      let now = workspace.surroundings.now()
      write { store throws(StoreFailure) in try store.perform(act, at: now) }
    case .undo:
      let now = workspace.surroundings.now()
      write({ store throws(StoreFailure) in try store.undo(at: now) }) { session, undone in
        session.happened(.undone(undone.map(UserAct.init)))
      }
    case .snooze(let id, let text): snooze(id, text)
    case .markSeen(let scope): write { store throws(StoreFailure) in try store.markSeen(scope) }
    case .refresh(let source): refresh(source, .soft)
    case .refreshNow(let source): refresh(source, .forced)
    case .loadTimeline(let source):
      read({ store throws(StoreFailure) in try store.attempts(of: source, limit: 200) }) {
        session, attempts in
        session.happened(.timelineLoaded(source, attempts))
      }
    case .addSource(let address): add(address)
    case .openLink(let link): open(link)
    case .copy(let text): screen.copyToClipboard(text)
    case .scheduleTick:
      Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(100))
        self?.happened(.ticked)
      }
    case .redraw: screen.redraw()
    case .suspend: screen.suspendProcess()
    case .quit: end(nil)
    }
  }

  private func end(_ signal: Int32?) {
    ending?.resume(returning: signal)
    ending = nil
  }

  /// Reads the wanted list anew. Of several reads only the last is shown, and changes during a read ask for one more.
  private func reload() {
    loads += 1
    let (load, query, window) = (loads, wanted.query, wanted.window)
    read({ store throws(StoreFailure) in try store.snapshot(query, window) }) { session, snapshot in
      guard load == session.loads else { return }
      session.happened(.inboxChanged(session.localized(snapshot)))
    }
  }

  private func read<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value,
    then: @escaping @MainActor (InboxSession, Value) -> Void
  ) {
    Task { [weak self, reader] in
      do {
        let value = try await reader.read(work)
        if let self { then(self, value) }
      } catch {
        self?.report(error)
      }
    }
  }

  private func write<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value,
    then: @escaping @MainActor (InboxSession, Value) -> Void = { _, _ in }
  ) {
    let store = workspace.store
    let task = Task { [weak self] in
      do {
        let value = try await store.inBackground(work)
        if let self { then(self, value) }
      } catch {
        self?.report(error)
      }
    }
    writes.append(task)
    if writes.count > 64 { writes.removeFirst(32) }
  }

  func refresh(_ source: SourceID?, _ trigger: PollTrigger) {
    Task { [weak self, poller] in
      if let source {
        let result = await poller.refresh(source, trigger)
        self?.happened(.refreshEnded(source, result))
      } else if trigger == .soft {
        _ = await poller.refreshAll(trigger)
      } else {
        await withTaskGroup(of: (SourceID, RefreshResult).self) { group in
          for source in self?.workspace.sources ?? [] {
            group.addTask { (source.id, await poller.refresh(source.id, trigger)) }
          }
          for await (source, result) in group { self?.happened(.refreshEnded(source, result)) }
        }
      }
    }
  }

  private func open(_ link: String) {
    let opener = LinkOpener(
      command: workspace.settings.openCommand, environment: workspace.surroundings.environment)
    do {
      try opener.open(link)
    } catch {
      happened(.linkFailed(address: link, reason: error.reason), painting: false)
    }
  }

  /// Messages that came with a sound ring once, however many they are.
  private func sound(_ ids: [MessageID]) {
    let newest = Array(ids.suffix(100))
    read({ store throws(StoreFailure) in
      for id in newest.reversed() {
        if let sound = try store.message(id)?.content.extras?.sound { return sound }
      }
      return nil
    }) { (session, sound: String?) in
      guard let sound else { return }
      let player = SoundPlayer(
        command: session.workspace.settings.soundCommand,
        environment: session.workspace.surroundings.environment)
      if !player.play(sound) { session.screen.ringBell() }
    }
  }

  private func snooze(_ id: MessageID, _ text: String) {
    let surroundings = workspace.surroundings
    let now = surroundings.now()
    guard let until = SnoozeTime.parse(text, now: now, zone: surroundings.zone()) else {
      // On the next turn: this is called while another action is being taken in.
      Task { [weak self] in self?.happened(.snoozed(id, until: nil, text: text)) }
      return
    }
    write({ store throws(StoreFailure) in try store.perform(.snooze([id], until: until), at: now) }) {
      session, _ in
      session.happened(.snoozed(id, until: until, text: text))
      session.scheduleTransition()
    }
  }

  private func add(_ address: String) {
    Task { [weak self] in
      guard let self else { return }
      let answer = await SourceAdder(workspace).answer(to: address)
      if case .added = answer { await reopenSettings() }
      happened(.addAnswered(answer))
    }
  }

  // MARK: Files and time

  /// The database's files tell of other processes, the settings file of its owner's editor.
  private func watchFiles() {
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

  /// Takes over sources that were added or removed; a mistake in the file is said and changes nothing.
  private func reopenSettings() async {
    do {
      let settings = try workspace.settingsFile.load()
      let fresh = try Workspace(
        settings: settings, file: workspace.settingsFile, store: workspace.store,
        surroundings: workspace.surroundings)
      guard fresh.sources != workspace.sources else { return }
      workspace = fresh
      await adapters.sourcesChanged(fresh)
      await poller.sourcesChanged(fresh.sources)
      reload()
    } catch {
      report(error)
    }
  }

  /// Sleeps until the next message appears or expires; lists, counts and dots then change without a poll.
  private func scheduleTransition() {
    transition?.cancel()
    let store = workspace.store
    let now = workspace.surroundings.now
    transition = Task { [weak self] in
      do {
        while true {
          guard
            let next = try await store.inBackground({ store throws(StoreFailure) in
              try store.advance(to: now())
            })
          else { return }
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
