import Basics
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Storage

/// Adds the events of hooks to the database as messages. Only one process does this for a database at a time.
struct HookStorer: Sendable {
  private let arrival: MessageArrival
  private let spool: HookSpool
  private let panes: Panes

  private init(_ arrival: MessageArrival, _ spool: HookSpool) {
    (self.arrival, self.spool) = (arrival, spool)
    panes = Panes(arrival.profile.environment)
  }

  private var profile: Profile { arrival.profile }

  /// Stores all waiting records. If another process does that, or no records wait, this ends immediately, without
  /// opening the database.
  ///
  /// - Throws: if the database can't be written. All records then stay, and the next process tries again.
  static func run(_ spool: HookSpool, open: () throws -> Profile) async throws {
    var profile: Profile?
    // The next process tries the records again that can be neither stored nor set aside.
    var stuck: Set<String> = []
    while !spool.isEmpty, let lock = spool.tryLock() {
      defer { lock.release() }
      let names = try spool.names().filter { !stuck.contains($0) }
      if names.isEmpty { break }
      let opened = try profile ?? open()
      profile = opened
      try await opened.arrival(trouble: { HookLog.warn($0, opened.environment) }) { arrival in
        // Other processes may store while the remaining work is done.
        defer { lock.release() }
        stuck.formUnion(try await HookStorer(arrival, spool).store(names))
      }
    }
  }

  /// Stores records. A record that can't be stored is set aside: it must not delay the others.
  ///
  /// - Returns: the names of the records that could not be set aside either, and have not been moved.
  private func store(_ names: [String]) async throws -> [String] {
    var stuck: [String] = []
    for failure in try spool.removeUnfinished(at: profile.environment.now()) {
      HookLog.warn(failure.sentence, profile.environment)
    }
    for name in names {
      do {
        guard let record = try spool.record(name) else {
          if !setAside(name, "it is not a record of a hook") { stuck.append(name) }
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

  /// Moves a record that can't be stored to a separate folder, and logs that.
  ///
  /// - Returns: `false` if the record was not moved.
  private func setAside(_ name: String, _ reason: String) -> Bool {
    do throws(HookSpool.Failure) {
      let path = try spool.setAside(name, because: reason)
      HookLog.warn(
        "a record of a hook could not be stored, and is kept as \(path): \(reason)", profile.environment)
      return true
    } catch {
      HookLog.warn(
        "a record of a hook can neither be stored (\(reason)) nor set aside: \(error.sentence)",
        profile.environment)
      return false
    }
  }

  private func store(_ record: HookRecord, _ name: String) async throws {
    if case .looked = record.event {
      if let pane = record.pane { try await arrival.looked(at: pane) }
      return
    }
    var pane = record.pane
    // If the record is old, it is not known whether the user was looking at the pane then.
    let isFresh = abs(profile.environment.now().timeIntervalSince(record.date)) < Limits.hookFreshSeconds
    let facts = isFresh ? await asked(pane) : nil
    if facts?.isOwn == true, record.event == .bell || record.event == .silence { return }
    pane?.name = facts?.name
    let before = spool.jobs()
    var jobs = before
    let message = HookMessage(record, name: name, pane: pane, jobs: &jobs)
    if jobs != before { spool.keep(jobs) }
    guard var made = message else { return }
    if let ended = made.ends { try arrival.read(ended) }
    if made.isOnlyProgress { return }
    let isLookedAt = facts?.isLookedAt == true
    if isLookedAt, made.message.tags.isEmpty { return }
    made.message.isQuiet = isLookedAt
    let stored: Message?
    if let session = made.waitingSession {
      // The program that waits for an answer has said so itself.
      if try profile.store.questions.open().contains(where: {
        ProgramHook.isQuestion($0.remoteID, of: session)
      }) {
        return
      }
      let now = profile.environment.now()
      let question = ProgramQuestion([], asked: record.date, until: now + Limits.hookWaitSeconds)
      stored = try await arrival.ask(made.message, question)
    } else {
      stored = try await arrival.push(made.message)
    }
    // It still waits when the user has gone elsewhere.
    if isLookedAt, let stored { try arrival.read(stored.content.remoteID) }
  }

  /// Returns the description of a pane by tmux, or `nil` without a pane.
  private func asked(_ pane: TerminalPane?) async -> Panes.Facts? {
    guard let pane else { return nil }
    return await panes.facts(of: pane)
  }
}
