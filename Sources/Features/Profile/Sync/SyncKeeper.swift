import Basics
package import Foundation
import Platform
import Storage
import Sync
import Synchronization

/// Syncs repeatedly while the inbox runs: when the location has changed, and on request. Its connection stays open, and
/// it uses no time while nothing happens.
package final class SyncKeeper: Sendable {
  /// The result of a sync.
  package enum Event: Sendable {
    case ended(Synchronisation.Outcome)
    /// A failure, with the sentence for users.
    case failed(String)
  }

  private let synchroniser: Synchroniser
  private let bell: Bell
  private let stopping: Alarm
  private let place = Mutex<(any Place)?>(nil)

  /// - Throws: if there is no free descriptor.
  package init(_ profile: Profile) throws(POSIXError) {
    synchroniser = Synchroniser(profile)
    bell = try Bell()
    stopping = try Alarm()
  }

  /// Requests a sync, since a change waits to be sent.
  package func synchroniseSoon() { bell.ring() }

  /// Ends `run` soon, wherever it waits.
  package func stop() {
    stopping.ring()
    bell.ring()
    place.withLock { $0?.close() }
  }

  /// Syncs until `stop` is called.
  ///
  /// - Parameter report: gets the result of each sync, on another thread.
  package func run(report: @escaping @Sendable (Event) -> Void) async {
    let key: SyncKey
    let address: PlaceAddress
    do throws(SyncFailure) {
      address = try synchroniser.place()
      key = try await synchroniser.key()
    } catch {
      // Only new settings can change that, and they start another keeper.
      record(error)
      return report(.failed(error.sentence))
    }
    await WorkThreads().run { self.keep(address, key, report) }
  }

  private func keep(_ address: PlaceAddress, _ key: SyncKey, _ report: @Sendable (Event) -> Void) {
    var failures = 0
    while !stopping.hasRung {
      do {
        let place = try open(address)
        guard let outcome = try synchronise(at: place, address, key) else {
          // Another process is syncing at this moment.
          rest(for: .seconds(1))
          continue
        }
        failures = 0
        report(.ended(outcome))
        try waitForNews(at: place, called: synchroniser.name(address))
      } catch {
        close()
        if stopping.hasRung { return }
        failures += 1
        let failure = error as? SyncFailure
        if let failure { record(failure) }
        report(.failed(failure?.sentence ?? "\(error)"))
        let wait = min(Limits.firstSyncBackoff * (1 << min(failures - 1, 16)), Limits.longestSyncBackoff)
        rest(for: .seconds(wait))
      }
    }
    close()
  }

  private func open(_ address: PlaceAddress) throws(SyncFailure) -> any Place {
    if let known = place.withLock({ $0 }) { return known }
    let made = try synchroniser.open(address)
    place.withLock { $0 = made }
    return made
  }

  private func close() {
    let last = place.withLock { place in
      defer { place = nil }
      return place
    }
    last?.close()
  }

  /// Syncs once, with an open connection.
  ///
  /// - Returns: `nil` if another process is syncing.
  private func synchronise(
    at place: any Place, _ address: PlaceAddress, _ key: SyncKey
  ) throws -> Synchronisation.Outcome? {
    guard let lock = try synchroniser.profile.store.tryLock(.sync) else { return nil }
    defer { lock.release() }
    return try synchroniser.complete(synchroniser.make(place, called: synchroniser.name(address), key))
  }

  /// Waits until the location has other objects than before, the bell rings, or some minutes have passed.
  private func waitForNews(at place: any Place, called name: String) throws {
    if bell.read() { return }
    do throws(PlaceFailure) {
      let isNew = try place.changed(seconds: Limits.secondsOfWatching, unlessInput: bell.descriptor)
      _ = bell.read()
      // This limits the cost of a location that repeatedly reports changes.
      if isNew { rest(for: .milliseconds(200)) }
    } catch {
      throw SyncFailure.place(
        error.named(name), waiting: try synchroniser.profile.store.sync.waiting().count)
    }
  }

  /// Waits for a time; only `stop` shortens the wait.
  private func rest(for time: Duration) {
    var states = [pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0)]
    _ = Descriptors.wait(for: &states, until: ContinuousClock.now + time)
  }

  private func record(_ failure: SyncFailure) {
    let environment = synchroniser.profile.environment
    do throws(StoreFailure) {
      try synchroniser.profile.store.sync.recordFailure(failure.sentence, at: environment.now())
    } catch {
      // The store's own failure is shown when the list is read; this one is in the report.
    }
  }
}
