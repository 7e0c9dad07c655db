package import Foundation
package import Messages

/// Polls sources: periodically while `run()` runs, and on every refresh.
///
/// `PollSchedule` decides when to poll; the ports fetch and record. There are two clocks: `now` gives timestamps;
/// `clock` is used for waits, and must continue while the machine sleeps, as `ContinuousClock` does (CLOCK_BOOTTIME).
package actor Poller {
  /// The longest sleep of `run()`, in seconds: a change of the wall clock must be noticed within this time.
  static let longestSleep: TimeInterval = 24 * 3600

  /// A poll that is in progress (in flight).
  struct Flight {
    let source: Source
    let trigger: PollTrigger
    let since: Date
    var task: Task<Void, Never>?
    var isStopped = false
    /// Stops the work that the poll is waiting for.
    var stop: (@Sendable () -> Void)?
  }

  let fetching: any PollFetching
  let recording: any PollRecording
  let clock: any Clock<Duration>
  /// The deadlines of the polls in flight.
  let alarms: Alarms
  let now: @Sendable () -> Date
  /// Returns the random part of an interval, 0 to 0.1.
  let jitter: @Sendable () -> Double

  var schedule: PollSchedule
  /// The states in the store when they were last read. If a stored state differs, another process has polled.
  var known: [SourceID: PollState] = [:]
  /// The number of polls of each source that have ended. Data that was read before such an end is out of date.
  var generations: [SourceID: Int] = [:]
  var flights: [SourceID: Flight] = [:]
  /// The sources whose fetch has not returned yet, even if their poll was given up.
  var fetches: Set<SourceID> = []
  /// The sources of the settings.
  private var configured: [Source]
  private var isLoaded = false
  /// Whether the initial delays, after which sources are first polled, have begun.
  private var isStarted = false
  private(set) var isStopping = false
  /// The responses to requests that servers held open, until the poll that stores them.
  var answers: [SourceID: HeldAnswer] = [:]
  /// The refreshes that wait for the result of a source's poll.
  var waiters: [SourceID: [AsyncStream<RefreshResult>.Continuation]] = [:]
  /// The results of held-back refreshes that are already in the timeline, so that each is stored only once.
  var noted: [SourceID: Set<RefreshResult>] = [:]
  var observers: [AsyncStream<PollEvent>.Continuation] = []
  /// The activity of each source that was last sent to observers.
  var sent: [SourceID: SourceActivity] = [:]
  /// Wakes `run()`, or `nil` while it doesn't run.
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

  // MARK: Periodic polls

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

  /// Begins the initial delays of all sources, only once after the program's start. `run()` calls this.
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

  /// Reads the polls and holds that another process has written to the store.
  package func storeChanged() async {
    guard isLoaded else { return }
    await reread(schedule.sources.map(\.id))
    wake()
  }

  // MARK: Stored state

  /// Reads the stored state that a refresh needs. While `run()` runs, this also begins the initial delays, because a
  /// refresh must not be made before they have begun.
  func prepare() async {
    if bell == nil { await load() } else { await start() }
  }

  /// Reads the stored state of the configured sources, unless that was already done.
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

  /// Applies stored holds: the times until which hosts must not receive requests.
  func learn(_ holds: [String: Date], at: Date) {
    for (host, until) in holds { schedule.hostHeld(HostHold(host: host, until: until), at: at) }
  }

  // MARK: Waking

  /// Begins the polls that are due, and wakes `run()`, which plans its next wait.
  func wake() {
    pollDueSources(at: now())
    bell?.yield()
  }

  /// Connects a poll's current work to the poll, so that stopping the poll ends the work.
  func tie<Answer>(_ work: Deadline<Answer>, to id: SourceID) {
    flights[id]?.stop = { work.stop() }
    if flights[id]?.isStopped ?? true { work.stop() }
  }

  /// Stops the poll of a source that is in flight, if any.
  private func stopFlight(_ id: SourceID) {
    flights[id]?.isStopped = true
    flights[id]?.stop?()
  }

  /// Returns a task that wakes `run()` after a wait, in seconds.
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
