import Foundation
import Messages
import Storage
import Synchronization
import Testing

@testable import Polling

@Suite struct ActCarrierTests {

  /// A service that records the acts that reach it.
  private final class Service: ActSending {
    private struct State {
      var received: [String] = []
      var addresses: [String?] = []
      var answers: [WriteBackResult] = []
    }

    private let state = Mutex(State())
    private let limit: Int
    private let onRequest: @Sendable () async -> Void

    init(
      answers: [WriteBackResult] = [], atOnce limit: Int = .max,
      onRequest: @escaping @Sendable () async -> Void = {}
    ) {
      self.limit = limit
      self.onRequest = onRequest
      state.withLock { $0.answers = answers }
    }

    var received: [String] { state.withLock { $0.received } }
    var addresses: [String?] { state.withLock { $0.addresses } }

    func carry(_ acts: [OutgoingAct], of source: Source, at address: String?) async -> WriteBackResult {
      await onRequest()
      return state.withLock { state in
        state.addresses.append(address)
        if !state.answers.isEmpty { return state.answers.removeFirst() }
        var result = WriteBackResult()
        for act in acts.prefix(limit) {
          state.received.append("\(act.remoteID.text) \(act.mark)")
          result.carried.insert(act.id)
        }
        return result
      }
    }
  }

  private struct House {
    var store: Store
    var source: Source

    init(path: String? = nil) throws {
      store = try path.map { try Store(path: $0, now: noon) } ?? Store.inMemory(now: noon)
      var hub = ConfiguredSource(name: "hub", kind: .github, address: "https://hub.example")
      hub.settings.writableMarks = [.read, .unread, .star, .unstar]
      source = try store.sources.register([hub], at: noon)[0]
    }

    /// - Parameter position: as if permanent redirects had led there.
    func fill(_ count: Int, position: PollPosition = PollPosition()) throws {
      var content = PollContent(
        messages: (1...count).map {
          IncomingMessage(remoteID: RemoteID("\($0)"), kind: .service, title: "t\($0)")
        })
      content.upstream = UpstreamState()
      content.position = position
      try store.polls.record(
        .content(content, PollHints()), for: source.id, attempt: .periodic, start: noon, end: noon,
        state: PollState())
    }

    func carrier(_ service: Service, at now: Date = noon) -> WriteBack {
      WriteBack(store: store, sending: service, now: { now }, clock: ContinuousClock())
    }
  }

  private static func failing(_ failure: FetchFailure, retryAfter: Date? = nil) -> WriteBackResult {
    var result = WriteBackResult()
    result.failure = failure
    result.hints.retryAfter = retryAfter
    return result
  }

  @Test func whatWasDoneOfflineIsSentOnceWhenTheNetworkIsBack() async throws {
    let house = try House()
    try house.fill(3)
    let ids = try house.store.lists.snapshot(InboxQuery(), InboxWindow()).rows.map(\.id).sorted {
      $0.rawValue < $1.rawValue
    }
    try house.store.acts.perform(.read([ids[0]]), at: noon)
    try house.store.acts.perform(.star([ids[1]]), at: noon)
    let offline = Self.failing(.nameNotFound(host: "hub.example"))
    let service = Service(answers: [offline])
    var round = try await house.carrier(service).carry([house.source])
    #expect(round.next == noon + 30)
    #expect(round.attempts.map(\.result) == [.carryFailed(.nameNotFound(host: "hub.example"), waiting: 2)])
    // The acts are not sent before their time.
    round = try await house.carrier(service, at: noon + 29).carry([house.source])
    #expect(service.received.isEmpty && round.next == noon + 30)
    round = try await house.carrier(service, at: noon + 30).carry([house.source])
    #expect(service.received == ["1 read(true)", "2 starred(true)"])
    #expect(round.next == nil)
    _ = try await house.carrier(service, at: noon + 31).carry([house.source])
    #expect(service.received.count == 2)
  }

  @Test func aRefreshThatIsForcedDoesNotWaitForTheBackoff() async throws {
    let house = try House()
    try house.fill(1)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    let service = Service(answers: [Self.failing(.status(500, reason: ""))])
    _ = try await house.carrier(service).carry([house.source])
    _ = try await house.carrier(service, at: noon + 1).carry([house.source], isForced: true)
    #expect(service.received == ["1 read(true)"])
  }

  @Test func aHostThatAskedToWaitGetsNothingBefore() async throws {
    let house = try House()
    try house.fill(1)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    try house.store.polls.hold("hub.example", until: noon + 100, at: noon)
    let service = Service()
    let round = try await house.carrier(service).carry([house.source], isForced: true)
    #expect(service.received.isEmpty && round.next == noon + 100)
    _ = try await house.carrier(service, at: noon + 100).carry([house.source])
    #expect(service.received.count == 1)
  }

