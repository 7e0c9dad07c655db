import Foundation
import Messages
import Platform
package import Storage

// Deletes messages that sources no longer keep: with `reddot prune`, and automatically once a day.
extension Profile {
  /// The time between two automatic prunings, in seconds.
  private static var interval: TimeInterval { 86_400 }

  /// Deletes the messages that the sources no longer keep, or only counts them.
  ///
  /// - Parameter isDry: whether to only count them.
  package func prune(isDry: Bool) throws(StoreFailure) -> Pruning {
    let now = environment.now()
    let limits = try store.retention.limits(of: sources, at: now)
    guard sources.contains(where: { $0.retention != .everything }) else {
      return Pruning(
        isDry: isDry,
        reason: "every source keeps everything; set keep or keep_messages in the settings to limit it"
      )
    }
    if let lead = limits.clockLead {
      return Pruning(
        isDry: isDry,
        reason:
          "nothing is deleted: this clock is \(Int(lead / .seconds(86_400))) days ahead of the latest time of a server; set the clock if it is wrong, then poll"
      )
    }
    let counts = isDry ? try store.retention.prunable(limits) : try store.retention.pruneAll(limits)
    if !isDry { try store.retention.endPruning(at: now, removed: counts.values.reduce(0, +)) }
    let sources = sources.compactMap { source in counts[source.id].map { (name: source.name, messages: $0) } }
    return Pruning(
      isDry: isDry, sources: sources,
      reason: sources.isEmpty ? "nothing exceeds the limits of keep and keep_messages" : nil)
  }

  /// Whether a day has passed since the last pruning.
  private static func isPruningDue(in store: Store, at now: Date) throws(StoreFailure) -> Bool {
    guard let last = try store.retention.lastPruned() else { return true }
    // If the clock was set back since then, pruning must not wait for years.
    return abs(now.timeIntervalSince(last)) >= interval
  }

  /// Prunes if a day has passed since the last time. If all sources keep everything, only rows of other tables are
  /// deleted. This is for a poll run, which may take longer.
  package func pruneIfDue() throws(StoreFailure) {
    let now = environment.now()
    guard try Self.isPruningDue(in: store, at: now) else { return }
    let counts = try store.retention.pruneAll(store.retention.limits(of: sources, at: now))
    try store.retention.endPruning(at: now, removed: counts.values.reduce(0, +))
  }

  /// Prunes if a day has passed since the last time, in steps with pauses, so that other writes can happen in between.
  /// This is for an inbox.
  ///
  /// - Throws: `StoreFailure`, or `CancellationError`.
  package func pruneIfDue(pause: Duration) async throws {
    let now = environment.now()
    let sources = sources
    let limits = try await store.inBackground { store throws(StoreFailure) -> RetentionLimits? in
      guard try Self.isPruningDue(in: store, at: now) else { return nil }
      return try store.retention.limits(of: sources, at: now)
    }
    guard let limits else { return }
    var place: PruneStep.Place? = .init()
    var removed = 0
    while let start = place {
      (place, removed) = try await store.inBackground { [removed] store throws(StoreFailure) in
        let step = try store.retention.prune(limits, from: start)
        let all = removed + step.removed.values.reduce(0, +)
        if step.next == nil { try store.retention.endPruning(at: now, removed: all) }
        return (step.next, all)
      }
      if place != nil { try await environment.timer.sleep(for: pause) }
    }
  }
}

/// The messages that pruning deleted, or would delete.
package struct Pruning: Sendable {
  /// Whether the messages were only counted, not deleted.
  package var isDry: Bool
  /// The sources with messages to delete and their numbers, in the order of the sources.
  package var sources: [(name: String, messages: Int)] = []
  /// The reason why nothing is deleted, or `nil` if something is.
  package var reason: String?
}
