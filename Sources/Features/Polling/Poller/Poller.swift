package import Foundation
package import Messages

/// Polls sources: periodically while `run()` runs, and on every refresh.
///
/// `PollSchedule` decides when to poll; the ports fetch and record. There are two clocks: `now` gives timestamps;
/// `clock` is used for waits, and must continue while the machine sleeps, as `ContinuousClock` does (CLOCK_BOOTTIME).
package actor Poller {
  /// The longest sleep: a change of the wall clock must be noticed within this time.
  static let longestSleep: TimeInterval = 24 * 3600

  struct Flight {
    let source: Source
    let trigger: PollTrigger
    let since: Date
    var task: Task<Void, Never>?
    var isStopped = false
    /// Stops the work that the flight is waiting for.
    var stop: (@Sendable () -> Void)?
  }

  let fetching: any PollFetching
  let recording: any PollRecording
  let clock: any Clock<Duration>
  let alarms: Alarms
  let now: @Sendable () -> Date
  let jitter: @Sendable () -> Double

  var schedule: PollSchedule
  /// The states in the store as last read; if they differ, another process has polled.
  var known: [SourceID: PollState] = [:]
  /// The number of flights of each source: data that was read before one of them ended is out of date.
  var generations: [SourceID: Int] = [:]
  var flights: [SourceID: Flight] = [:]
  /// Sources whose fetch has not returned yet, even if their flight has been given up.
  var fetches: Set<SourceID> = []
  private var configured: [Source]
  private var isLoaded = false
  private var isStarted = false
  private(set) var isStopping = false
  /// The responses to requests that servers held open, until the poll that stores them.
  var answers: [SourceID: HeldAnswer] = [:]
  var waiters: [SourceID: [AsyncStream<RefreshResult>.Continuation]] = [:]
  var noted: [SourceID: Set<RefreshResult>] = [:]
  var observers: [AsyncStream<PollEvent>.Continuation] = []
  var sent: [SourceID: SourceActivity] = [:]
  private var bell: AsyncStream<Void>.Continuation?

  /// - Parameters:
  ///   - now: the wall clock.
  ///   - jitter: the random part of an interval, 0 to 0.1, chosen at the end of each poll.
  package init(
    sources: [Source], fetching: any PollFetching, recording: any PollRecording,
    limits: PollSchedule.Limits = .init(), clock: any Clock<Duration>, now: @escaping @Sendable () -> Date,
    jitter: @escaping @Sendable () -> Double
  ) {
    configured = sources
    self.fetching = fetching
    self.recording = recording
    self.clock = clock
    alarms = Alarms(clock)
    self.now = now
    self.jitter = jitter
    schedule = PollSchedule(limits: limits)
  }

  // MARK: By itself

  /// Polls the sources that are due and sleeps until the next poll, until its task is cancelled.
  ///
  /// When it is cancelled, it returns once every poll in flight is recorded or dropped, never in part.
  package func run() async {
    guard bell == nil else { return }
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.bell = bell
    isStopping = false
    isStarted = false
    await start()

    bell.yield()
    var alarm: Task<Void, Never>?
    for await _ in rings {
      alarm?.cancel()
      let at = now()
      pollDueSources(at: at)
      alarm = schedule.nextWake(at: at).map { ring(bell, after: $0.timeIntervalSince(at)) }
    }
    alarm?.cancel()
    self.bell = nil
    await stop()
  }

  /// Starts the initial delays when the program starts, only once. `run()` calls this.
  package func start() async {
    await load()
    guard !isStarted else { return }
    isStarted = true
    schedule.programStarted(at: now())
    announce()
  }

  /// Begins the polls that are due and allowed, and returns immediately.
  package func pollDueSources(at: Date) {
    guard !isStopping else { return }
    let beginning = schedule.begin(at: at)
    for refusal in beginning.refusals {
      complete(refusal.source, .heldBack(until: refusal.until, rule: refusal.rule))
    }
    for (source, trigger) in beginning.starts {
      flights[source.id] = Flight(source: source, trigger: trigger, since: at)
      flights[source.id]?.task = Task { await self.conduct(source, trigger) }
    }
    announce()
  }

  /// Ends all polls, each of them recorded or dropped as a whole, and completes all waiting refreshes. Fetches are
  /// cancelled, without a wait for them.
  package func stop() async {
    isStopping = true
    for id in schedule.dropRequests() { complete(id, .failed(.cancelled)) }
    for id in flights.keys { stopFlight(id) }
    for task in flights.values.compactMap(\.task) { await task.value }
    for observer in observers { observer.finish() }
    observers = []
  }

  /// Applies changed settings. Polls of removed sources are dropped.
  package func sourcesChanged(_ sources: [Source]) async {
    configured = sources
    isLoaded = false
    await load()
    wake()
  }

  /// Reads the polls and holds of another process that wrote to the store.
  package func storeChanged() async {
    guard isLoaded else { return }
    await reread(schedule.sources.map(\.id))
    wake()
  }

  // MARK: What is stored

  /// Loads the data that a refresh needs. A refresh that comes while `run()` still reads the store must not begin
  /// before the initial delay, so this function starts the program's time.
  func prepare() async {
    if bell == nil { await load() } else { await start() }
  }

  func load() async {
    guard !isLoaded else { return }
    let sources = configured
    var stored: PollMemory?
    do throws(FetchFailure) {
      stored = try await recording.memory(of: sources.map(\.id))
    } catch {
      send(.recordingFailed(error))
    }
    // Another call may have loaded in the meantime, or the settings may have changed again.
    guard !isLoaded, sources == configured else { return await load() }
    isLoaded = true
    let kept = Set(sources.map(\.id))
    for gone in schedule.sources.map(\.id) where !kept.contains(gone) {
      stopFlight(gone)
      if flights[gone] == nil { complete(gone, .failed(.cancelled)) }
      (known[gone], sent[gone], noted[gone]) = (nil, nil, nil)
    }
    schedule.sourcesChanged(sources, memory: stored ?? PollMemory(), at: now())
    for source in sources {
      if flights[source.id] != nil { schedule.pollStillInFlight(source.id) }
      if let stored, known[source.id] == nil { known[source.id] = stored.states[source.id] ?? PollState() }
    }
    let activities = sources.compactMap { activity(of: $0.id) }
    for activity in activities { sent[activity.source] = activity }
    send(.current(activities))
  }

  /// Reads the polls and holds that other processes have stored since the last time.
  func reread(_ ids: [SourceID]) async {
    let before = generations
    do throws(FetchFailure) {
      let memory = try await recording.memory(of: ids)
      let at = now()
      learn(memory.holds, at: at)
      for id in ids where flights[id] == nil && generations[id] == before[id] {
        let state = memory.states[id] ?? PollState()
        guard known[id] != state else { continue }
        known[id] = state
        forgetNotes(of: id)
        schedule.stateChangedElsewhere(id, state: state, at: at)
      }
    } catch {
      send(.recordingFailed(error))
    }
  }

  func learn(_ holds: [String: Date], at: Date) {
    for (host, until) in holds { schedule.hostHeld(HostHold(host: host, until: until), at: at) }
  }

  // MARK: Waking

  func wake() {
    pollDueSources(at: now())
    bell?.yield()
  }

  /// Makes `stop()` end the flight's current work.
  func tie<Answer>(_ work: Deadline<Answer>, to id: SourceID) {
    flights[id]?.stop = { work.stop() }
    if flights[id]?.isStopped ?? true { work.stop() }
  }

  private func stopFlight(_ id: SourceID) {
    flights[id]?.isStopped = true
    flights[id]?.stop?()
  }

  private func ring(_ bell: AsyncStream<Void>.Continuation, after wait: TimeInterval) -> Task<Void, Never> {
    // The time is rounded up, so that the sleep does not end a moment before something is due.
    let wait = Duration.milliseconds(Int64((min(max(wait, 0), Self.longestSleep) * 1000).rounded(.up)))
    return Task { [clock] in
      // The sleep fails only if this alarm was cancelled for a newer one.
      guard (try? await clock.sleep(for: wait)) != nil else { return }
      bell.yield()
    }
  }
}
