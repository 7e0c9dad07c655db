import Basics
package import Foundation
package import Messages
import Services
package import Storage

/// Sends changes by the user (acts) to the service of one source.
package protocol ActSending: Sendable {
  /// Sends acts to the source's service.
  ///
  /// - Parameters:
  ///   - acts: acts of this source, in their order.
  ///   - address: the target of permanent redirects; `nil` for the source's own address.
  func carry(_ acts: [OutgoingAct], of source: Source, at address: String?) async -> WriteBackResult
}

/// Sends the user's changes (acts) to services: the changes that are due, for all sources at the same time, and in
/// order for each source.
package struct WriteBack: Sendable {
  private let store: Store
  private let sending: any ActSending
  private let now: @Sendable () -> Date
  let clock: any Clock<Duration>
  /// Called before more than `Limits.actsWithoutWord` acts are sent to one service, with their number.
  private let begins: @Sendable (_ source: Source, _ acts: Int) -> Void

  /// - Parameters:
  ///   - now: the wall clock.
  ///   - clock: the clock for waits.
  ///   - begins: called before more than `Limits.actsWithoutWord` acts are sent to one service.
  package init(
    store: Store, sending: any ActSending, now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration>,
    begins: @escaping @Sendable (_ source: Source, _ acts: Int) -> Void = { _, _ in }
  ) {
    self.begins = begins
    self.store = store
    self.sending = sending
    self.now = now
    self.clock = clock
  }

  /// The result of sending the waiting acts of some sources.
  package struct Round: Sendable {
    /// The time of the next attempt, or `nil` if no acts are waiting.
    package var next: Date?
    /// The results for the sources, as lines of the timeline.
    package var attempts: [PollAttempt] = []
    /// The sources whose acts another process is sending.
    package var elsewhere: Set<SourceID> = []

    package init() {}

    /// Sets the time of the next attempt, unless an earlier attempt is already planned.
    mutating func retry(at date: Date) { next = min(next ?? date, date) }
  }

  /// Sends the acts of some sources that are due.
  ///
  /// - Parameters:
  ///   - sources: the sources of the settings; acts of others wait until their source is added again.
  ///   - isForced: whether acts that wait after a failure are sent too, for example if the user requests a refresh.
  package func carry(_ sources: [Source], isForced: Bool = false) async throws(StoreFailure) -> Round {
    let time = now()
    let (waiting, holds) = try await store.inBackground { store throws(StoreFailure) in
      let waiting = try store.outgoing.waiting(at: time)
      return (waiting, waiting.isEmpty ? [:] : try store.polls.holds())
    }
    var round = Round()
    var due: [Source] = []
    for source in sources {
      guard let moment = waiting[source.id], !source.writableMarks.isEmpty else { continue }
      let held = HostName.of(source.address).flatMap { holds[$0] } ?? .distantPast
      let earliest = max(isForced ? .distantPast : moment, held)
      if earliest > now() { round.retry(at: earliest) } else { due.append(source) }
    }
    let results = await withTaskGroup(of: Result<Round, StoreFailure>.self) { group in
      for source in due {
        group.addTask {
          await Result(catching: { () async throws(StoreFailure) in try await carry(source, isForced) })
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for result in results {
      let part = try result.get()
      round.attempts += part.attempts
      round.elsewhere.formUnion(part.elsewhere)
      if let next = part.next { round.retry(at: next) }
    }
    return round
  }

  /// Sends the acts of one source, in batches, unless another process is sending them.
  private func carry(_ source: Source, _ isForced: Bool) async throws(StoreFailure) -> Round {
    var round = Round()
    guard let lock = try store.tryLock(.acts(of: source.id)) else {
      // If the other process ends before it is done, the acts are still waiting.
      round.elsewhere = [source.id]
      round.retry(at: now() + 5)
      return round
    }
    defer { lock.release() }
    let count = try await store.inBackground { store throws(StoreFailure) in
      try store.outgoing.count(of: source.id)
    }
    let atOnce = SourceAdapters.actsAtOnce(of: source.kind)
    let most = min(count, atOnce ?? count)
    if most > Limits.actsWithoutWord { begins(source, most) }
    var size = try await store.inBackground { store throws(StoreFailure) in
      try store.outgoing.firstActs(of: source.id)
    }
    while !Task.isCancelled {
      let (limit, time) = (size, isForced ? nil : now())
      let (acts, address) = try await store.inBackground { store throws(StoreFailure) in
        let acts = try store.outgoing.acts(of: source.id, limit: limit, at: time)
        return (acts, acts.isEmpty ? nil : try store.polls.position(of: source.id).permanentAddress)
      }
      if acts.isEmpty {
        // Acts that were put off have a time.
        let moment = try await moment(of: source.id)
        if let moment, moment > now() { round.retry(at: moment) }
        break
      }
      let start = now()
      let result = await sending.carry(acts, of: source, at: address)
      if Task.isCancelled, result.carried.isEmpty { break }
      let end = now()
      round.attempts += try await store.inBackground { store throws(StoreFailure) in
        try store.outgoing.record(result, sent: acts, of: source.id, start: start, end: end)
      }
      if result.failure != nil {
        if let moment = try await moment(of: source.id) { round.retry(at: moment) }
        break
      }
      // The service accepts only a few acts at a time.
      if result.carried.count + result.refused.count < acts.count || acts.count <= atOnce ?? 0 {
        let pause = result.hints.minimumWait.map { $0 / .seconds(1) } ?? (result.carried.isEmpty ? 60 : 1)
        if let moment = try await moment(of: source.id) { round.retry(at: max(moment, now() + pause)) }
        break
      }
      size = max(size, min(size * 2, count))
    }
    return round
  }

  /// Returns the time from which acts of a source may be sent, or `nil` if none are waiting.
  private func moment(of source: SourceID) async throws(StoreFailure) -> Date? {
    let time = now()
    return try await store.inBackground { store throws(StoreFailure) in
      try store.outgoing.waiting(at: time)[source]
    }
  }
}

extension Result where Failure == StoreFailure {
  /// Runs a closure, and stores its value or its failure.
  fileprivate init(catching body: () async throws(StoreFailure) -> Success) async {
    do throws(StoreFailure) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
