import Basics
package import Foundation
import Platform
import Storage
import Sync
import Synchronization

/// Synchronises again and again while the inbox runs: when the place has news, and when it is asked to. Its connection stays
/// open, and nothing runs while nothing happens.
package final class SyncKeeper: Sendable {
  /// What a synchronisation came to.
  package enum Event: Sendable {
    case ended(Synchronisation.Outcome)
    /// The sentence for people.
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

  /// Something waits to be sent.
  package func synchroniseSoon() { bell.ring() }

  /// Ends `run` soon, whatever it waits for.
  package func stop() {
    stopping.ring()
    bell.ring()
    place.withLock { $0?.close() }
  }

  /// Until `stop`.
  ///
  /// - Parameter report: gets what each synchronisation came to, on another thread.
  package func run(report: @escaping @Sendable (Event) -> Void) async {
    let key: SyncKey
    let address: PlaceAddress
    do throws(SyncFailure) {
      address = try synchroniser.place()
      key = try await synchroniser.key()
    } catch {
      // Nothing changes that by itself; new settings begin another keeper.
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
          // Another process does it at this moment.
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

  /// - Returns: nil where another process does it.
  private func synchronise(
    at place: any Place, _ address: PlaceAddress, _ key: SyncKey
  ) throws -> Synchronisation.Outcome? {
    guard let lock = try synchroniser.profile.store.tryLock(.sync) else { return nil }
    defer { lock.release() }
    return try synchroniser.complete(synchroniser.make(place, called: synchroniser.name(address), key))
  }

  /// Until the place has other objects than at the last look, the bell rings, or some minutes are over.
  private func waitForNews(at place: any Place, called name: String) throws {
    if bell.read() { return }
    do throws(PlaceFailure) {
      let isNew = try place.changed(seconds: Limits.secondsOfWatching, unlessInput: bell.descriptor)
      _ = bell.read()
      // A place that says again and again that it is new costs no more than this.
      if isNew { rest(for: .milliseconds(200)) }
    } catch {
      throw SyncFailure.place(
        error.named(name), waiting: try synchroniser.profile.store.sync.waiting().count)
    }
  }

  /// Only `stop` shortens it.
  private func rest(for time: Duration) {
    var states = [pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0)]
    _ = Descriptors.wait(for: &states, until: ContinuousClock.now + time)
  }

  private func record(_ failure: SyncFailure) {
    let environment = synchroniser.profile.environment
    do throws(StoreFailure) {
      try synchroniser.profile.store.sync.recordFailure(failure.sentence, at: environment.now())
    } catch {
      // The store's own failure is shown where the list is read; this one is in the report.
    }
  }
}
