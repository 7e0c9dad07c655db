import Basics
import Foundation
import Interface
import Logging
import Platform
import Profile
import Settings
import Storage

/// Keeps this machine in sync with the user's others while the inbox runs.
@MainActor
final class MachineSync {
  private let loop: InboxLoop
  private var keeper: SyncKeeper?
  /// The sync settings of the last call of `follow`.
  private var options = SyncOptions()
  private var task: Task<Void, Never>?
  /// The time at which changes are sent, and the task that waits for it.
  private var timer: (due: ContinuousClock.Instant, task: Task<Void, Never>)?
  private var lastSent: ContinuousClock.Instant?
  /// The waiting end of the inbox, which continues after the next sync.
  private var sent: AsyncStream<Void>.Continuation?
  /// Reports unsent changes after a while.
  private let repeated: RepeatedLook
  /// Schedules the sending of changes after a change of the store.
  private lazy var acts = RepeatedLook(loop) { [weak self] in
    await self?.schedule()
    return nil
  }

  init(_ loop: InboxLoop) {
    self.loop = loop
    repeated = RepeatedLook(loop) { try await Self.look(loop) }
  }

  /// Starts synchronising, or restarts it if its settings have changed.
  func follow() {
    let options = loop.profile.settings.sync
    guard options != self.options else { return }
    stop()
    self.options = options
    guard options.place != nil else { return repeated.look() }
    do throws(POSIXError) {
      let keeper = try SyncKeeper(loop.profile)
      self.keeper = keeper
      task = Task { [weak self] in
        let (events, event) = AsyncStream.makeStream(of: SyncKeeper.Event.self)
        async let kept: Void = keeper.run { event.yield($0) }
        for await event in events { self?.happened(event) }
        await kept
      }
    } catch {
      loop.log?.error("synchronisation: \(String(cString: strerror(error.code.rawValue)))")
    }
  }

  private func happened(_ event: SyncKeeper.Event) {
    switch event {
    case .ended(let outcome):
      for note in outcome.notes { loop.log?.notice("synchronisation: \(note)") }
    case .failed(let sentence): loop.log?.error("synchronisation: \(sentence)")
    }
    sent?.yield()
    repeated.look()
  }

  /// Checks for changes to send after a change of the store.
  func storeChanged() {
    if keeper != nil { acts.look() }
  }

  /// Sends waiting changes soon after the first of them. If the user has only seen a list, so that its dot disappeared,
  /// the change isn't urgent.
  private func schedule() async {
    guard let waiting = await waiting() else { return }
    guard waiting.count > 0 else {
      // The changes were sent in the meantime.
      timer?.task.cancel()
      timer = nil
      return
    }
    let now = ContinuousClock.now
    let (first, next) =
      options.isFolder
      ? (Limits.secondsUntilActsAreSent, Limits.secondsBetweenSending)
      : (Limits.secondsUntilActsAreSentAtOnce, Limits.secondsBetweenSendingAtOnce)
    var due = now + .seconds(waiting.since == nil ? Limits.secondsUntilSeenIsSent : first)
    if let lastSent { due = max(due, lastSent + .seconds(next)) }
    // A program on another machine waits for an answer.
    if waiting.isUrgent { due = now }
    if let timer, timer.due <= due { return }
    timer?.task.cancel()
    let clock = loop.profile.environment.timer
    let task = Task { [weak self] in
      // Only a cancellation ends a sleep early.
      guard (try? await clock.sleep(for: due - now)) != nil, let self else { return }
      timer = nil
      lastSent = .now
      keeper?.synchroniseSoon()
    }
    timer = (due, task)
  }

  /// Returns the number of unsent changes, the time of the first one, and whether a program waits for one of them.
  private func waiting() async -> (count: Int, since: Date?, isUrgent: Bool)? {
    do throws(StoreFailure) {
      return try await loop.profile.store.inBackground { store throws(StoreFailure) in
        let (count, since) = try store.sync.waiting()
        return (count, since, try store.sync.isUrgent())
      }
    } catch {
      loop.report(error)
      return nil
    }
  }

  private func stop() {
    timer?.task.cancel()
    timer = nil
    keeper?.stop()
    keeper = nil
    task?.cancel()
    task = nil
  }

  /// Sends the last changes immediately if the location is fast; the rest waits for the next start or poll.
  func end() async {
    await repeated.stop()
    await acts.stop()
    if let keeper, let waiting = await waiting(), waiting.count > 0 {
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      sent = end
      keeper.synchroniseSoon()
      let clock = loop.profile.environment.timer
      let limit = Task {
        // This is cancelled if the changes were sent before.
        if (try? await clock.sleep(for: .seconds(Limits.secondsToSendAtEnd))) != nil { end.finish() }
      }
      for await _ in ends { break }
      limit.cancel()
    }
    stop()
  }

  /// Reports changes that were not sent for an hour.
  ///
  /// - Returns: the time of the next change if nothing else happens.
  private static func look(_ loop: InboxLoop) async throws -> Date? {
    let profile = loop.profile
    guard profile.settings.sync.place != nil else {
      if loop.state.unsent != nil { loop.happened(.unsentChanged(nil)) }
      return nil
    }
    let waiting = try await profile.store.inBackground { store throws(StoreFailure) in
      try store.sync.waiting()
    }
    let now = profile.environment.now()
    guard waiting.count > 0, let since = waiting.since else {
      if loop.state.unsent != nil { loop.happened(.unsentChanged(nil)) }
      return nil
    }
    let due = since + Limits.secondsUntilUnsentIsSaid
    let unsent = due <= now ? UnsentActs(count: waiting.count, since: since) : nil
    if unsent != loop.state.unsent { loop.happened(.unsentChanged(unsent)) }
    return unsent == nil ? due : nil
  }
}
