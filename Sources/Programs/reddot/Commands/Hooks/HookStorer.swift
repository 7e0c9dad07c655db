import Basics
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Storage

/// Stores what hooks left, one process at a time for a database.
struct HookStorer: Sendable {
  private let arrival: MessageArrival
  private let spool: HookSpool
  private let panes: Panes

  private init(_ arrival: MessageArrival, _ spool: HookSpool) {
    (self.arrival, self.spool) = (arrival, spool)
    panes = Panes(arrival.profile.environment)
  }

  private var profile: Profile { arrival.profile }

  /// Stores all that waits. If another process does that, or nothing waits, it ends immediately, without the database.
  ///
  /// Throws if the database can't be written: then all stays as it is, and the next process tries again.
  static func run(_ spool: HookSpool, open: () throws -> Profile) async throws {
    var profile: Profile?
    // Records that can be neither stored nor set aside: the next process tries again.
    var stuck: Set<String> = []
    while !spool.isEmpty, let lock = spool.tryLock() {
      defer { lock.release() }
      let names = try spool.names().filter { !stuck.contains($0) }
      if names.isEmpty { break }
      let opened = try profile ?? open()
      profile = opened
      try await opened.arrival(trouble: { HookLog.warn($0, opened.environment) }) { arrival in
        // Others may store while what follows is done.
        defer { lock.release() }
        stuck.formUnion(try await HookStorer(arrival, spool).store(names))
      }
    }
  }

  /// A record that can't be stored is set aside, and the others are stored: one must not hold back what all programs leave.
  ///
  /// - Returns: the names of those that could not be set aside either, and are where they were.
  private func store(_ names: [String]) async throws -> [String] {
    var stuck: [String] = []
    for failure in try spool.removeUnfinished(at: profile.environment.now()) {
      HookLog.warn(failure.sentence, profile.environment)
    }
    for name in names {
      do {
        guard let record = try spool.record(name) else {
          if !setAside(name, "it isn't what a hook leaves") { stuck.append(name) }
          continue
        }
        try await store(record, name)
        try spool.remove(name)
      } catch let failure as StoreFailure where failure.isOfDatabase {
        throw failure
      } catch let error as any UserFacingError {
        if !setAside(name, error.sentence) { stuck.append(name) }
      }
    }
    return stuck
  }

  /// - Returns: false if it stays where it is.
  private func setAside(_ name: String, _ reason: String) -> Bool {
    do throws(HookSpool.Failure) {
      let path = try spool.setAside(name, because: reason)
      HookLog.warn(
        "a record of a hook could not be stored, and is kept as \(path): \(reason)", profile.environment)
      return true
    } catch {
      HookLog.warn(
        "a record of a hook can be neither stored (\(reason)) nor set aside: \(error.sentence)",
        profile.environment)
      return false
    }
  }

  private func store(_ record: HookRecord, _ name: String) async throws {
    if case .looked = record.event {
      if let pane = record.pane { try arrival.looked(at: pane) }
      return
    }
    var pane = record.pane
    // Who looks there now says nothing of then.
    let isFresh = abs(profile.environment.now().timeIntervalSince(record.date)) < Limits.hookFreshSeconds
    let facts = isFresh ? await asked(pane) : nil
    if facts?.isOwn == true, record.event == .bell || record.event == .silence { return }
    pane?.name = facts?.name
    guard var made = HookMessage(record, name: name, pane: pane) else { return }
    if let ended = made.ends { try arrival.read(ended) }
    if made.isOnlyProgress { return }
    let isLookedAt = facts?.isLookedAt == true
    if isLookedAt, made.message.tags.isEmpty { return }
    made.message.isQuiet = isLookedAt
    let stored = try arrival.push(made.message)
    // It still waits when the user has gone elsewhere.
    if isLookedAt { try arrival.read(stored.content.remoteID) }
  }

  private func asked(_ pane: TerminalPane?) async -> Panes.Facts? {
    guard let pane else { return nil }
    return await panes.facts(of: pane)
  }
}
