import Foundation
import Hub
import PostgreSQL
import PostgreSQLStandIn
import Synchronization
import TestBasics
import Testing

/// The hub's store in PostgreSQL, with a real server. ``HubStoreTests`` cover it too.
@Suite(
  .enabled(
    if: PostgreSQLServer.isInstalled,
    "PostgreSQL's server is not installed: Resources/install-packages --servers"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct HubDatabaseTests {
  private let start = HubPremises.start

  // MARK: Commands

  @Test func anEmptyDatabaseGetsItsTables() throws {
    let premises = try HubPremises(.database)
    let store = try premises.open()
    #expect(try store.versionBefore == 4 && store.version() == 4)
    let found = try store.findings(now: Date())
    #expect(found.filter { !$0.isGood }.map(\.what) == ["fsync"], "that server does not wait for the disk")
    #expect(try abs(store.now().timeIntervalSinceNow) < 60)
    let refused = #expect(throws: HubStoreFailure.self) { try store.backUp(to: "it's.dump") }
    #expect(refused?.kind == .wrongUsage)
    #expect(
      refused?.description.contains(#"pg_dump --format=custom --file='it'\''s.dump' 'postgresql:///"#) == true
    )
  }

  @Test func anotherSchemaIsRefused() throws {
    let premises = try HubPremises(.database)
    let ask = try premises.administrator()
    try ask("UPDATE hub SET schema = 99")
    #expect(throws: HubStoreFailure.self) { try premises.open() }
    try ask("DROP TABLE hub CASCADE")
    try ask("CREATE TABLE hub (theirs int)")
    let failure = #expect(throws: HubStoreFailure.self) { try premises.open() }
    #expect(failure?.kind == .notAHub)
  }

  /// Items that an older hub stored end no sooner than a feed's days after its upgrade.
  @Test func itemsOfAnOlderHubHaveTheirDaysFromItsUpgradeOn() async throws {
    let premises = try HubPremises(.database)
    for title in ["A", "B", "C"] { _ = try await premises.hub().one("{\"title\": \"\(title)\"}") }
    let ask = try premises.administrator()
    for statement in [
      "DROP TABLE hook", "DROP INDEX item_endless", "ALTER TABLE feed DROP expires_days",
      "ALTER TABLE hub DROP expires_from", "UPDATE hub SET schema = 2",
    ] { try ask(statement) }
    #expect { try premises.open() } throws: { ($0 as? HubStoreFailure)?.kind == .olderSchema }
    let store = try PostgreSQLPool(premises.options(), migrates: true)
    #expect(try store.versionBefore == 2 && store.version() == 4 && store.feeds()[0].expiresDays == 30)
    let hub = try store.hub()
    #expect(try await hub.sweep(now: Date()).ended == 0)
    #expect(try await hub.sweep(now: Date() + 29.9 * 86_400).ended == 0)
    #expect(try await hub.sweep(now: Date() + 30.1 * 86_400) == SweepCounts(ended: 3, deleted: 2))
  }

  @Test(arguments: ["postgres://ada:s3cret@box/hub", "postgresql://box/hub?password=s3cret"])
  func aPasswordInTheAddressIsRefused(_ address: String) {
    #expect(throws: HubDatabaseOptions.Mistake.hasPassword) { try HubDatabaseOptions(address) }
  }

  @Test(arguments: ["", "box", "mysql://box/hub", "postgres://ada:s3cret@word@box/hub"])
  func otherTextsAreNoAddresses(_ text: String) {
    #expect(throws: HubDatabaseOptions.Mistake.unreadable) { try HubDatabaseOptions(text) }
  }

  @Test func thePasswordComesFromAProgramAndIsInNoSentence() throws {
    let server = try PostgreSQLServer.shared
    var options = try HubDatabaseOptions(server.address(role: "guarded"))
    let environment = ["PATH": "/usr/bin:/bin"]
    options.passwordCommand = PasswordCommand(["echo", "wr0ng"], environment: environment)
    let wrong = #expect(throws: HubStoreFailure.self) { try PostgreSQLPool(options) }
    #expect(wrong?.kind == .away && wrong?.description.contains("password authentication failed") == true)
    #expect(wrong?.description.contains("wr0ng") == false)
    options.passwordCommand = PasswordCommand(["false"], environment: environment)
    let failed = #expect(throws: HubStoreFailure.self) { try PostgreSQLPool(options) }
    #expect(failed?.description.hasSuffix("password_command ended with status 1") == true)
    options.passwordCommand = PasswordCommand(["echo", "right"], environment: environment)
    // The user may connect, but not create tables there.
    let right = #expect(throws: HubStoreFailure.self) { try PostgreSQLPool(options) }
    #expect(right?.kind == .refused && right?.description.contains("permission denied") == true)
  }

  @Test func thePasswordIsAskedForOnceAndAgainWhenItIsRefused() async throws {
    let server = try PostgreSQLServer()
    let administrator = try server.administrator()
    _ = try PostgreSQLPool(HubDatabaseOptions(server.address(role: "postgres")))
    try administrator("GRANT ALL ON ALL TABLES IN SCHEMA public TO guarded")
    try administrator("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO guarded")
    let folder = try HubFolder()
    let (secret, runs) = (URL(filePath: "\(folder.path)/secret"), URL(filePath: "\(folder.path)/runs"))
    try Data("right".utf8).write(to: secret)
    var options = try HubDatabaseOptions(server.address(role: "guarded"))
    options.passwordCommand = PasswordCommand(
      ["sh", "-c", "echo >>\(runs.path); cat \(secret.path)"], environment: ["PATH": "/usr/bin:/bin"])
    let store = try PostgreSQLPool(options)
    try store.add(HubFeed(name: HubPremises.ops, title: "Ops"))
    let hub = try store.hub()
    #expect(try await hub.one(#"{"title": "A"}"#).id == 1)
    #expect(try await hub.page().items.count == 1)
    #expect(try Data(contentsOf: runs).count == 1)
    try administrator("ALTER ROLE guarded PASSWORD 'another'")
    try Data("another".utf8).write(to: secret)
    try administrator(Self.terminate)
    var id: Int64?
    while id == nil { id = try? await hub.one(#"{"title": "B", "key": "b"}"#).id }
    var page: HubPage?
    while page == nil { page = try? await hub.page() }
    #expect(page?.items.count == 2)
    #expect(try Data(contentsOf: runs).count == 2)
  }

  // MARK: Copying

  @Test func aFileIsCopiedSoThatNobodyBeginsAgain() async throws {
    let (file, database) = (try HubPremises(.file), try HubPremises(.database))
    let source = try SQLiteFile(path: try #require(file.folder).database)
    let hub = source.hub()
    let text = try source.addToken("a", reads: [HubPremises.ops], publishes: [], expires: nil, now: start)
    let key = PublishOrder.Idempotency(key: "1", hash: [7])
    let first = try await hub.publish(
      #"[{"title": "A", "key": "a"}, {"title": "é\"\n"}]"#, idempotency: key, token: 1)
    _ = try await hub.one(#"{"title": "B", "key": "b", "expires": "1h"}"#)
    _ = try await hub.withdraw("a", from: HubPremises.ops, token: nil, address: "fe80::1%eth0", now: start)
    _ = try await hub.one(#"{"title": "Later", "key": "l", "not_before": "2h"}"#)
    _ = try source.addToken(
      "link", reads: [HubPremises.ops], publishes: [], isLink: true, isAdmin: false, expires: nil, now: start)
    _ = try source.addToken(
      "boss", reads: [], publishes: [], isLink: false, isAdmin: true, expires: nil, now: start)
    let path = try #require(DocumentPath(["pictures", "é.png"]))
    let document = HubDocument(path: path, type: .png, body: Data([0, 255, 92, 120]), modified: start)
    #expect(try await hub.put(document, into: HubPremises.ops, token: -2, address: nil) == .stored)
    #expect(throws: HubStoreFailure.self) { try (database.open() as? PostgreSQLPool)?.copy(from: source) }
    _ = try database.open().remove(feed: HubPremises.ops)
    let copied = try #require(try (database.open() as? PostgreSQLPool)?.copy(from: source))
    #expect(copied == PostgreSQLPool.Copied(feeds: 1, tokens: 3, items: 3, documents: 1, lastID: 4))
    #expect(try database.open().feeds() == source.feeds() && database.open().tokens() == source.tokens())
    let copy = try database.hub()
    for since in [0, 1, 2, 3, 4] as [Int64] {
      #expect(try await copy.page(since: since) == hub.page(since: since), "\(since)")
    }
    #expect(try await copy.document(path, of: HubPremises.ops) == document)
    let (acts, theirs) = (
      try await copy.audit(since: 0, limit: 100), try await hub.audit(since: 0, limit: 100)
    )
    #expect(acts.map(\.id) == theirs.map(\.id) && acts.map(\.act) == theirs.map(\.act))
    let number = try #require(HubToken(text)).number
    #expect(try await copy.access(token: number) == hub.access(token: number))
    let again = try await copy.publish(
      #"[{"title": "A", "key": "a"}, {"title": "é\"\n"}]"#, idempotency: key, token: 1)
    #expect(again.isReplayed && again.results == first.results)
    let due = start.addingTimeInterval(7200)
    _ = try await copy.advance(now: due)
    #expect(try await copy.page(since: 4, at: due).items.first?.hasPrefix(#"{"id":5,"key":"l""#) == true)
    #expect(try await copy.uid() == hub.uid())
  }

  // MARK: Lost connections

  private static let terminate =
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'reddot-hub' AND datname = current_database()"

  @Test func whatIsAcknowledgedStaysWhileConnectionsAreEnded() async throws {
    let premises = try HubPremises(.database)
    let hub = try premises.hub()
    let isDone = Mutex(false)
    let count = Mutex(0)
    let killing = Task.detached {
      let ask = try premises.administrator()
      var (ended, last) = (0, 0)
      // This runs once for each item, so that there is time to connect in between.
      while !isDone.withLock({ $0 }) {
        let now = count.withLock { $0 }
        if now > last { ended += try ask.number(Self.terminate) }
        last = now
      }
      return ended
    }
    var acknowledged: [Int64] = []
    for number in 0..<100 {
      let key = PublishOrder.Idempotency(key: "\(number)", hash: [1])
      while true {
        do {
          let answer = try await hub.publish("{\"title\": \"\(number)\"}", idempotency: key)
          acknowledged.append(try #require(answer.results.first?.id))
          count.withLock { $0 += 1 }
          break
        } catch let failure as HubFailure {
          #expect(failure.code == .storeAway)
        }
      }
      if number % 10 == 0 {
        do { _ = try await hub.page(limit: 1000) } catch {
          #expect((error as? HubFailure)?.code == .storeAway)
        }
      }
    }
    isDone.withLock { $0 = true }
    #expect(try await killing.value > 0)
    var page: HubPage?
    while page == nil { page = try? await hub.page(limit: 1000) }
    let ids = page?.items.compactMap { $0.firstMatch(of: #/"id":(\d+)/#).flatMap { Int64($0.1) } }
    #expect(ids == acknowledged, "each once, in order")
  }

  @Test func oneEndedConnectionIsNoticedByNobody() async throws {
    let premises = try HubPremises(.database)
    let hub = try premises.hub()
    let ask = try premises.administrator()
    for number in 1...5 as ClosedRange<Int64> {
      #expect(try await hub.one("{\"title\": \"\(number)\"}").id == number)
      #expect(try await hub.page().lastID == number)
      try ask(Self.terminate)
    }
  }

  @Test func aServerThatIsAwayIsSaidAtOnceAndUsedAgain() async throws {
    let server = try PostgreSQLServer()
    let premises = try HubPremises(.database, on: server)
    let hub = try premises.hub()
    #expect(try await hub.one(#"{"title": "A"}"#).id == 1)
    try server.stop("immediate")
    await #expect(throws: HubFailure.storeAway) { try await hub.one(#"{"title": "B"}"#) }
    await #expect(throws: HubFailure.storeAway) { try await hub.page() }
    // Nothing waits for the next attempt.
    for _ in 0..<1000 {
      await #expect(throws: HubFailure.storeAway) { try await hub.one(#"{"title": "B"}"#) }
    }
    #expect {
      try premises.open()
    } throws: { ($0 as? HubStoreFailure)?.kind == .away }
    try server.start()
    var id: Int64?
    while id == nil { id = try? await hub.one(#"{"title": "C", "key": "c"}"#).id }
    #expect(id.map { $0 > 1 } == true)
    // Reads have separate connections, which are opened again automatically.
    var page: HubPage?
    while page == nil { page = try? await hub.page() }
    #expect(page?.items.count == 2)
  }

  /// If a hub stops in its transaction, the database ends it.
  @Test func aHubThatStandsStillStopsNobodyForLong() async throws {
    let premises = try HubPremises(.database)
    let hub = try premises.hub()
    #expect(try await hub.one(#"{"title": "A"}"#).id == 1)
    let other = try premises.administrator()
    try other("SET idle_in_transaction_session_timeout = '5s'")
    try other("BEGIN")
    try other("SELECT pg_advisory_xact_lock(1919174754)")
    var id: Int64?
    while id == nil { id = try? await hub.one(#"{"title": "B", "key": "b"}"#).id }
    #expect(try await hub.page().items.count == 2)
  }

  // MARK: Several hubs

  @Test func anotherHubsItemsAreHeardOf() async throws {
    let premises = try HubPremises(.database)
    let (here, there) = (try premises.hub(), try premises.hub())
    let (ids, heard) = AsyncStream.makeStream(of: Int64.self)
    here.observe { if let id = $0[HubPremises.ops] { heard.yield(id) } }
    #expect(try await there.one(#"{"title": "A"}"#).id == 1)
    for await id in ids {
      #expect(id == 1)
      break
    }
    #expect(try await here.page().lastID == 1)
  }

  @Test func whatIsDueAppearsOnceWithManyHubs() async throws {
    let premises = try HubPremises(.database)
    let hubs = try (0..<3).map { _ in try premises.hub() }
    for number in 0..<20 { _ = try await hubs[0].one("{\"title\": \"\(number)\", \"not_before\": \"1h\"}") }
    let due = start.addingTimeInterval(3600)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for hub in hubs { group.addTask { _ = try await hub.advance(now: due) } }
      try await group.waitForAll()
    }
    #expect(try await hubs[1].page(at: due).items.count == 20)
    #expect(try await hubs[2].page(at: due).lastID == 20)
  }

  @Test func theTimeIsTheDatabases() async throws {
    let premises = try HubPremises(.database)
    let hub = try premises.hub()
    let ask = try premises.administrator()
    for _ in 0..<20 {
      _ = try await hub.advance(now: start)
      let here = hub.now()
      let there = try #require(try ask("SELECT clock_timestamp()").first?.time(0))
      #expect(here <= Date(stored: there + 1), "it is ahead")
    }
  }

  @Test func aPageHasItsBound() async throws {
    let premises = try HubPremises(.database)
    let hub = try premises.hub()
    let text = String(repeating: "x", count: 60_000)
    for _ in 0..<80 { _ = try await hub.one("{\"title\": \"A\", \"body\": \"\(text)\"}") }
    let page = try await hub.page(limit: 1000)
    #expect(page.hasMore && page.items.count < 80 && page.lastID == 80)
    #expect(page.items.reduce(0) { $0 + $1.utf8.count + 1 } <= 4 << 20)
    let rest = try await hub.page(since: Int64(page.items.count), limit: 1000)
    #expect(!rest.hasMore && rest.items.count == 80 - page.items.count)
  }

  @Test func aKeyThatNoDatabaseCanHoldIsNotFound() async throws {
    let hub = try HubPremises(.database).hub()
    await #expect(throws: HubFailure.notFound) {
      try await hub.withdraw("a\0b", from: HubPremises.ops, token: nil, address: nil, now: start)
    }
  }
}
