import Foundation
import Messages
import Platform
package import Storage
import Words

// Deleting what sources no longer keep: by `reddot prune`, and automatically once a day.
extension Profile {
  private static var interval: TimeInterval { 86_400 }

  /// Deletes what the sources no longer keep, or counts it.
  ///
  /// - Parameter isDry: only counts.
  /// - Returns: a line for each source with deleted messages, or one line if there are none.
  package func prune(isDry: Bool) throws(StoreFailure) -> [String] {
    let now = environment.now()
    let limits = try store.retention.limits(of: sources, at: now)
    guard sources.contains(where: { $0.retention != .everything }) else {
      return ["every source keeps everything; keep and keep_messages in the settings limit it"]
    }
    if let lead = limits.clockLead {
      return [
        "nothing is deleted: this clock is \(Int(lead / .seconds(86_400))) days ahead of the latest time that a server has said; set it if it is wrong, then poll"
      ]
    }
    let counts = isDry ? try store.retention.prunable(limits) : try store.retention.pruneAll(limits)
    if !isDry { try store.retention.endPruning(at: now, removed: counts.values.reduce(0, +)) }
    let lines = sources.compactMap { source in
      counts[source.id].map { count in
        "\(SafeOutput.line(source.name)): \(count) \(count == 1 ? "message" : "messages") "
          + (isDry ? "would go" : "gone")
      }
    }
    return lines.isEmpty ? ["nothing is older or more than what is kept"] : lines
  }

  /// Whether a day has passed since the last time. If all sources keep everything, only rows of other tables are deleted.
  private static func isPruningDue(in store: Store, at now: Date) throws(StoreFailure) -> Bool {
    guard let last = try store.retention.lastPruned() else { return true }
    // If the clock was set back since then, pruning must not wait for years.
    return abs(now.timeIntervalSince(last)) >= interval
  }

  /// Prunes if a day has passed since the last time. For a round of polls, which may take longer.
  package func pruneIfDue() throws(StoreFailure) {
    let now = environment.now()
    guard try Self.isPruningDue(in: store, at: now) else { return }
    let counts = try store.retention.pruneAll(store.retention.limits(of: sources, at: now))
    try store.retention.endPruning(at: now, removed: counts.values.reduce(0, +))
  }

  /// The same for an inbox, in steps with pauses, so that other writes can happen in between.
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
