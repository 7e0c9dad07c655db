import Basics
import Foundation
import HTTP
import Messages
import Platform
import StandIns
import Storage
import Synchronization
import TestBasics
import Testing

@testable import Polling
@testable import Profile
@testable import Settings

/// An act that its service never accepts, among others that it accepts: on a real server.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct FailingActTests {

  /// A Gotify server that fails at some requests, or at all.
  private final class Server: ServiceStandIn {
    static let kind = SourceKind.gotify
    static let abilities: StandInAbilities = [.done]

    let conditions: StandInConditions
    private let inner: GotifyStandIn
    private let failing = Mutex<(@Sendable (String) -> StandInFault?)>({ _ in nil })

    init(_ conditions: StandInConditions) {
      self.conditions = conditions
      inner = GotifyStandIn(conditions)
    }

    func isAuthorized(_ request: StandInRequest) -> Bool { inner.isAuthorized(request) }
    func refusal(_ fault: StandInFault) -> StandInResponse { inner.refusal(fault) }
    func stream(for request: StandInRequest) -> StreamForm? { inner.stream(for: request) }
    func arrive() -> RemoteID { inner.arrive() }
    var truth: StandInTruth { inner.truth }

    func respond(to request: StandInRequest) -> StandInResponse {
      if let fault = failing.withLock({ $0 })(request.path) { return inner.refusal(fault) }
      return inner.respond(to: request)
    }

    func fail(_ fault: @escaping @Sendable (_ path: String) -> StandInFault?) {
      failing.withLock { $0 = fault }
    }

    /// Returns the messages whose deletion was requested since the last call.
    func asked() -> [String] {
      defer { conditions.clearVisits() }
      return conditions.visits.filter { $0.method == "DELETE" }.map { String($0.path.dropFirst(9)) }
    }
  }

  private struct House {
    var store: Store
    var source: Source
    var fetcher: AdapterFetcher
    var messages: [MessageID] = []

    init(at origin: String, token: String, messages ids: [RemoteID]) throws {
      var entry = SourceEntry(source: ConfiguredSource(name: "phone", kind: .gotify, address: origin))
      entry.credential = .environment("TOKEN")
      entry.source.settings.writableMarks = [.done]
      var settings = Settings()
      settings.sources = [entry]
      store = try Store.inMemory(now: noon)
      let environment = Environment(
        variables: ["TOKEN": token], home: "/home/ada", version: "0.3.0", now: { noon }, clock: { .gmt },
        random: { 0 })
      let profile = try Profile(
        settings: settings, file: SettingsFile(path: "/none", home: "/home/ada"), store: store,
        environment: environment)
      source = profile.sources[0]
      fetcher = AdapterFetcher(profile, language: "en")
      var content = PollContent(
        messages: ids.map { IncomingMessage(remoteID: $0, kind: .service, title: $0.text) })
      content.upstream = UpstreamState()
      try store.polls.record(
        .content(content, PollHints()), for: source.id, attempt: .periodic, start: noon, end: noon,
        state: PollState())
      messages = try store.lists.snapshot(InboxQuery(), InboxWindow()).rows.map(\.id).sorted {
        $0.rawValue < $1.rawValue
      }
    }

    func carry(at now: Date, isForced: Bool = false) async throws -> WriteBack.Round {
      try await WriteBack(store: store, sending: fetcher, now: { now }, clock: ContinuousClock())
        .carry([source], isForced: isForced)
    }
  }

  private static func with(_ count: Int, _ body: (Server, House) async throws -> Void) async throws {
    let server = Server(StandInConditions(clock: { noon }))
    let ids = (1...count).map { _ in server.arrive() }
    try await StandInServer.with(server) { running in
      let house = try House(at: running.origin, token: server.conditions.token, messages: ids)
      try await body(server, house)
      await house.fetcher.shutDown()
    }
  }

  private static let failure = FetchFailure.status(500, reason: "it says: Internal Server Error")

  @Test func anActThatAlwaysFailsHoldsBackNoActOfAnotherMessage() async throws {
    try await Self.with(3) { server, house in
      server.fail { $0 == "/message/2" ? .serverError : nil }
      for message in house.messages { try house.store.acts.perform(.dismiss([message]), at: noon) }
      #expect(try await house.carry(at: noon).next == noon + 30)
      #expect(server.asked() == ["1", "2"])
      #expect(try await house.carry(at: noon + 30).next == noon + 90)
      #expect(server.asked() == ["2"])
      // It is certain enough now that this act causes the failure.
      #expect(try await house.carry(at: noon + 90).next == noon + 210)
      #expect(server.asked() == ["2"])
      let round = try await house.carry(at: noon + 210)
      #expect(server.asked() == ["3", "2"])
      #expect(
        round.attempts.map(\.result) == [.carried(count: 1), .carryFailed(Self.failure, waiting: 1)])
      #expect(round.next == noon + 450)
      #expect(server.truth.openNow == [RemoteID("2")])

      // This act has separate waits, which double. They delay no other act.
      _ = try await house.carry(at: noon + 450)
      #expect(server.asked() == ["2"])
      let other = try #require(
        try house.store.messages.find(house.messages[0])
          .map { _ in server.arrive() })
      var content = PollContent(
        messages: [IncomingMessage(remoteID: other, kind: .service, title: "another")])
      content.upstream = UpstreamState()
      try house.store.polls.record(
        .content(content, PollHints()), for: house.source.id, attempt: .periodic, start: noon + 460,
        end: noon + 460, state: PollState())
      let message = try #require(
        try house.store.lists.snapshot(InboxQuery(), InboxWindow()).rows.map(\.id).max {
          $0.rawValue < $1.rawValue
        })
      try house.store.acts.perform(.dismiss([message]), at: noon + 500)
      let late = try await house.carry(at: noon + 501)
      #expect(server.asked() == [other.text])
      #expect(late.attempts.map(\.result) == [.carried(count: 1)] && late.next == noon + 930)

      // Once the service accepts the act, nothing is waiting.
      server.fail { _ in nil }
      let last = try await house.carry(at: noon + 930)
      #expect(server.asked() == ["2"])
      #expect(last.attempts.map(\.result) == [.carried(count: 1)] && last.next == nil)
      #expect(server.truth.openNow.isEmpty)
      #expect(try house.store.outgoing.sourcesWithFailedActs().isEmpty)
    }
  }

  /// A service that fails at every request, or requests a wait, gets only one request per wait.
  @Test(arguments: [StandInFault.serverError, .tooManyRequests])
  func aServiceThatIsDownGetsOneRequestAWait(_ fault: StandInFault) async throws {
    try await Self.with(3) { server, house in
      server.fail { _ in fault }
      for message in house.messages { try house.store.acts.perform(.dismiss([message]), at: noon) }
      var now = noon
      for _ in 1...8 {
        let next = try await house.carry(at: now).next
        #expect(server.asked().count == 1)
        now = try #require(next)
        _ = try await house.carry(at: now - 1)
        #expect(server.asked().isEmpty)
      }
      server.fail { _ in nil }
      let round = try await house.carry(at: now)
      #expect(server.asked().sorted() == ["1", "2", "3"])
      #expect(round.next == nil && server.truth.openNow.isEmpty)
    }
  }

  @Test func anActThatFailsForAMonthIsGivenUpAndThatIsSaid() async throws {
    try await Self.with(3) { server, house in
      server.fail { $0 == "/message/2" ? .serverError : nil }
      for message in house.messages { try house.store.acts.perform(.dismiss([message]), at: noon) }
      for hour in 0..<5 { _ = try await house.carry(at: noon + Double(hour) * 3600) }
      #expect(server.truth.openNow == [RemoteID("2")])
      let before = try await house.carry(at: noon + 30 * 86_400 - 60)
      #expect(before.attempts.map(\.result) == [.carryFailed(Self.failure, waiting: 1)])
      let round = try await house.carry(at: noon + 31 * 86_400)
      #expect(round.attempts.map(\.result) == [.refused(count: 1, Self.failure)])
      #expect(try house.store.outgoing.waiting(at: noon).isEmpty)
      #expect(try house.store.outgoing.sourcesWithFailedActs().isEmpty)
      #expect(try house.store.messages.find(house.messages[1])?.isDismissed == true)
    }
  }
}

/// 2027-01-15 08:00 UTC.
private let noon = Date(timeIntervalSince1970: 1_800_000_000)
