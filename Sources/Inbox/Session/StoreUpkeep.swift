import Formats
import Foundation
import Interface
import Logging
import Messages
import Notifications
import Platform
import Polling
import Profile
import Storage

/// The upkeep of the store while the inbox runs: messages that appear or expire at their times, features that
/// are switched at theirs, translations, indexes, pruning, and the programs of features and rules.
@MainActor
final class StoreUpkeep {
  private let loop: InboxLoop
  private var transition: Task<Void, Never>?
  private var translation: Task<Void, Never>?
  /// The last run of feature commands and programs of rules; each waits for the one before it.
  private var programs: Task<Void, Never>?
  private var indexing: Task<Void, Never>?
  private var pruning: Task<Void, Never>?

  init(_ loop: InboxLoop) { self.loop = loop }

  func start() {
    let log = loop.log
    loop.profile.store.reportFaults { log?.warning("\($0)") }
    // These are pending changes and acts of a process that was killed.
    runPrograms()
    scheduleTransition()
    translate()
    pruneDaily()
    fillIndexes()
  }

  /// Returns when the started programs have exited.
  func finishPrograms() async { await programs?.value }

  func stop() {
    for task in [transition, translation, indexing, pruning] { task?.cancel() }
  }

  /// Runs the waiting commands of features and programs of rules, one after another, since the order of changes
  /// matters.
  func runPrograms() {
    let profile = loop.profile
    let (hook, programs, store, earlier) = (
      FeatureHook(profile), RulePrograms(profile), profile.store, self.programs
    )
    self.programs = Task { [loop] in
      await earlier?.value
      var troubles = await hook.runWaiting(in: store)
      troubles += await programs.runWaiting(in: store)
      for trouble in troubles {
        loop.log?.warning("\(trouble)")
        loop.happened(.failed(.hook(reason: trouble)))
      }
    }
  }

  /// Sleeps until the next message appears or expires, or a feature is switched; then lists, counts and dots change
  /// without a poll.
  func scheduleTransition() {
    transition?.cancel()
    let store = loop.profile.store
    let (now, timer) = (loop.profile.environment.now, loop.profile.environment.timer)
    transition = Task { [weak self] in
      do {
        while true {
          let (next, due, hasRuns) = try await store.inBackground { store throws(StoreFailure) in
            (
              try store.time.advance(to: now()), try store.features.switchDue(at: now()),
              try !store.rules.waitingRuns(limit: 1).isEmpty
            )
          }
          if !due.isEmpty || hasRuns { self?.runPrograms() }
          guard let next else { return }
          let wait = max(0.001, next.timeIntervalSince(now()))
          // The wait is at most a day, since the clock may be set meanwhile.
          try await timer.sleep(for: .seconds(min(wait, 86400)))
        }
      } catch is CancellationError {
        return
      } catch {
        self?.loop.report(error)
      }
    }
  }

  /// Changes the stored messages to the user's language, the newest first; does nothing if they already are in it.
  func translate() {
    let language = loop.profile.language
    let store = loop.profile.store
    translation?.cancel()
    translation = Task { [loop] in
      do {
        var before: MessageID?
        repeat {
          before = try await store.inBackground { [before] store throws(StoreFailure) in
            try store.messages.translate(into: language, before: before) {
              LanguageChoice.index(for: language, in: $0)
            }
          }
        } while before != nil && !Task.isCancelled
      } catch {
        loop.report(error)
      }
    }
  }

  /// Adds messages of an earlier version to the search indexes, a few at a time.
  private func fillIndexes() {
    let (store, timer) = (loop.profile.store, loop.profile.environment.timer)
    indexing = keep {
      var isUnfinished = true
      while isUnfinished {
        try await timer.sleep(for: .milliseconds(100))
        isUnfinished = try await store.inBackground { store throws(StoreFailure) in
          try store.search.fill()
        }
      }
    }
  }

  /// Deletes messages that sources no longer keep, once a day and a minute after the start, so that a short session
  /// isn't delayed. If the sources keep everything, no timer is set. Called again when the sources have changed.
  func pruneDaily() {
    pruning?.cancel()
    guard loop.profile.sources.contains(where: { $0.retention != .everything }) else { return }
    pruning = keep { [loop] in
      var wait = Duration.seconds(60)
      while true {
        try await loop.profile.environment.timer.sleep(for: wait)
        do {
          try await loop.profile.pruneIfDue(pause: .milliseconds(50))
        } catch let failure as StoreFailure {
          loop.report(failure)
        }
        wait = .seconds(86_400)
      }
    }
  }

  /// Runs work until it ends, or until the end of the inbox cancels it. Any other error is reported.
  private func keep(_ work: @escaping @MainActor () async throws -> Void) -> Task<Void, Never> {
    Task { [loop] in
      do {
        try await work()
      } catch is CancellationError {
        return
      } catch {
        loop.report(error)
      }
    }
  }
}
