package import Messages

/// Work that only one process at a time may do with a database.
///
/// The number is the name of a file that earlier and later versions share: it never changes.
package enum LockName: Hashable, Sendable {
  case poll(SourceID)
  /// Calling the programs of features, for all sources.
  case featureCalls
  /// Running the programs of rules.
  case ruleRuns
  /// Synchronising with the user's other machines.
  case sync
  /// Adding a source whose first response was already read. Meanwhile no process polls sources that were
  /// never polled.
  case adding
  /// Changing or applying the rules of the settings.
  case ruleChanges
  /// Showing the notifications of all processes. A process that was started by cron must not keep out one that can show
  /// them on the desktop.
  case noticeHost(hasDesktop: Bool)
  /// Claiming the messages about which a channel sends notifications.
  case notices(NoticeChannel)
  /// Storing other programs' desktop notifications.
  case desktop
  /// Sending the acts of a source to its service.
  case acts(of: SourceID)

  var number: Int64 {
    switch self {
    case .poll(let source): source.rawValue
    case .featureCalls: -1
    case .ruleRuns: -2
    case .sync: -3
    case .adding: -4
    case .ruleChanges: -5
    case .noticeHost(hasDesktop: false): -8
    case .noticeHost(hasDesktop: true): -9
    case .notices(.terminal): -10
    case .notices(.desktop): -11
    case .notices(.bell): -12
    case .notices(.command): -13
    case .desktop: -14
    case .notices(.phone): -15
    case .acts(of: let source): -1000 - source.rawValue
    }
  }
}

extension Store {
  /// Returns the right to do the work, or `nil` if another task or process has it.
  package func tryLock(_ name: LockName) throws(StoreFailure) -> StoreLock? {
    do {
      return try locks.tryLock(name)
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  /// Whether another task or process has the right.
  package func isLocked(_ name: LockName) throws(StoreFailure) -> Bool { try tryLock(name) == nil }

  /// Returns once the lock is free, or when the task is cancelled.
  package func waitUntilUnlocked(_ name: LockName) async { await locks.waitUntilFree(name) }
}
