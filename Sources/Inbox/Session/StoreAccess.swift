import Calendars
import Foundation
import Interface
import Logging
import Messages
import Platform
import Profile
import Storage

/// The inbox's reads and writes in the store: the shown list, and the user's acts in their order.
@MainActor
final class StoreAccess {
  let reader: StoreReader
  /// Called after each act that was written.
  var afterAct: @MainActor () -> Void = {}

  let loop: InboxLoop
  private nonisolated let acts: ActWriter
  /// The last written act: everything that is read from now on contains it and all earlier ones.
  private var written = ActID.none
  /// The last requested list; it is read again after every change of the store.
  private var wanted = (query: InboxQuery(), window: InboxWindow())
  /// The number of reads of requested lists so far.
  private var loads = 0

  init(_ loop: InboxLoop) {
    self.loop = loop
    reader = StoreReader(store: loop.profile.store)
    acts = ActWriter(store: loop.profile.store)
  }

  // MARK: Reading

  /// Reads a list now, and again after every change of the store, instead of the list before it.
  func load(_ query: InboxQuery, _ window: InboxWindow) {
    wanted = (query, window)
    reload()
  }

  /// Reads the first list synchronously, so that the first screen isn't empty.
  func loadAtStart() {
    do {
      let profile = loop.profile
      try profile.store.time.catchUp(to: profile.environment.now())
      let snapshot = try profile.store.lists.snapshot(wanted.query, wanted.window)
      loads += 1
      loop.happened(.inboxChanged(snapshot, including: written))
    } catch {
      loop.report(error)
    }
  }

  /// Reads the wanted list again. If there are several reads, only the last is shown; a change during a read causes
  /// another one.
  func reload() {
    loads += 1
    let (load, query, window, written) = (loads, wanted.query, wanted.window, written)
    read({ store throws(StoreFailure) in try store.lists.snapshot(query, window, inSlices: true) }) {
      [weak self] snapshot in
      guard let self, load == loads else { return }
      loop.happened(.inboxChanged(snapshot, including: written))
      // Other reads come between two slices of a search.
      if snapshot.lookedTo != nil, load == loads { reload() }
    }
  }

  func loadMessage(_ id: MessageID) {
    let written = written
    read({ store throws(StoreFailure) in try store.messages.find(id) }) { [loop] message in
      loop.happened(.reader(.loaded(id, message.map(loop.profile.presented), including: written)))
    }
  }

  /// Requests one slice after the other until the search is finished, or another list is shown.
  func search<Found>(
    _ query: InboxQuery,
    _ slice: @escaping @Sendable (Store) throws(StoreFailure) -> SearchPart<Found>,
    then: @escaping @MainActor (Found) -> Void
  ) {
    read(slice) { [weak self] part in
      if part.lookedTo == nil {
        then(part.found)
      } else if let self, wanted.query == query {
        search(query, slice, then: then)
      }
    }
  }

  /// Reads from the store in the background; a failure is reported.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value,
    then: @escaping @MainActor (Value) -> Void
  ) {
    Task { [loop, reader] in
      do {
        then(try await reader.read(work))
      } catch {
        loop.report(error)
      }
    }
  }

  // MARK: Writing

  /// The number of the user's acts that are not written yet.
  nonisolated var unwritten: Int { acts.unwritten }

  /// The results of writes, in their order.
  var answers: AsyncStream<ActWriter.Answer> { acts.answers }

  /// Writes an act after the earlier ones. Then the list is read again, so that it certainly contains the act: the
  /// store reports only changes, and an act may change nothing.
  func write<Value: Sendable>(
    _ id: ActID, _ work: @escaping @Sendable (Store) throws -> Value,
    then: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    acts.write(work) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let value):
        written = id
        then(value)
        afterAct()
        reload()
      case .failure(let failure):
        let reason = InboxLoop.reason(failure)
        loop.log?.error("\(reason)")
        loop.happened(.journal(.refused(id, reason: reason)))
      }
    }
  }

  /// Performs a write that isn't an act on messages, after the acts before it; a failure is reported.
  ///
  /// - Parameter isAct: whether the user requested it, and is warned if it is lost.
  func write<Value: Sendable>(
    isAct: Bool, _ work: @escaping @Sendable (Store) throws -> Value,
    then: @escaping @MainActor @Sendable (Value) -> Void = { _ in }
  ) {
    acts.write(isAct: isAct, work) { [loop] result in
      switch result {
      case .success(let value): then(value)
      case .failure(let failure): loop.report(failure)
      }
    }
  }

  /// Returns when all pending writes are done or refused.
  func finish() async { await acts.finish() }
}
