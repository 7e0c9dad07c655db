package import Messages

/// What one process at a time may do with a database.
///
/// Its number names a file that versions before and after share: it never changes.
package enum LockName: Hashable, Sendable {
  case poll(SourceID)
  /// To call the programs of features, of all sources.
  case featureCalls
  /// To run the programs of rules.
  case ruleRuns
  /// To synchronise with the person's other machines.
  case sync
  /// The right to poll sources that were never polled, while a source is followed whose response was read already.
  case adding
  /// To be the process that shows the notices of all. One that was started by cron must not keep out one that can show
  /// them on the desktop.
  case noticeHost(hasDesktop: Bool)
  /// To claim messages for a channel.
  case notices(NoticeChannel)
  /// To keep other programs' notices.
  case desktop
  /// To send the acts of a source to its service.
  case acts(of: SourceID)

  var number: Int64 {
    switch self {
    case .poll(let source): source.rawValue
    case .featureCalls: -1
    case .ruleRuns: -2
    case .sync: -3
    case .adding: -4
    case .noticeHost(hasDesktop: false): -8
    case .noticeHost(hasDesktop: true): -9
    case .notices(.terminal): -10
    case .notices(.desktop): -11
    case .notices(.bell): -12
    case .notices(.command): -13
    case .desktop: -14
    case .acts(of: let source): -1000 - source.rawValue
    }
  }
}

extension Store {
  /// The right to do what the name says; nil while another task or process has it.
  package func tryLock(_ name: LockName) throws(StoreFailure) -> StoreLock? {
    do {
      return try locks.tryLock(name)
    } catch {
      throw StoreFailure(error, path: path ?? ":memory:")
    }
  }

  /// Whether another task or process has it.
  package func isLocked(_ name: LockName) throws(StoreFailure) -> Bool { try tryLock(name) == nil }

  /// Returns once nobody has the lock, or when the task is cancelled.
  package func waitUntilUnlocked(_ name: LockName) async { await locks.waitUntilFree(name) }
}