  @Test func twoProcessesSendEachActOnce() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "reddot-carry-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: path) }
    let file = path.appendingPathComponent("db").path
    let first = try House(path: file)
    try first.fill(600)
    try first.store.acts.perform(.readAll(InboxQuery()), at: noon)
    let second = try House(path: file)
    let service = Service(onRequest: { await Task.yield() })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for house in [first, second, first, second] {
        group.addTask { _ = try await house.carrier(service).carry([house.source]) }
      }
      try await group.waitForAll()
    }
    // The later process left them to the one that was sending.
    _ = try await second.carrier(service, at: noon + 10).carry([second.source])
    #expect(service.received.count == 600)
    #expect(Set(service.received).count == 600)
    try first.store.close()
    try second.store.close()
  }

  @Test func whatWasSentBeforeACrashAndNotNotedIsSentAgainAndNothingElse() async throws {
    let house = try House()
    try house.fill(2)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    // The process ends after the service has got them and before that is written.
    let service = Service()
    let acts = try house.store.outgoing.acts(of: house.source.id)
    _ = await service.carry(acts, of: house.source, at: nil)
    _ = try await house.carrier(service).carry([house.source])
    #expect(service.received == ["1 read(true)", "2 read(true)", "1 read(true)", "2 read(true)"])
    #expect(try house.store.outgoing.waiting(at: noon).isEmpty)
  }

  @Test func aServiceThatTakesOnlySomeGetsTheRestLater() async throws {
    let house = try House()
    try house.fill(3)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    let service = Service(atOnce: 2)
    var round = try await house.carrier(service).carry([house.source])
    #expect(service.received.count == 2 && round.next == noon + 1)
    round = try await house.carrier(service, at: noon + 1).carry([house.source])
    #expect(service.received.count == 3 && round.next == nil)
  }

  @Test func aRefusalIsSaidOnceAndUndoesNothingHere() async throws {
    let house = try House()
    try house.fill(1)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    var refusal = WriteBackResult()
    let act = try #require(try house.store.outgoing.acts(of: house.source.id).first)
    refusal.refused[act.id] = .status(422, reason: "no")
    let service = Service(answers: [refusal])
    let round = try await house.carrier(service).carry([house.source])
    #expect(round.attempts.map(\.result) == [.refused(count: 1, .status(422, reason: "no"))])
    #expect(try house.store.messages.find(act.message)?.isUnread == false)
    #expect(try house.store.outgoing.waiting(at: noon).isEmpty)
  }

  @Test func whoseActsAnotherProcessSendsIsSaid() async throws {
    let house = try House()
    try house.fill(1)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    let lock = try #require(try house.store.tryLock(.acts(of: house.source.id)))
    let service = Service()
    let round = try await house.carrier(service).carry([house.source])
    #expect(round.elsewhere == [house.source.id] && service.received.isEmpty)
    lock.release()
    #expect(try await house.carrier(service).carry([house.source]).elsewhere.isEmpty)
  }

  @Test func aRoundEndsInTimeAndKeepsWhatWasNotSent() async throws {
    let house = try House()
    try house.fill(1)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    // A service that responds only after the wait has ended.
    let slow = Slow()
    let round = try await WriteBack(
      store: house.store, sending: slow, now: { noon }, clock: ContinuousClock()
    )
    .round([house.source], within: .milliseconds(1)).get()
    #expect(round.attempts.isEmpty)
    #expect(try house.store.outgoing.count(of: house.source.id) == 1)
  }

  private struct Slow: ActSending {
    func carry(_ acts: [OutgoingAct], of source: Source, at address: String?) async -> WriteBackResult {
      let (never, end) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      end.finish()
      var result = WriteBackResult()
      result.failure = .cancelled
      return result
    }
  }

  @Test func actsOfASourceThatIsNotInTheSettingsWait() async throws {
    let house = try House()
    try house.fill(1)
    try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
    let service = Service()
    let round = try await house.carrier(service).carry([])
    #expect(service.received.isEmpty && round.attempts.isEmpty)
    _ = try await house.carrier(service).carry([house.source])
    #expect(service.received.count == 1)
  }

  @Test func actsGoWhereTheServiceHasMovedTo() async throws {
    let house = try House()
    let service = Service()
    for (position, count) in [
      (PollPosition(), 1), (PollPosition(movedTo: "https://hub.example/api", movedCount: 3), 2),
    ] {
      try house.fill(count, position: position)
      try house.store.acts.perform(.readAll(InboxQuery()), at: noon)
      _ = try await house.carrier(service).carry([house.source])
    }
    #expect(service.received == ["1 read(true)", "2 read(true)"])
    #expect(service.addresses == [nil, "https://hub.example/api"])
  }
}

/// 2027-01-15 08:00 UTC.
private let noon = Date(timeIntervalSince1970: 1_800_000_000)
