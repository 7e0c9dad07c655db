import Basics
import Foundation
import HTTP
import Messages
import StandIns
import TestBasics
import Testing

@testable import Services

/// The guarantees of every adapter of a service, whatever happens at the service, in the network, and here.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct ServiceContractTests {
  /// The services that use http.
  static let kinds = StandIns.types.filter { SourceAdapters.facts(of: $0.kind) != nil }.map(
    ServiceSubject.init)

  static let histories = kinds.flatMap { kind in (1...40).map { (kind, $0) } }
  static let storedHistories = kinds.flatMap { kind in (101...105).map { (kind, $0) } }

  @Test func everyServiceHasAStandIn() {
    let missing = SourceAdapters.serviceKinds.filter { $0 != .command && StandIns.type(of: $0) == nil }
    #expect(missing == [])
    #expect(!Self.kinds.isEmpty)
  }

  @Test(arguments: histories)
  func nothingIsLostAndNothingComesTwice(_ kind: ServiceSubject, seed: Int) async throws {
    let history = try ServiceHistory(kind, seed: seed)
    for _ in 0..<6 {
      for _ in 0..<12 { await history.step() }
      await history.settle()
      check(history, "\(kind) \(seed)")
    }
    #expect(history.transport.leaks == [])
    #expect(history.store.refused == [])
    // The problems of requests that may fail.
    let allowed = [
      "the notes of ", "needs a token with the scope read:statuses",
      "the names of the applications are missing", "the state of issues and pull requests is unknown",
    ]
    #expect(
      history.store.problems.allSatisfy { problem in allowed.contains(where: problem.message.hasPrefix) })
  }

  /// The address of the requests that GitHub needs besides those for its list, one for each page.
  private static let states = "/api/graphql"

  /// One request to each service shows that there is nothing new, so a login must last for more than one poll. GitHub
  /// has the states of the threads elsewhere.
  @Test(arguments: kinds)
  func aPollWithoutNewsIsOneRequest(_ kind: ServiceSubject) async throws {
    let history = try ServiceHistory(kind, seed: 1, skew: 0)
    history.standIn.arrive()
    await history.settle()
    history.clock.advance(600)
    await history.poll()
    history.standIn.conditions.clearVisits()
    history.clock.advance(600)
    await history.poll()
    let paths = history.standIn.conditions.visits.map(\.path)
    #expect(paths.count == (kind.kind == .github ? 2 : 1), "\(paths)")
    #expect(paths.dropFirst().allSatisfy { $0 == Self.states }, "\(paths)")
  }

  /// Checks a history after a settled poll.
  private func check(_ history: ServiceHistory, _ name: String) {
    let faults = history.faults
    #expect(faults == [], "\(name)\n\(faults.isEmpty ? "" : history.log.joined(separator: " | "))")
  }

  /// The histories run with the real store instead of the model.
  @Test(arguments: storedHistories)
  func theStoreKeepsWhatAnAdapterBrings(_ kind: ServiceSubject, seed: Int) async throws {
    let history = try ServiceHistory(kind, seed: seed)
    history.store = try StoredHistory(history.source.settings, at: history.clock.now)
    for _ in 0..<4 {
      for _ in 0..<12 { await history.step() }
      await history.settle()
      check(history, "\(kind) \(seed)")
    }
    #expect(history.store.refused == [])
  }

  @Test(arguments: kinds)
  func anUnchangedPollCostsOneRequest(_ kind: ServiceSubject) async throws {
    let history = try ServiceHistory(kind, seed: 1, skew: 0)
    for _ in 0..<5 {
      history.standIn.arrive()
      history.clock.advance(60)
    }
    await history.poll()
    history.clock.advance(60)
    await history.poll()
    history.standIn.conditions.clearVisits()
    for _ in 0..<10 {
      history.clock.advance(60)
      let before = history.standIn.conditions.visits.count
      await history.poll()
      let paths = history.standIn.conditions.visits.dropFirst(before).map(\.path)
      #expect(paths.count { $0 != Self.states } == 1, "\(paths)")
    }
    // The states are requested whenever the whole list is read.
    let requests = history.standIn.conditions.visits.count { $0.path == Self.states }
    #expect(requests == (kind.kind == .github ? 10 / Limits.pollsUntilWhole : 0))
    #expect(history.store.news.count == 5)
  }

  @Test(arguments: kinds, StandInFault.allCases)
  func aFaultFailsThePollAndTheNextOneBringsEverything(_ kind: ServiceSubject, _ fault: StandInFault)
    async throws
  {
    let history = try ServiceHistory(kind, seed: 2, skew: 0)
    history.standIn.arrive()
    history.standIn.conditions.fail(fault)
    let outcome = await history.poll()
    #expect(outcome.failure != nil)
    #expect(history.store.entries.isEmpty)
    switch fault {
    case .tooManyRequests:
      let until = try #require(outcome.hints.retryAfter)
      #expect(abs(until.timeIntervalSince(history.clock.now) - 120) < 1)
      #expect(outcome.failure == .heldBack(status: 429))
    case .unauthorized, .serverError:
      guard case .status(let status, let reason)? = outcome.failure else {
        Issue.record("\(String(describing: outcome.failure)) names no status")
        return
      }
      #expect(status == (fault == .serverError ? 500 : 401))
      #expect(!reason.isEmpty)
    case .forbidden, .cut, .hangUp: break
    }
    history.clock.advance(3700)
    await history.poll()
    #expect(history.store.entries.count == 1)
  }

  /// The messages before a failure, a 429 or the deadline are kept, and the next poll continues there.
  @Test(arguments: kinds, StandInFault.allCases)
  func aFaultInAnyPageLosesNothing(_ kind: ServiceSubject, _ fault: StandInFault) async throws {
    for page in 0..<6 {
      let history = try ServiceHistory(kind, seed: 8, skew: 0)
      for _ in 0..<320 {
        history.standIn.arrive()
        history.clock.advance(1)
      }
      history.standIn.conditions.fail(fault, after: page)
      await history.poll()
      await history.settle()
      check(history, "\(kind), page \(page)")
    }
  }

  /// Every sixth request is refused, without end.
  @Test(arguments: kinds)
  func aServerThatIsAlwaysBusyIsReadWhole(_ kind: ServiceSubject) async throws {
    let history = try ServiceHistory(kind, seed: 9, skew: 0)
    for _ in 0..<1500 {
      history.standIn.arrive()
      history.clock.advance(1)
    }
    for _ in 0..<40 {
      history.standIn.conditions.recover()
      history.standIn.conditions.fail(.tooManyRequests, after: 5)
      await history.poll()
      history.clock.advance(700)
    }
    let listed = history.standIn.truth.listed.map(\.id)
    // A first poll reads no more of the messages that a service keeps for years.
    if ![.mastodon, .discourse].contains(kind.kind) {
      #expect(listed.allSatisfy { history.store.entries[$0] != nil })
    }
    #expect(history.store.news.values.allSatisfy { $0 == 1 })
    #expect(!history.store.entries.isEmpty)
  }

  @Test(arguments: kinds, StandInFault.allCases)
  func aFaultKeepsTheActsForLater(_ kind: ServiceSubject, _ fault: StandInFault) async throws {
    let history = try ServiceHistory(kind, seed: 3, skew: 0)
    let isCarried = history.facts.writableMarks.contains(.read)
    guard isCarried || history.facts.writableMarks.contains(.done) else { return }
    let mark: OutgoingMark = isCarried ? .read(true) : .done(true)
    for _ in 0..<3 { history.standIn.arrive() }
    await history.poll()
    for id in history.store.order { history.store.act(mark, on: id, at: history.clock.now) }
    let acts = history.store.outgoing.count
    history.standIn.conditions.fail(fault)
    let result = await history.carry()
    #expect(result.refused.isEmpty)
    #expect(result.carried.count < acts)
    #expect(result.failure != nil)
    await history.settle()
    #expect(history.store.outgoing.isEmpty)
    check(history, "\(kind)")
  }

  /// If the address of an act is unknown, the act does not count as done, and an unknown list is not an empty one.
  @Test(arguments: kinds, StandInProxy.allCases)
  func aProxysPageIsNotAnAnswer(_ kind: ServiceSubject, _ proxy: StandInProxy) async throws {
    let history = try ServiceHistory(kind, seed: 3, skew: 0)
    let marks: [(WritableMarks, OutgoingMark)] = [
      (.read, .read(true)), (.done, .done(true)), (.star, .starred(true)),
    ]
    let carried = marks.filter { history.facts.writableMarks.contains($0.0) }.map(\.1)
    history.arrive(3)
    await history.poll()
    let known = history.store.entries
    history.standIn.conditions.proxy = proxy
    history.arrive(2)
    history.clock.advance(4000)
    if proxy == .everything {
      let outcome = await history.poll()
      guard case .status(404, let reason)? = outcome.failure else {
        Issue.record("\(String(describing: outcome.failure)) is not what the proxy said")
        return
      }
      #expect(!reason.isEmpty && !outcome.hints.isGone)
    }
    #expect(history.store.entries.mapValues(\.isRead) == known.mapValues(\.isRead))
    for id in history.store.order {
      for mark in carried { history.store.act(mark, on: id, at: history.clock.now) }
    }
    if !carried.isEmpty {
      let result = await history.carry()
      #expect(result.carried.isEmpty && result.refused.isEmpty)
      guard case .status(404, _)? = result.failure else {
        Issue.record("\(String(describing: result.failure)) is not what the proxy said")
        return
      }
    }
    history.standIn.conditions.proxy = nil
    await history.settle()
    check(history, "\(kind)")
  }

  /// Addresses in responses may name any server.
  @Test(arguments: kinds)
  func theTokenStaysWithItsServer(_ kind: ServiceSubject) async throws {
    let history = try ServiceHistory(kind, seed: 4, skew: 0)
    history.standIn.conditions.isLeadingAway = true
    for round in 0..<8 {
      history.arrive(round == 0 ? 320 : 2, every: 30)
      await history.poll()
      if let id = history.store.order.last, history.facts.writableMarks.contains(.read) {
        history.store.act(.read(true), on: id, at: history.clock.now)
      }
      await history.carry()
      history.clock.advance(300)
    }
    #expect(history.transport.leaks == [])
    #expect(history.transport.strayRequests == [])
    #expect(history.standIn.conditions.visits.contains { $0.hasToken } || !history.facts.needsToken)
    // The pages to which the responses refer elsewhere are read here.
    await history.settle()
    check(history, "\(kind)")
    #expect(history.transport.strayRequests == [])
  }

  /// A backup of the first messages replaces the server, or an empty one does: it reuses the ids of others.
  @Test(arguments: kinds, [0, 5])
  func aServerThatIsRestoredFromABackupLosesNothing(_ kind: ServiceSubject, kept: Int) async throws {
    let history = try ServiceHistory(kind, seed: 7, skew: 0)
    history.store = try StoredHistory(history.source.settings, at: history.clock.now)
    let backup = history.emptyServer()
    history.arrive(kept, every: 60, alsoAt: backup)
    history.arrive(12 - kept, every: 60)
    await history.settle()
    #expect(history.store.count == 12)
    history.restore(backup)
    history.clock.advance(3600)
    await history.poll()
    #expect(history.store.count == 12)
    for round in 1...3 {
      history.arrive(4, every: 40)
      await history.poll()
      history.clock.advance(300)
      // An alert, a check and a thread are the same again if they have the same id, with a new occasion.
      let areSame = [.alertmanager, .healthchecks, .github, .gitea].contains(kind.kind)
      #expect(areSame || history.store.count == 12 + 4 * round)
      let entries = history.store.entries
      #expect(history.standIn.truth.listed.allSatisfy { entries[$0.id]?.isRead == false })
    }
    await history.settle()
    check(history, "\(kind)")
    history.standIn.conditions.clearVisits()
    history.clock.advance(300)
    await history.poll()
    #expect(history.standIn.conditions.visits.count { $0.path != Self.states } == 1)
  }

  private static let elsewhere: [(StandInAbilities, OutgoingMark)] = [
    (.read, .read(true)), (.unread, .read(false)), (.star, .starred(true)), (.done, .done(true)),
  ]

  /// Another client of the user marks messages.
  @Test(arguments: kinds)
  func whatIsMarkedElsewhereIsSeen(_ kind: ServiceSubject) async throws {
    for (ability, mark) in Self.elsewhere where kind.type.abilities.contains(ability) {
      let history = try ServiceHistory(kind, seed: 10, skew: 0)
      history.arrive(12, every: 60)
      await history.settle()
      let ids = history.standIn.truth.listed.map(\.id.text).sorted()
      if mark == .read(false) {
        for id in ids.prefix(6) { history.standIn.markElsewhere(.read(true), of: RemoteID(id)) }
        await history.settle()
      }
      for id in ids.prefix(4) { history.standIn.markElsewhere(mark, of: RemoteID(id)) }
      // Some services do not report it in the response to every poll.
      let most: Double =
        switch (kind.kind, mark) {
        case (.github, _): Limits.wholeListSeconds
        case (.mastodon, .read): Limits.markerSeconds
        case (.greader, .starred): Limits.starredSeconds
        case _: 1
        }
      for _ in 0..<Int((most / 300).rounded(.up)) {
        history.clock.advance(300)
        await history.poll()
      }
      check(history, "\(kind) \(mark)")
    }
  }

  /// A client that reads a whole list while it changes.
  @Test(arguments: kinds, 1...5)
  func aListThatChangesWhileItIsReadLosesNothing(_ kind: ServiceSubject, seed: Int) async throws {
    let history = try ServiceHistory(kind, seed: seed, skew: 0)
    for _ in 0..<120 {
      history.standIn.arrive()
      history.clock.advance(2)
    }
    let ids = history.standIn.truth.listed.map(\.id.text).sorted()
    let standIn = history.standIn
    for place in 0..<3 {
      let id = try #require(ids.randomElement(using: &history.random))
      let isRead = type(of: standIn).abilities.contains(.read)
      standIn.conditions.between(after: place) {
        if isRead { standIn.markElsewhere(.read(true), of: RemoteID(id)) }
        standIn.arrive()
      }
      history.clock.advance(60)
      await history.poll()
    }
    await history.settle()
    check(history, "\(kind) \(seed)")
  }

  /// Bytes that no server sends, instead of a response.
  @Test(arguments: kinds)
  func noAnswerTraps(_ kind: ServiceSubject) async throws {
    let history = try ServiceHistory(kind, seed: 5, skew: 0)
    for _ in 0..<3 { history.standIn.arrive() }
    let good = Captured()
    let transport = GarbledTransport(history.transport, good)
    let adapter = try #require(SourceAdapters(transport: transport).adapter(for: kind.kind))
    _ = await adapter.pollAll(
      history.source, position: PollPosition(), context: history.context)
    let bytes = try #require(good.bytes)
    var random = SeededRandom(seed: 6)
    for length in 0..<min(bytes.count, 4000) {
      let inspection = Inspector.inspect(
        bytes.prefix(length), kind: kind.kind, address: history.source.address, context: history.context)
      #expect(inspection.messages.count <= 3)
    }
    var outcomes = 0
    for round in 0..<400 {
      var garbled = bytes
      if round % 2 == 0 {
        garbled = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
      } else {
        for _ in 0..<Int.random(in: 1...8, using: &random) where !garbled.isEmpty {
          garbled[Int.random(in: 0..<garbled.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
      }
      good.garbled = garbled
      let outcome = await adapter.pollAll(
        history.source, position: PollPosition(), context: history.context)
      if outcome.content != nil || outcome.failure != nil || outcome.notModified != nil { outcomes += 1 }
      #expect(outcome.content?.messages.contains { $0.kind != .service } != true)
    }
    #expect(outcomes == 400)
  }
}
