import Foundation
import HTTP
import Messages
import Services
import StandIns
import TestBasics
import Testing

/// The stand-ins behind real connections.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct StandInServerTests {
  private static let kinds = ServiceContractTests.kinds

  private func polled(
    _ subject: ServiceSubject,
    _ body: (any ServiceStandIn, @Sendable () async throws -> PollOutcome) async throws -> Void
  ) async throws {
    let (kind, type) = (subject.kind, subject.type)
    let standIn = type.init(StandInConditions { now })
    try await StandInServer.with(standIn) { server in
      let facts = try #require(SourceAdapters.facts(of: kind))
      let source = source(type.address(at: server.origin), kind)
      let context = PollContext(
        now: now,
        credential: Credential.configured(
          facts.scheme, token: standIn.conditions.token,
          user: facts.needsUser ? standIn.conditions.user : nil,
          address: source.address))
      let transport = LiveTransport(LiveTransport.Options(version: "1", now: { now }))
      let adapter = try #require(SourceAdapters(transport: transport).adapter(for: kind))
      try await body(standIn) { await adapter.pollAll(source, position: PollPosition(), context: context) }
      await transport.shutdown()
    }
  }

  @Test(arguments: kinds)
  func aPollOverTheNetworkBringsTheSameMessages(_ subject: ServiceSubject) async throws {
    try await polled(subject) { standIn, poll in
      for _ in 0..<60 { standIn.arrive() }
      let outcome = try await poll()
      #expect(outcome.failure == nil)
      let ids = Set(outcome.content?.messages.map(\.remoteID) ?? [])
      #expect(ids == Set(standIn.truth.listed.map(\.id)))
      #expect(standIn.conditions.visits.contains { $0.hasToken })
    }
  }

  @Test(arguments: kinds, StandInFault.allCases)
  func aFaultIsSeenOverTheNetwork(_ subject: ServiceSubject, _ fault: StandInFault) async throws {
    try await polled(subject) { standIn, poll in
      for _ in 0..<3 { standIn.arrive() }
      // A request whose connection ends before the response may be sent again.
      for _ in 0..<(fault == .hangUp ? 4 : 1) { standIn.conditions.fail(fault) }
      let outcome = try await poll()
      #expect(outcome.failure != nil)
    }
  }
}

/// The push channels of services.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct ServiceStreamTests {
  private static let kinds = SourceAdapters.serviceKinds.filter {
    SourceAdapters.facts(of: $0)?.isStreamed == true
  }

  @Test func someServicesHaveOne() {
    #expect(Self.kinds.contains(.ntfy) && Self.kinds.contains(.gotify) && Self.kinds.contains(.mastodon))
  }

  @Test(arguments: kinds)
  func anArrivalIsNewsOnTheStreamAndThePollBringsIt(_ kind: SourceKind) async throws {
    let type = try #require(StandIns.type(of: kind))
    let facts = try #require(SourceAdapters.facts(of: kind))
    let standIn = type.init(StandInConditions { now })
    try await StandInServer.with(standIn) { server in
      let source = source(type.address(at: server.origin), kind)
      let context = PollContext(
        now: now,
        credential: Credential.configured(
          facts.scheme, token: standIn.conditions.token,
          user: facts.needsUser ? standIn.conditions.user : nil,
          address: source.address))
      let transport = LiveTransport(LiveTransport.Options(version: "1", now: { now }))
      let adapters = SourceAdapters(transport: transport)
      let stream = try #require(try await adapters.stream(of: source, context: context))
      let (news, bell) = AsyncStream.makeStream(of: String.self)
      let (opened, door) = AsyncStream.makeStream(of: Void.self)
      async let listening = transport.listen(
        to: stream.request, stream.form,
        onOpen: { door.finish() },
        onMessage: { message in
          if stream.isNews(message) { bell.yield(message) }
        })
      for await _ in opened {}
      await standIn.conditions.someoneListens()
      standIn.arrive()
      var count = 0
      for await _ in news {
        count += 1
        break
      }
      #expect(count == 1)
      let adapter = try #require(adapters.adapter(for: kind))
      let outcome = await adapter.pollAll(source, position: PollPosition(), context: context)
      #expect(outcome.content?.messages.count == 1)
      #expect(standIn.conditions.listeners == 1)
      // The server ends the stream.
      standIn.conditions.announce(nil)
      _ = try? await listening
      await transport.shutdown()
    }
  }

  /// mastodon.social streams in this way at streaming.mastodon.social.
  @Test func aStreamAtAnotherServerOfTheSameOwnerIsHeld() async throws {
    let standIn = MastodonStandIn(StandInConditions { now })
    let facts = try #require(SourceAdapters.facts(of: .mastodon))
    let token = standIn.conditions.token
    try await StandInServer.with(standIn) { server in
      try await StandInServer.with(standIn) { other in
        standIn.streaming = "ws://127.0.0.1:\(other.port)"
        let source = source(server.origin, .mastodon)
        var context = PollContext(
          now: now, credential: .configured(facts.scheme, token: token, address: source.address))
        context.credentialElsewhere = { .configured(facts.scheme, token: token, address: $0) }
        let transport = LiveTransport(LiveTransport.Options(version: "1", now: { now }))
        let adapters = SourceAdapters(transport: transport)
        let stream = try #require(try await adapters.stream(of: source, context: context))
        #expect(stream.request.url.hasPrefix(other.origin))
        let (opened, door) = AsyncStream.makeStream(of: Void.self)
        async let listening = transport.listen(
          to: stream.request, stream.form, onOpen: { door.finish() }, onMessage: { _ in })
        for await _ in opened {}
        await standIn.conditions.someoneListens()
        let adapter = try #require(adapters.adapter(for: .mastodon))
        #expect(await adapter.pollAll(source, position: PollPosition(), context: context).failure == nil)
        #expect(standIn.conditions.visits.filter { $0.path == "/api/v2/instance" }.count == 1)
        standIn.conditions.announce(nil)
        _ = try? await listening
        await transport.shutdown()
      }
    }
  }
}
