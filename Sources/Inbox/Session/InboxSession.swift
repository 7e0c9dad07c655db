package import Banners
import Calendars
import Foundation
package import Interface
import Logging
import Messages
import Notifications
import Platform
import Polling
package import Profile
import Screen
import Settings
import Storage
import Subscriptions
package import Words

/// The running inbox: its parts, their communication, and the order in which they end.
///
/// Everything here runs on the main actor, after events of the terminal, the store, the poller and timers; without
/// events nothing runs.
@MainActor
package final class InboxSession {
  let loop: InboxLoop
  let store: StoreAccess
  let steps = JournalSteps()
  let adapters: AdapterFetcher
  let poller: Poller
  let writeBack: WriteBackLoop
  let programs: ProgramRuns
  let output: MessageOutput
  let settings: LiveSettings
  let rules: RuleWork
  let offers: OfferWork
  let pages: PageWork
  let files: FileFollower
  let telling: NoticeTelling
  let quiet: QuietFollower
  /// Shows the list again when a day begins: its rows and lines name days.
  private let days: RepeatedLook
  let machines: MachineSync
  let desktop: DesktopFollower
  let phone: PhoneFollower
  let upkeep: StoreUpkeep
  let questions: QuestionFollower
  /// The banners, or `nil` if there is no program that runs the scripts of views.
  let banners: BannerShowing?
  private let streams: StreamKeeper
  /// The results of polls of this process, for sounds and features.
  private let arrivals: AsyncStream<(source: SourceID, recorded: RecordedPoll)>
  /// The reasons why the log could not be written.
  private let logFailures: AsyncStream<String>
  private var tasks: [Task<Void, Never>] = []
  /// The continuation of `run`, until the inbox ends.
  private var ending: CheckedContinuation<Int32?, Never>?

  /// - Parameters:
  ///   - scripts: runs the scripts of banners' views; without it, no banner is shown.
  ///   - timeline: whether the poll timeline is open from the start.
  package init(
    profile: Profile, screen: any InboxScreen, options: InterfaceOptions, scripts: BannerScripts? = nil,
    timeline: Bool = false
  ) {
    let environment = profile.environment
    let (failures, failure) = AsyncStream.makeStream(of: String.self)
    logFailures = failures
    let log = profile.logFile.map { path in
      FileLog(path: path, now: environment.now) { failure.yield($0) }.logger(label: "inbox")
    }
    // If they cannot be read, the list cannot either, and that is shown.
    let stored = profile.store.preferences
    let remembered = Preferences((try? stored.all()) ?? [:], lists: (try? stored.lists()) ?? [:])
    loop = InboxLoop(
      profile: profile, screen: screen, log: log,
      state: AppState(
        options: options, size: screen.size, now: environment.now(), timeline: timeline,
        preferences: remembered))
    let (arrivals, arrival) = AsyncStream.makeStream(of: (source: SourceID, recorded: RecordedPoll).self)
    self.arrivals = arrivals
    let recorder = StoreRecorder(profile.observedArrival, log: log) { source, recorded in
      if !recorded.ids.isEmpty || !recorded.features.isEmpty {
        arrival.yield((source, recorded))
      }
    }
    adapters = AdapterFetcher(profile, language: profile.language)
    poller = Poller(
      sources: profile.sources, fetching: adapters, recording: recorder,
      clock: environment.timer, now: environment.now, jitter: { environment.random() * 0.1 })
    streams = StreamKeeper(
      adapters, poller, profile.store, log: log, now: environment.now, clock: environment.timer,
      random: environment.random)
    store = StoreAccess(loop)
    writeBack = WriteBackLoop(loop, adapters)
    programs = ProgramRuns(loop)
    output = MessageOutput(loop, store.reader, programs)
    settings = LiveSettings(loop, store, programs)
    rules = RuleWork(loop, store, settings)
    offers = OfferWork(loop, settings)
    pages = PageWork(loop, store.reader, poller, adapters)
    files = FileFollower(loop)
    telling = NoticeTelling(loop, programs)
    quiet = QuietFollower(loop, store, telling)
    days = RepeatedLook(loop) { [loop] in loop.showDay() }
    machines = MachineSync(loop)
    desktop = DesktopFollower(loop)
    phone = PhoneFollower(loop, adapters.transport)
    upkeep = StoreUpkeep(loop)
    questions = QuestionFollower(loop, store)
    banners = scripts.map { [loop, adapters] scripts in BannerShowing(loop, adapters, scripts) }
    connect()
  }

  /// Sets the closures through which the parts call each other.
  private func connect() {
    loop.perform = { [weak self] effect in self?.perform(effect) }
    loop.afterAction = { [weak self] in
      if let self, banners?.endsInbox == true { end(nil) }
    }
    store.afterAct = { [writeBack] in writeBack.carrySoon() }
    settings.added = { [adapters] added in
      if let first = added.first { await adapters.begin(added.name, with: first) }
      added.turn?.release()
    }
    settings.quietChanged = { [telling] in telling.look() }
    settings.changed = { [weak self] old in await self?.settingsChanged(from: old) }
  }

  package var state: AppState { loop.state }

  /// The number of the user's acts that are not written yet.
  package nonisolated var unwritten: Int { store.unwritten }

  // MARK: From start to end

  /// Shows the list and runs until the user quits. Then the terminal is restored immediately, even if work is pending.
  ///
  /// - Returns: the signal that ended it, or `nil`. Call `windDown` afterwards.
  package func run(keymapProblems: [Keymap.Problem] = []) async -> Int32? {
    loop.handle(.started)
    store.loadAtStart()
    if !keymapProblems.isEmpty { loop.happened(.settings(.keymapProblems(keymapProblems))) }
    watch()
    programs.isRunning = true
    let signal = await withCheckedContinuation { ending = $0 }
    loop.screen.close()
    return signal
  }

  /// Shows a banner whatever its conditions are; the inbox ends with it.
  package func present(_ show: BannerShow) { banners?.present(show) }

  /// Makes `run` return.
  func end(_ signal: Int32?) {
    programs.endForeground()
    programs.isRunning = false
    ending?.resume(returning: signal)
    ending = nil
  }

  /// Finishes the user's acts, ends all other work, and closes the store. The caller limits the time: a write may wait
  /// for another process.
  package func windDown() async {
    let polls = Task { [poller] in await poller.stop() }
    await store.finish()
    questions.stop()
    await loop.finishStarted()
    await upkeep.finishPrograms()
    await telling.end()
    await machines.end()
    await desktop.stop()
    await phone.stop()
    streams.stop()
    await writeBack.end()
    await banners?.end()
    loop.isOver = true
    await pages.stop()
    loop.screen.listen(nil)
    for task in tasks { task.cancel() }
    files.stop()
    upkeep.stop()
    await quiet.stop()
    await days.stop()
    rules.stop()
    await polls.value
    await adapters.shutDown()
    closeStore()
  }

  /// Writes the write-ahead log to the database, so that the next start need not read it.
  private func closeStore() {
    do {
      try loop.profile.store.close()
    } catch {
      // The screen is already closed. Nothing is lost: the next process writes the log to the database.
      ErrorOutput.write("reddot: \(error.sentence)\n")
    }
  }

  // MARK: What happens

  /// Starts the work that runs while the inbox is open.
  private func watch() {
    loop.screen.listen { [weak self] in self?.received($0) }
    follow(logFailures) { session, reason in session.loop.happened(.failed(.log(reason: reason))) }
    follow(store.answers) { _, answer in answer() }
    follow(loop.profile.store.changes()) { session, change in session.storeChanged(change) }
    follow(arrivals) { session, arrival in
      if !arrival.recorded.ids.isEmpty { session.playSound(of: arrival.recorded.ids) }
      if !arrival.recorded.features.isEmpty { session.upkeep.runPrograms() }
    }
    // This precedes the first reading: an edit between the two would wait for the next interval.
    watchFiles()
    tasks.append(Task { [poller] in await poller.run() })
    tasks.append(
      Task { [weak self, poller] in
        for await event in await poller.events() { self?.polled(event) }
      })
    banners?.start()
    telling.start()
    quiet.look()
    days.look()
    machines.follow()
    desktop.follow()
    phone.look()
    upkeep.start()
    questions.start()
    writeBack.carrySoon()
    streams.keep(loop.profile.sources)
  }

  func watchFiles() {
    files.start { [weak self] change in await self?.filesChanged(change) }
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
        telling.inputArrived(input)
        loop.handle(.input(input))
      case .terminate(let signal): end(signal)
      case .signsAreWide, .backgroundIsKnown: applyOptions()
      }
    }
    loop.paint()
  }

  /// Does the work after new messages and all other changes of the database, as `Profile.arrival` does for commands.
  private func storeChanged(_ change: StoreChange) {
    if change == .elsewhere {
      Task { [poller] in await poller.storeChanged() }
      writeBack.carrySoon()
    }
    store.reload()
    upkeep.scheduleTransition()
    questions.look()
    telling.look()
    quiet.look()
    phone.look()
    machines.storeChanged()
  }

  private func filesChanged(_ change: FileChange) async {
    switch change {
    case .watching: await settings.reopen(onlyIfTheyDiffer: true)
    case .settings: await settings.reopen()
    case .zone: await zoneChanged()
    case .schedule(let sources): refresh(Set(sources), .forced)
    }
  }

  /// Shows all times in the new zone, and re-evaluates everything that depends on days: saved lists, schedules, quiet
  /// hours.
  private func zoneChanged() async {
    // Requesting the clock reads the zone.
    _ = loop.profile.environment.clock()
    loop.happened(.timeChanged(loop.profile.environment.now()))
    days.look()
    do {
      _ = try await loop.profile.inBackground { profile in
        try profile.applyRulesAndLists()
        return profile
      }
    } catch {
      loop.report(error)
    }
    refresh(files.scheduled, .forced)
    store.reload()
    upkeep.scheduleTransition()
    telling.look()
    quiet.look()
  }

  /// Applies changed settings to the parts of the session.
  private func settingsChanged(from old: Profile) async {
    let (profile, screen) = (loop.profile, loop.screen)
    banners?.settingsChanged()
    quiet.look()
    phone.look()
    machines.follow()
    if profile.settings.usesMouse != old.settings.usesMouse {
      screen.reportMouse(profile.settings.usesMouse)
    }
    applyOptions()
    let problems = profile.settings.keymap.problems
    if problems != old.settings.keymap.problems { loop.happened(.settings(.keymapProblems(problems))) }
    if old.language != profile.language { upkeep.translate() }
    let waiting = profile.settings.keysThatWaitForRestart(since: old.settings)
    if !waiting.isEmpty { loop.happened(.settings(.restartNeeded(waiting))) }
    await adapters.settingsChanged(profile, language: profile.language)
    await pages.settingsChanged()
    guard profile.sources != old.sources else { return }
    files.sourcesChanged()
    desktop.follow()
    await poller.sourcesChanged(profile.sources)
    streams.keep(profile.sources)
    upkeep.pruneDaily()
    store.reload()
  }

  /// Applies the settings to the interface; the terminal stays unchanged.
  private func applyOptions() {
    let old = loop.state.options
    let options = InterfaceOptions(loop.profile, screen: loop.screen, notice: old.notice)
    if options != old { loop.happened(.optionsChanged(options)) }
  }
}
