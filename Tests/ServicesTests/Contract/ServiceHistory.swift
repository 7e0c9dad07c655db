import Foundation
import HTTP
import Messages
import Services
import StandIns
import Synchronization
import TestBasics
import Testing

/// A server with which a service is tested; some kinds of services have several.
struct ServiceSubject: Sendable, CustomStringConvertible {
  var type: any ServiceStandIn.Type

  init(_ type: any ServiceStandIn.Type) { self.type = type }

  var kind: SourceKind { type.kind }
  var description: String { "\(type)" }
}

/// A random history of one service and one user of it, the same for the same seed.
final class ServiceHistory {
  /// The clock of both sides; the server's may be wrong by minutes.
  final class Clock: Sendable {
    private let time = Mutex(ServicesTests.now)
    var now: Date { time.withLock { $0 } }
    func advance(_ seconds: Double) { time.withLock { $0 = $0.addingTimeInterval(seconds) } }
  }

  let clock = Clock()
  private(set) var standIn: any ServiceStandIn
  let transport: StandInTransport
  /// The adapter with which the program polls.
  let adapter: any SourceAdapter
  /// The adapters with which the program sends acts.
  let adapters: SourceAdapters
  let source: Source
  let facts: ServiceFacts
  let abilities: StandInAbilities
  var store: any HistoryStore = ModelStore()
  var random: SeededRandom
  /// The events so far, for the message of a failed test.
  private(set) var log: [String] = []
  private let credential: Credential?

  convenience init(_ kind: SourceKind, seed: Int, skew: Double? = nil) throws {
    try self.init(ServiceSubject(try #require(StandIns.type(of: kind))), seed: seed, skew: skew)
  }

  init(_ subject: ServiceSubject, seed: Int, skew: Double? = nil) throws {
    var random = SeededRandom(seed: seed)
    let (kind, type) = (subject.kind, subject.type)
    let skews: [Double] = [0, 0, -600, 600, 37]
    let skew = skew ?? skews.randomElement(using: &random) ?? 0
    let clock = clock
    standIn = type.init(StandInConditions { clock.now.addingTimeInterval(skew) })
    transport = StandInTransport(standIn)
    adapters = SourceAdapters(transport: transport)
    adapter = try #require(adapters.adapter(for: kind))
    facts = try #require(SourceAdapters.facts(of: kind))
    abilities = type.abilities
    var source = Source(id: SourceID(1), name: "s", kind: kind, address: type.address(at: transport.origin))
    source.settings.writableMarks = facts.writableMarks
    self.source = source
    credential = Credential.configured(
      facts.scheme, token: standIn.conditions.token, user: facts.needsUser ? standIn.conditions.user : nil,
      address: source.address)
    self.random = random
    log.append("skew \(skew)")
  }

  var context: PollContext {
    PollContext(now: clock.now, credential: credential, installed: ServicesTests.now)
  }

  // MARK: Steps

  /// Adds messages one after another, to the server and to its future backup.
  func arrive(_ count: Int, every seconds: Double = 1, alsoAt backup: (any ServiceStandIn)? = nil) {
    for _ in 0..<count {
      standIn.arrive()
      backup?.arrive()
      clock.advance(seconds)
    }
  }

  /// Returns an empty server of the same kind.
  func emptyServer() -> any ServiceStandIn { type(of: standIn).init(standIn.conditions) }

  /// Replaces the server with its backup.
  func restore(_ backup: any ServiceStandIn) {
    log.append("restored")
    standIn = backup
    transport.restore(backup)
  }

  /// Polls and stores each part, whatever the next one contains.
  @discardableResult func poll() async -> PollOutcome {
    await adapter.pollAll(source, position: store.position, context: context) { outcome in
      store.record(outcome, at: clock.now)
      switch outcome {
      case .content(let content, _):
        log.append(
          "poll: \(content.messages.map(\.remoteID.text)), open \(content.upstream?.open?.count ?? -1)")
      case .notModified: log.append("poll: not modified")
      case .failed(let failure, _): log.append("poll: \(failure)")
      }
    }
  }

  @discardableResult func carry() async -> WriteBackResult {
    let acts = store.outgoing
    guard !acts.isEmpty else { return WriteBackResult() }
    guard let result = await adapters.carry(acts, of: source, context: context) else {
      return WriteBackResult()
    }
    store.record(result, at: clock.now)
    // Results that are stored later have a later time.
    clock.advance(1)
    log.append(
      "carried \(result.carried.count) of \(acts.count), \(String(describing: result.failure))")
    return result
  }

  /// Performs one random step.
  func step() async {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: log.append("arrives: \(standIn.arrive().text)")
    case 5: if abilities.contains(.news) { change { $0.renew($1) } }
    case 6: if abilities.contains(.edits) { change { $0.edit($1) } }
    case 7, 8: markElsewhere()
    case 9, 10: actHere()
    case 11: await carry()
    case 12:
      fail()
      if Bool.random(using: &random) { await poll() } else { await carry() }
      standIn.conditions.recover()
    case 13 where abilities.contains(.restarts):
      log.append("restarts")
      standIn.restart()
    case 13: break
    case 14:
      // Something happens while the pages of a list are read.
      let standIn = standIn
      standIn.conditions.between(after: Int.random(in: 0..<3, using: &random)) { standIn.arrive() }
      await poll()
      standIn.conditions.recover()
    case 15, 16: clock.advance(Double.random(in: 0...900, using: &random))
    case _:
      // This is often within one second of the last event.
      clock.advance(Double.random(in: 0...2, using: &random))
      await poll()
    }
  }

  private func change(_ body: (any ServiceStandIn, RemoteID) -> Void) {
    guard let id = anyID() else { return }
    log.append("changes: \(id.text)")
    body(standIn, id)
  }

  private func anyID() -> RemoteID? {
    standIn.truth.everPresent.map(\.id.text).sorted().randomElement(using: &random).map(RemoteID.init)
  }

  private func markElsewhere() {
    var marks: [OutgoingMark] = []
    if abilities.contains(.read) { marks.append(.read(true)) }
    if abilities.contains(.unread) { marks.append(.read(false)) }
    if abilities.contains(.star) { marks += [.starred(true), .starred(false)] }
    if abilities.contains(.done) { marks.append(.done(true)) }
    guard let mark = marks.randomElement(using: &random), let id = anyID() else { return }
    log.append("elsewhere: \(mark) \(id.text)")
    standIn.markElsewhere(mark, of: id)
  }

  private func actHere() {
    let marks: [OutgoingMark] = [
      .read(true), .read(false), .starred(true), .starred(false), .done(true), .done(false),
    ]
    let carried = marks.filter { mark in mark.needs.map(facts.writableMarks.contains) ?? false }
    guard let mark = carried.randomElement(using: &random), let id = store.order.randomElement(using: &random)
    else { return }
    log.append("here: \(mark) \(id.text)")
    store.act(mark, on: id, at: clock.now)
  }

  private func fail() {
    let fault = StandInFault.allCases.randomElement(using: &random) ?? .serverError
    let after = Int.random(in: 0..<3, using: &random)
    log.append("fault: \(fault) after \(after)")
    standIn.conditions.fail(fault, after: after)
  }

  /// Makes two polls without faults, sends all acts, and waits long enough between them for every adapter's pauses.
  func settle() async {
    standIn.conditions.recover()
    for _ in 0..<2 {
      clock.advance(4000)
      for _ in 0..<(store.outgoing.count + 1) where !store.outgoing.isEmpty {
        await carry()
        clock.advance(120)
      }
      await poll()
    }
  }
}
