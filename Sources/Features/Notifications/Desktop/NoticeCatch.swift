import Basics
import Foundation
import Logging
import Messages
import Platform
import Profile
import Storage
import Synchronization

/// Stores other programs' notifications in the sources of kind `desktop`, while it runs. Only one of the processes that
/// use a database does this.
package struct NoticeCatch: Sendable {
  /// A report about the connection to the session bus.
  package enum News: Hashable, Sendable {
    /// The connection receives notifications: together with a notification daemon, or in place of one.
    case listening(isDaemon: Bool)
    /// The reason why notifications cannot be received, as a clause. The same one is reported once.
    case trouble(String)
  }

  private let arrival: MessageArrival
  private let tell: @Sendable (News) -> Void

  /// - Parameter tell: called with each report, on a separate thread.
  package init(_ arrival: MessageArrival, tell: @escaping @Sendable (News) -> Void) {
    (self.arrival, self.tell) = (arrival, tell)
  }

  private var profile: Profile { arrival.profile }

  /// Stores notifications until the task is cancelled. Waits while another process does the work.
  package func run() async {
    guard !profile.desktopSources.isEmpty else { return }
    while !Task.isCancelled {
      do throws(StoreFailure) {
        guard let lock = try profile.store.tryLock(.desktop) else {
          await profile.store.waitUntilUnlocked(.desktop)
          continue
        }
        defer { lock.release() }
        await listen()
        return
      } catch {
        tell(.trouble(error.sentence))
        return
      }
    }
  }

  private func listen() async {
    guard let stop = try? Alarm() else {
      return tell(.trouble("too many files are open"))
    }
    let (arrival, tell) = (arrival, tell)
    await withTaskCancellationHandler {
      await Blocking.run { NoticeCatchLoop(arrival, stop, tell).run() }
    } onCancel: {
      stop.ring()
    }
  }
}

private final class NoticeCatchLoop {
  private let arrival: MessageArrival
  private let sources: [Source]
  private let stop: Alarm
  private let tell: @Sendable (NoticeCatch.News) -> Void
  private let now: () -> Duration
  /// The last error, which is reported only once.
  private var trouble: String?
  private var isDaemon: Bool?

  init(_ arrival: MessageArrival, _ stop: Alarm, _ tell: @escaping @Sendable (NoticeCatch.News) -> Void) {
    (self.arrival, self.stop, self.tell) = (arrival, stop, tell)
    let profile = arrival.profile
    sources = profile.desktopSources
    now = profile.environment.timer.stopwatch()
  }

  private var profile: Profile { arrival.profile }
  /// Whether a source wants this process to act as the notification daemon if there is none.
  private var owns: Bool { sources.contains { $0.settings.ownsDesktop } }

  func run() {
    var pause = Limits.busRetry.lowerBound
    repeat {
      do throws(BusFailure) {
        let listener = try NoticeListener(
          address: profile.sessionBus(), owning: owns, version: profile.environment.version, now: now)
        pause = Limits.busRetry.lowerBound
        trouble = nil
        if isDaemon != listener.isDaemon { tell(.listening(isDaemon: listener.isDaemon)) }
        isDaemon = listener.isDaemon
        let outcome = Result { () throws(BusFailure) in try listen(listener) }
        // Notifications that were shown but have no response yet.
        _ = store(listener.remaining(), areShown: true)
        if try outcome.get() { return }
      } catch {
        report(error.sentence)
        isDaemon = nil
        if hasStopped(within: pause) { return }
        pause = min(pause * 2, Limits.busRetry.upperBound)
      }
    } while true
  }

  /// Waits until `stop` was requested, the descriptor `other` is readable, or the time has passed. Returns
  /// whether a stop was requested.
  private func hasStopped(within time: Duration?, or other: Int32 = -1) -> Bool {
    Descriptors.readable([stop.descriptor, other], within: time).contains(stop.descriptor)
  }

  /// Stores the notifications that a listener receives.
  ///
  /// - Returns: `true` if a stop was requested; `false` to connect again, since the daemon's name has another
  ///   owner or none.
  private func listen(_ listener: NoticeListener) throws(BusFailure) -> Bool {
    var free: Duration?
    while true {
      let next = [listener.nextDue, free].compactMap(\.self).min().map { $0 - now() }
      if hasStopped(within: listener.hasWaiting ? .zero : next, or: listener.descriptor) { return true }
      let events = try listener.events(ofMessages: Limits.caughtBatch)
      for case .ownerChanged(let isOwned) in events {
        free = isOwned || !owns ? nil : now() + Limits.freeNameTime
      }
      guard store(events, areShown: !listener.isDaemon) else { return true }
      if listener.isDaemon, events.contains(.ownerChanged(isOwned: true)) { return false }
      if let free, free <= now() { return false }
    }
  }

  /// Stores the changes of notifications in each source that wants them.
  ///
  /// - Parameter areShown: whether a daemon shows the notifications, so that the user needs no second one.
  /// - Returns: `false` if a stop was requested before all changes could be stored.
  private func store(_ events: [ProgramNoticeEvent], areShown: Bool) -> Bool {
    for source in sources {
      let changes = events.compactMap {
        $0.change(in: source, isQuiet: areShown && !source.settings.notifies)
      }
      while !changes.isEmpty {
        do throws(StoreFailure) {
          try arrival.add(changes, into: source.id)
          break
        } catch {
          // The bus keeps messages that arrive in the meantime.
          report(error.sentence)
          if hasStopped(within: Limits.busRetry.upperBound / 10) { return false }
        }
      }
    }
    return true
  }

  private func report(_ sentence: String) {
    guard sentence != trouble else { return }
    trouble = sentence
    tell(.trouble(sentence))
  }
}

extension ProgramNoticeEvent {
  /// Returns the change of a source, or `nil` if the source does not want the notification.
  fileprivate func change(in source: Source, isQuiet: Bool) -> DesktopChange? {
    switch self {
    case .shown(let notice, let id):
      let options = source.settings.options
      if let only = options.only, !only.contains(where: notice.isOf) { return nil }
      if options.except?.contains(where: notice.isOf) == true { return nil }
      var message = notice.message(id)
      message.isQuiet = isQuiet
      return .shown(message)
    case .closed(let id): return .closed(id)
    case .ownerChanged: return nil
    }
  }
}
