import Basics
import Foundation
import Platform
import PostgreSQL
import PostgreSQLStandIn
import Sync
import TestBasics
import Testing

/// `reddot-postgresql` and a real server. ``PlaceContractTests`` cover it too.
@Suite(
  .enabled(
    if: PostgreSQLServer.isInstalled,
    "PostgreSQL's server is not installed: Resources/install-packages --servers"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct PostgreSQLTests {
  private func server() throws -> PostgreSQLServer { try .shared }

  // MARK: Roles

  @Test func anotherRoleSeesAndDeletesNothing() throws {
    let server = try server()
    let (ada, bob) = (try server.role(), try server.role())
    let (hers, his) = (try server.place(role: ada), try server.place(role: bob))
    #expect(try hers.put(name(1, 1...3), object(100)) == .done)
    #expect(try his.list() == [])
    #expect(try his.get(name(1, 1...3)) == nil)
    try his.delete(name(1, 1...3))
    // The same name is another object there.
    #expect(try his.put(name(1, 1...3), object(200)) == .done)
    #expect(try hers.get(name(1, 1...3)) == object(100))
    #expect(try his.get(name(1, 1...3)) == object(200))
    #expect(try !hers.changed(seconds: 0) || hers.list() == [name(1, 1...3)])
  }

  @Test func noRoleWritesAsAnotherOrChangesRows() throws {
    let server = try server()
    let (ada, bob) = (try server.role(), try server.role())
    #expect(try server.place(role: ada).put(name(1, 1...3), object(100)) == .done)
    let address = try #require(PostgreSQLAddress(server.address(role: bob)))
    let connection = try PostgreSQLConnection(address, closing: Alarm())
    for (statement, state) in [
      (
        "INSERT INTO reddot_sync (person, device, first, last, body) VALUES ('\(ada)', decode(repeat('07', 16), 'hex'), 1, 1, '')",
        "42501"
      ),
      ("UPDATE reddot_sync SET body = ''", "42501"), ("TRUNCATE reddot_sync", "42501"),
      ("ALTER TABLE reddot_sync DISABLE ROW LEVEL SECURITY", "42501"),
      ("DROP POLICY own ON reddot_sync", "42501"),
      ("INSERT INTO reddot_sync (device, first, last, body) VALUES ('', 1, 1, '')", "23514"),
    ] {
      let failure = #expect(throws: PostgreSQLFailure.self) { try connection.ask(statement) }
      guard case .refused(state, _) = failure else {
        Issue.record("\(statement): \(String(describing: failure))")
        continue
      }
    }
    #expect(try connection.ask("DELETE FROM reddot_sync RETURNING first").isEmpty)
    #expect(try connection.ask("SELECT first FROM reddot_sync").isEmpty)
  }

  /// Row security doesn't restrict a superuser.
  @Test func aSuperuserSeesItsOwnRowsOnly() throws {
    let server = try server()
    let (ada, root) = (try server.role(), try server.role("SUPERUSER"))
    #expect(try server.place(role: ada).put(name(1, 1...3), object(100)) == .done)
    let place = try server.place(role: root)
    #expect(try place.list() == [])
    #expect(try place.get(name(1, 1...3)) == nil)
    try place.delete(name(1, 1...3))
    #expect(try server.place(role: ada).list() == [name(1, 1...3)])
  }

  private static let noTable =
    "the database has no table reddot_sync that this role may use; create it with Resources/samples/sync.sql"

  @Test func aDatabaseWithoutTheTableIsSaid() throws {
    let server = try server()
    let place = try server.place(role: server.role(), database: "bare")
    for _ in 1...2 {
      let failure = #expect(throws: PlaceFailure.self) { try place.list() }
      #expect(failure?.description.hasSuffix(": \(Self.noTable)") == true)
    }
    for verb in Verb.allCases {
      let failure = #expect(throws: PlaceFailure.self) { try verb.ask(place) }
      #expect(failure?.description.hasSuffix(": \(Self.noTable)") == true, "\(verb)")
    }
    // The table is created, and used without another start.
    try server.administrator(database: "bare")(
      "CREATE TABLE reddot_sync (person name DEFAULT current_user, device bytea, first bigint, last bigint, body bytea)"
    )
    try server.administrator(database: "bare")("GRANT ALL ON reddot_sync TO PUBLIC")
    #expect(try place.list() == [])
    try server.administrator(database: "bare")("DROP TABLE reddot_sync")
  }

  @Test func aRoleWithoutRightsIsTold() throws {
    let server = try server()
    let role = try server.role()
    let administrator = try server.administrator()
    try administrator("CREATE SCHEMA \(role)")
    try administrator("CREATE TABLE \(role).reddot_sync (LIKE reddot_sync INCLUDING ALL)")
    try administrator("GRANT USAGE ON SCHEMA \(role) TO \(role)")
    let place = try server.place(role: role)
    for verb in Verb.allCases {
      let failure = #expect(throws: PlaceFailure.self) { try verb.ask(place) }
      #expect(failure?.description.hasSuffix(": \(Self.noTable)") == true, "\(verb)")
    }
  }

  // MARK: What the server refuses

  static let refusals: [(state: String, sentence: String)] = [
    ("53100", "PLACE is full"), ("54000", "PLACE is full"),
    ("25006", "PLACE may not be written: the reason"),
    ("XX000", "PLACE cannot be used: the reason"),
    ("23505", "PLACE cannot be used: the reason"),
    ("57P01", "PLACE cannot be used: the reason"),
  ]

  @Test(arguments: refusals) func whatTheServerRefusesIsSaid(state: String, sentence: String) throws {
    let server = try server()
    let role = try server.role()
    let administrator = try server.administrator()
    // This is the role's own table, in the schema that is searched first.
    try administrator("CREATE SCHEMA \(role) AUTHORIZATION \(role)")
    try administrator("CREATE TABLE \(role).reddot_sync (LIKE reddot_sync INCLUDING ALL)")
    try administrator("GRANT ALL ON \(role).reddot_sync TO \(role)")
    try administrator(
      """
      CREATE FUNCTION \(role).refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the reason' USING ERRCODE = '\(state)'; END $$
      """)
    try administrator(
      "CREATE TRIGGER refuse BEFORE INSERT ON \(role).reddot_sync EXECUTE FUNCTION \(role).refuse()")
    let place = try server.place(role: role)
    let failure = #expect(throws: PlaceFailure.self) { try place.put(name(1, 1...1), object(10)) }
    #expect(failure?.description.replacing(server.address(role: role), with: "PLACE") == sentence)
    // The other connections continue.
    #expect(try place.list() == [])
  }

  @Test func aPasswordIsInNoSentence() throws {
    let server = try server()
    let address = server.address(role: "guarded")
    let right = try server.place("\(address)&password=right")
    #expect(try right.list() == [])
    let wrong = try server.place("\(address)&password=wr0ng")
    let failure = #expect(throws: PlaceFailure.self) { try wrong.list() }
    let sentence = failure?.description ?? ""
    #expect(sentence.hasSuffix(#"FATAL: password authentication failed for user "guarded""#), "\(sentence)")
    #expect(!sentence.contains("wr0ng"))
    let none = #expect(throws: PlaceFailure.self) {
      try server.place(address, environment: ["PGPASSFILE": "/dev/null"]).list()
    }
    #expect(none?.description.hasSuffix("fe_sendauth: no password supplied") == true)
    // The password is in a file, as for psql.
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/pgpass"
    try Data("*:*:*:guarded:right\n".utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(try server.place(address, environment: ["PGPASSFILE": file]).list() == [])
  }

  // MARK: Lost connections

  enum Verb: CaseIterable {
    case list, get, put, delete, changed

    /// Runs the verb once.
    func ask(_ place: any Place) throws {
      switch self {
      case .list: _ = try place.list()
      case .get: _ = try place.get(name(1, 1...3))
      case .put: #expect(try place.put(name(2, 1...3), object(70_000)) == .done)
      case .delete: try place.delete(name(1, 1...3))
      case .changed: _ = try place.changed(seconds: 0)
      }
    }
  }

  /// Returns a query for the server's process that waits for a lock, except for these.
  private static func waiting(_ role: String, butNot others: [Int] = []) -> String {
    """
    SELECT pid FROM pg_stat_activity WHERE usename = '\(role)' AND wait_event_type = 'Lock'
      AND pid <> ALL ('{\(others.map(String.init).joined(separator: ","))}')
    """
  }

  private static func terminate(_ role: String) -> String {
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'"
  }

  /// The connection is ended while each verb waits for a lock of the table.
  @Test(arguments: Verb.allCases) func aVerbIsRepeatedOnceWhereItsConnectionIsEnded(verb: Verb) throws {
    let server = try server()
    let role = try server.role()
    let place = try server.place(role: role)
    #expect(try place.put(name(1, 1...3), object(100)) == .done)
    // A transaction sees the activity of its first query.
    let (administrator, locking) = (try server.administrator(), try server.administrator())
    for endings in 1...2 {
      try locking("BEGIN")
      try locking("LOCK TABLE reddot_sync IN ACCESS EXCLUSIVE MODE")
      let running = Background { try verb.ask(place) }
      var ended: [Int] = []
      for _ in 1...endings {
        let process = try administrator.wait(for: Self.waiting(role, butNot: ended))
        try administrator("SELECT pg_terminate_backend(\(process))")
        ended.append(process)
      }
      if endings == 1 {
        try administrator.wait(for: Self.waiting(role, butNot: ended))
        try locking("COMMIT")
        try running.value()
      } else {
        let failure = #expect(throws: PlaceFailure.self) { try running.value() }
        guard case .broken(_, "terminating connection due to administrator command") = failure else {
          Issue.record("\(String(describing: failure))")
          return
        }
        try locking("COMMIT")
      }
    }
    // The next one is not blocked.
    try verb.ask(place)
    let there = try Set(place.list())
    let expected: Set<ObjectName> =
      switch verb {
      case .put: [name(1, 1...3), name(2, 1...3)]
      case .delete: []
      case _: [name(1, 1...3)]
      }
    #expect(there == expected)
  }

  @Test func whatIsAcknowledgedStaysWhileConnectionsAreEnded() throws {
    let server = try server()
    let role = try server.role()
    let count: Int64 = 60
    let isDone = Flag()
    let killing = Background {
      let administrator = try server.administrator()
      var ended = 0
      while !isDone.isSet { ended += try administrator(Self.terminate(role)).count }
      return ended
    }
    let place = try server.place(role: role)
    var put: [Int64] = []
    var failures: Set<String> = []
    for number in 1...count {
      do {
        #expect(try place.put(name(1, number...number), object(Int(number) * 100)) == .done)
        put.append(number)
        let names = try place.list()
        #expect(Set(put).isSubset(of: names.map(\.seqs.lowerBound)))
        #expect(try place.get(name(1, number...number)) == object(Int(number) * 100))
        _ = try place.changed(seconds: 0)
      } catch {
        guard case .broken(_, let reason) = error else { throw error }
        failures.insert(reason)
      }
    }
    isDone.set()
    #expect(try killing.value() > 0)
    for number in 1...count {
      #expect(try place.put(name(1, number...number), object(Int(number) * 100)) == .done)
    }
    #expect(try place.list().count == Int(count))
    for number in put { #expect(try place.get(name(1, number...number)) == object(Int(number) * 100)) }
    // The sentences are plain and on one line.
    #expect(failures.allSatisfy { !$0.isEmpty && !$0.contains("\n") }, "\(failures)")
  }

  // MARK: Waiting

  @Test func whoWaitsIsWokenAfterItsConnectionWasEnded() throws {
    let server = try server()
    let role = try server.role()
    let administrator = try server.administrator()
    let (here, there) = (try server.place(role: role), try server.place(role: role))
    _ = try here.list()
    let listens =
      "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(role)' AND query ~ 'pg_backend_pid'"
    for round in 1...2 as ClosedRange<Int64> {
      let waiting = Background { try here.changed(seconds: longest) }
      try administrator.wait(for: listens)
      try administrator(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = '\(role)' AND query ~ 'pg_backend_pid'"
      )
      #expect(try there.put(name(1, round...round), object(10)) == .done)
      #expect(try waiting.value())
      #expect(try here.list().count == Int(round))
    }
  }

  /// The server ends the connection for notifications while it is being opened: it is opened again soon, and not only
  /// after the time for servers that can't notify.
  @Test func whoWaitsIsWokenIfTheConnectionEndedBeforeItListened() throws {
    let server = try server()
    let role = try server.role()
    let administrator = try server.administrator()
    // The first process that asks for its number is ended.
    for statement in [
      "CREATE SCHEMA \(role) AUTHORIZATION \(role)", "SET ROLE \(role)", "CREATE SEQUENCE \(role).asked",
      """
      CREATE FUNCTION \(role).pg_backend_pid() RETURNS int LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('\(role).asked') = 1 THEN
          PERFORM pg_terminate_backend(pg_catalog.pg_backend_pid());
          PERFORM pg_sleep(\(longest));
        END IF;
        RETURN pg_catalog.pg_backend_pid();
      END $$
      """, "RESET ROLE", "ALTER ROLE \(role) SET search_path = \(role), public, pg_catalog",
    ] { try administrator(statement) }
    var times = PostgreSQLPlace.Times()
    times.listeningAgain = .milliseconds(20)
    times.looking = .seconds(10 * longest)
    let here = try PostgreSQLPlace(server.address(role: role), times: times)
    let there = try server.place(role: role)
    _ = try here.list()
    let waiting = Background { try here.changed(seconds: longest) }
    try administrator.wait(for: "SELECT count(*) FROM \(role).asked WHERE last_value = 2")
    #expect(try there.put(name(1, 1...1), object(10)) == .done)
    #expect(try waiting.value())
  }

  /// There is no connection left for notifications, as behind a pooler.
  @Test func withoutNotificationsTheListIsLookedAt() throws {
    let server = try server()
    let role = try server.role("CONNECTION LIMIT 2")
    var times = PostgreSQLPlace.Times()
    times.looking = .milliseconds(20)
    let here = try PostgreSQLPlace(server.address(role: role), times: times)
    let there = try PostgreSQLPlace(server.address(role: role))
    #expect(try here.list() == [])
    #expect(try there.list() == [])
    let waiting = Background { try here.changed(seconds: longest) }
    #expect(try there.put(name(1, 1...1), object(10)) == .done)
    #expect(try waiting.value())
    #expect(try here.list() == [name(1, 1...1)])
    #expect(try !here.changed(seconds: 0))
  }

  // MARK: Time

  @Test func aServerThatDoesNotAnswerHasFailed() throws {
    let server = try server()
    let role = try server.role()
    var times = PostgreSQLPlace.Times()
    times.silence = .milliseconds(50)
    let place = try PostgreSQLPlace(server.address(role: role), times: times)
    let locking = try server.administrator()
    try locking("BEGIN")
    try locking("LOCK TABLE reddot_sync IN ACCESS EXCLUSIVE MODE")
    let failure = #expect(throws: PlaceFailure.self) { try place.list() }
    #expect(failure?.description.hasSuffix("cannot be used: the server did not answer for 1 s") == true)
    try locking("COMMIT")
    #expect(try place.list() == [])
  }

  @Test func closingEndsAVerb() throws {
    let server = try server()
    let role = try server.role()
    let place = try PostgreSQLPlace(server.address(role: role))
    let (administrator, locking) = (try server.administrator(), try server.administrator())
    try locking("BEGIN")
    try locking("LOCK TABLE reddot_sync IN ACCESS EXCLUSIVE MODE")
    let running = Background { try place.list() }
    try administrator.wait(for: Self.waiting(role))
    place.close()
    #expect(throws: PlaceFailure.closed) { try running.value() }
    try locking("COMMIT")
    #expect(throws: PlaceFailure.closed) { try place.list() }
  }

  // MARK: The server itself

  @Test func aServerThatIsStartedAgainIsUsedAgain() throws {
    let server = try PostgreSQLServer()
    let role = try server.role()
    // An acknowledged object is on the disk despite this setting.
    try server.administrator()("ALTER ROLE \(role) SET synchronous_commit = off")
    let place = try server.place(role: role)
    #expect(try place.list() == [])
    for (round, mode) in ["fast", "immediate", "immediate"].enumerated() {
      let number = Int64(round + 1)
      let waiting = Background { try place.changed(seconds: longest) }
      try server.administrator().wait(
        for: "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(role)' AND query ~ 'pg_backend_pid'")
      try server.stop(mode)
      let failure = #expect(throws: PlaceFailure.self) { try waiting.value() }
      guard case .broken = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      for verb in Verb.allCases { #expect(throws: PlaceFailure.self) { try verb.ask(place) } }
      try server.start()
      #expect(try place.list().count == round)
      #expect(try place.put(name(1, number...number), object(1000)) == .done)
    }
    try server.stop("immediate")
    try server.start()
    #expect(try place.list().count == 3)
    #expect(try place.get(name(1, 3...3)) == object(1000))
  }

  @Test func largeObjectsAreStoredAsTheyAre() throws {
    let server = try server()
    let place = try server.place(role: server.role())
    let bytes = [UInt8](repeating: 7, count: Limits.placeObjectBytes)
    #expect(try place.put(name(1, 1...1), bytes) == .done)
    #expect(try place.get(name(1, 1...1)) == bytes)
    #expect(try place.put(name(1, 1...1), bytes) == .done)
    let row = "SELECT octet_length(body) FROM reddot_sync ORDER BY octet_length(body) DESC LIMIT 1"
    #expect(try server.administrator().number(row) == bytes.count)
    try place.delete(name(1, 1...1))
  }
}
