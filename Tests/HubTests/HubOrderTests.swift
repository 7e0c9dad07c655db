import Basics
import Foundation
import Hub
import PostgreSQL
import PostgreSQLStandIn
import StandIns
import Synchronization
import TestBasics
import Testing

/// The number of items; 1000000 when run by hand.
private let items =
  ProcessInfo.processInfo.environment["REDDOT_HUB_ITEMS"].flatMap { Int($0) } ?? 2000

/// A reader who sees an id also sees every smaller one that will ever exist. There are two hubs of one database, which
/// pauses after each of their steps, and readers that ask one and the other.
@Suite(
  .enabled(
    if: PostgreSQLServer.isInstalled,
    "PostgreSQL's server is not installed: Resources/install-packages --servers"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct HubOrderTests {
  @Test func noReaderMissesAnything() async throws {
    let premises = try HubPremises(.database)
    try Steps.pause(premises)
    let result = try await HubCrowd(premises, items: items).run()
    #expect(result.problems == [])
    #expect(result.published == items && result.read == [items, items])
    print("\(result.published) items, \(result.requests) requests: \(result.problems.count) problems")
  }

  enum Mutant: CaseIterable {
    /// Ids are assigned without the lock.
    case bareSequence
    /// Ids are assigned before the lock.
    case idsBeforeTheLock
    /// The last id of a page is older than its items.
    case staleLastID
  }

  /// The test finds each of these mutants, so it can find such an error.
  @Test(arguments: Mutant.allCases) func aMutantIsFound(_ mutant: Mutant) async throws {
    let premises = try HubPremises(.database)
    try Steps.pause(premises, mutant)
    var problems: [String] = []
    for _ in 0..<20 where problems.isEmpty {
      problems = try await HubCrowd(premises, items: 200, isStale: mutant == .staleLastID).run().problems
    }
    #expect(problems != [])
  }
}

/// Functions of the database that replace PostgreSQL's own, and pause for 0 to 4 ms around them. The hubs are
/// unchanged.
private enum Steps {
  static func pause(_ premises: HubPremises, _ mutant: HubOrderTests.Mutant? = nil) throws {
    let ask = try premises.administrator()
    let database = try #require(try ask("SELECT current_database()").first?.text(0))
    for statement in [
      "CREATE SCHEMA steps",
      """
      CREATE FUNCTION steps.pause() RETURNS void LANGUAGE sql AS $$ SELECT pg_sleep(random() * 0.004) $$
      """,
      """
      CREATE FUNCTION steps.pg_advisory_xact_lock(key bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
        \(mutant == .idsBeforeTheLock ? "PERFORM set_config('steps.ids', string_agg(pg_catalog.nextval('place')::text, ','), true) FROM generate_series(1, 300);" : "")
        PERFORM steps.pause();
        \(mutant == .bareSequence ? "" : "PERFORM pg_catalog.pg_advisory_xact_lock(key);")
        PERFORM steps.pause(); END $$
      """,
      """
      CREATE FUNCTION steps.nextval(place regclass) RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE ids text; BEGIN
        IF random() < 0.1 THEN PERFORM steps.pause(); END IF;
        \(mutant == .idsBeforeTheLock
          ? "ids := current_setting('steps.ids'); PERFORM set_config('steps.ids', substr(ids, strpos(ids, ',') + 1), true); RETURN split_part(ids, ',', 1)::bigint;"
          : "RETURN pg_catalog.nextval(place);") END $$
      """,
      """
      CREATE FUNCTION steps.after() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM steps.pause(); RETURN NULL; END $$
      """,
      "CREATE TRIGGER after AFTER INSERT ON item FOR EACH STATEMENT EXECUTE FUNCTION steps.after()",
      "CREATE TRIGGER after AFTER INSERT ON audit FOR EACH STATEMENT EXECUTE FUNCTION steps.after()",
      """
      CREATE FUNCTION steps.commits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('steps.commits', true) IS DISTINCT FROM txid_current()::text THEN
          PERFORM set_config('steps.commits', txid_current()::text, true); PERFORM steps.pause();
        END IF; RETURN NULL; END $$
      """,
      """
      CREATE CONSTRAINT TRIGGER commits AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION steps.commits()
      """,
      "ALTER DATABASE \(database) SET search_path = steps, pg_catalog, public",
    ] { try ask(statement) }
  }
}

/// Publishers and readers of two hubs.
private final class HubCrowd: Sendable {
  struct Result {
    var published = 0
    /// The number of items that each reader has read.
    var read: [Int] = []
    var requests = 0
    var problems: [String] = []
  }

  private let premises: HubPremises
  private let items: Int
  private let isStale: Bool
  /// The items whose responses have arrived.
  private let published = Mutex<Set<String>>([])
  private let isOver = Mutex(false)
  private let requests = Mutex(0)

  init(_ premises: HubPremises, items: Int, isStale: Bool = false) {
    (self.premises, self.items, self.isStale) = (premises, items, isStale)
  }

  func run() async throws -> Result {
    var stores = [try premises.hub(), try premises.hub()]
    func stale(_ store: some HubStoring) -> any HubStoring { StaleHub(store) }
    if isStale { stores = stores.map { stale($0) } }
    func configure(_ options: inout HubOptions) {
      options.rates.publish = 1_000_000
      options.rates.read = 1_000_000
    }
    var result = Result()
    try await RunningHub.with(premises, serving: stores[0], configure) { one in
      try await RunningHub.with(self.premises, serving: stores[1], configure) { two in
        result = try await self.run([one, two])
      }
    }
    return result
  }

  private func run(_ hubs: [RunningHub]) async throws -> Result {
    let first = try await hubs[0].read("?since_id=0&limit=1").lastID ?? 0
    return try await withThrowingTaskGroup(of: (read: [String], problems: [String])?.self) { group in
      for number in 0..<2 { group.addTask { try await self.read(hubs, number, after: first) } }
      let publishing = Task {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<8 { group.addTask { try await self.publish(hubs, number) } }
          try await group.waitForAll()
        }
      }
      defer { isOver.withLock { $0 = true } }
      try await publishing.value
      isOver.withLock { $0 = true }
      var result = Result()
      let published = published.withLock { $0 }
      for try await reader in group {
        guard let (read, problems) = reader else { continue }
        result.problems += problems
        let missing = published.subtracting(read)
        result.problems += missing.sorted().prefix(5).map { "\($0) was never read" }
        if Set(read).count < read.count { result.problems.append("something was read twice") }
        result.read.append(read.count)
      }
      result.published = published.count
      result.requests = requests.withLock { $0 }
      return result
    }
  }

  /// Publishes several items at a time if there are many.
  private func publish(_ hubs: [RunningHub], _ publisher: Int) async throws {
    let size = items > 10_000 ? 50 : 1
    let count = items / 8 + (publisher < items % 8 ? 1 : 0)
    for start in stride(from: 0, to: count, by: size) {
      let titles = (start..<min(start + size, count)).map {
        "\(publisher)/\($0)/\(ObjectIdentifier(self).hashValue)"
      }
      let json = titles.map { "{\"title\": \"\($0)\"}" }.joined(separator: ",")
      let hub = hubs[(publisher + start / size) % 2]
      let answer = try await hub.publish(size == 1 ? json : "[\(json)]")
      try #require([200, 201].contains(answer.status), "\(answer.body)")
      requests.withLock { $0 += 1 }
      published.withLock { $0.formUnion(titles) }
    }
  }

  /// One reader waits for new items, the other one polls repeatedly; each uses one hub and then the other.
  private func read(
    _ hubs: [RunningHub], _ reader: Int, after first: Int64
  ) async throws -> (read: [String], problems: [String]) {
    var (since, turn) = (first, reader)
    var (read, problems): ([String], [String]) = ([], [])
    while true {
      let wasOver = isOver.withLock { $0 }
      let wait = reader == 0 && !wasOver ? "&wait=1" : ""
      let page = try await hubs[turn % 2].read("?since_id=\(since)&limit=1000\(wait)")
      try #require(page.status == 200, "\(page.body)")
      turn += 1
      requests.withLock { $0 += 1 }
      let ids = page.body.matches(of: #/\{"id":(\d+),"key"/#).compactMap { Int64($0.1) }
      read += page.body.matches(of: #/"title":"(\d+\/\d+\/-?\d+)"/#).map { String($0.1) }
      if ids != ids.sorted() || ids.first.map({ $0 <= since }) == true { problems.append("not in order") }
      let last = page.lastID ?? 0
      if last < since || last < ids.last ?? 0 { problems.append("\(last) after \(since): it begins again") }
      since = max(since, ids.last ?? 0)
      if wasOver, ids.isEmpty { return (read, Array(problems.prefix(5))) }
    }
  }
}

extension LoopbackClient.Answer {
  /// The last id of a page.
  var lastID: Int64? { body.firstMatch(of: #/"last_id":(\d+)\}$/#).flatMap { Int64($0.1) } }
}

/// A hub whose pages have a last id that was read before their items.
private final class StaleHub<Store: HubStoring>: HubStoring {
  private let hub: Store
  private let last = Mutex<Int64>(0)

  init(_ hub: Store) { self.hub = hub }

  func page(of feed: FeedName, since: Int64, limit: Int, now: Date) async throws(HubFailure) -> HubPage {
    var page = try await hub.page(of: feed, since: since, limit: limit, now: now)
    page.lastID = last.withLock { last in
      defer { last = page.lastID }
      return last
    }
    return page
  }

  func now() -> Date { hub.now() }
  var awayReason: String? { hub.awayReason }
  var load: StoreLoad { hub.load }
  func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void) { hub.observe(body) }
  func perform(_ work: HubWork, now: Date) async throws(HubFailure) -> PublishAnswer {
    try await hub.perform(work, now: now)
  }
  func advance(now: Date) async throws(HubFailure) -> Bool { try await hub.advance(now: now) }
  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Store.Session) throws -> Value
  ) async throws(HubFailure) -> Value { try await hub.reading(body) }
  func writing<Value: Sendable>(
    notifies: Bool, _ body: @escaping @Sendable (Store.Session) throws -> Value
  ) async throws(HubFailure) -> Value { try await hub.writing(notifies: notifies, body) }
  func changing<Value: Sendable>(
    _ body: @escaping @Sendable (Store.Session) throws -> Value
  ) async throws(HubFailure) -> Value { try await hub.changing(body) }
}
