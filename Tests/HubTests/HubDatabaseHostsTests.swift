import Foundation
import Hub
import PostgreSQL
import PostgreSQLStandIn
import TestBasics
import Testing

/// The server to which a hub is connected, and the kind of the connection.
@Suite(
  .enabled(
    if: PostgreSQLServer.isInstalled,
    "PostgreSQL's server is not installed: Resources/install-packages --servers"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct HubDatabaseHostsTests {
  /// The first host does not exist, and only one of the others accepts writes: first the second one, then the first.
  @Test func theHostThatTakesWritesIsUsed() async throws {
    let servers = [try PostgreSQLServer(), try PostgreSQLServer()]
    for server in servers {
      try PostgreSQLPool(HubDatabaseOptions(server.address(role: "postgres"))).add(
        HubFeed(name: HubPremises.ops, title: "Ops"))
    }
    let administrators = try servers.map { try $0.administrator(database: "bare") }
    func set(_ number: Int, isReadOnly: Bool) throws {
      try administrators[number]("ALTER DATABASE reddot SET default_transaction_read_only = \(isReadOnly)")
      try administrators[number](
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reddot-hub'")
    }
    func items(_ number: Int) throws -> Int {
      try servers[number].administrator().number("SELECT count(*) FROM item")
    }
    try set(0, isReadOnly: true)
    let hosts = ["\(servers[0].folder)/none", servers[0].folder, servers[1].folder].joined(separator: ",")
    let store = try PostgreSQLPool(HubDatabaseOptions("postgresql:///reddot?host=\(hosts)&user=postgres"))
    let hub = try store.hub()
    #expect(try await hub.one(#"{"title": "A"}"#).id == 1)
    #expect(try items(0) == 0 && items(1) == 1)
    try set(0, isReadOnly: false)
    try set(1, isReadOnly: true)
    var id: Int64?
    while id == nil { id = try? await hub.one(#"{"title": "B", "key": "b"}"#).id }
    #expect(try items(0) == 1 && items(1) == 1)
  }

  /// This is like a host whose processes are stopped.
  @Test func aHostThatSaysNothingIsPassedOver() throws {
    let folder = try HubFolder()
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "\(folder.path)/.s.PGSQL.5432\0".utf8)
    }
    let isListening = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 8) == 0
      }
    }
    #expect(isListening)
    let premises = try HubPremises(.database)
    let good = try premises.options().address.text
    let both = good.replacing("host=", with: "host=\(folder.path),")
    #expect(try PostgreSQLPool(HubDatabaseOptions(both)).versionBefore == 4)
    let alone = try HubDatabaseOptions("postgresql:///reddot?host=\(folder.path)&user=postgres")
    let failure = #expect(throws: HubStoreFailure.self) { try PostgreSQLPool(alone) }
    #expect(failure?.kind == .away && failure?.description.hasSuffix("did not answer for 3 s") == true)
  }

  @Test func theServersCertificateIsChecked() throws {
    let (server, other) = (try PostgreSQLServer(hasTLS: true), try PostgreSQLServer(hasTLS: true))
    func open(_ host: String, root: String) throws -> PostgreSQLPool {
      try PostgreSQLPool(
        HubDatabaseOptions(server.address(host: host, "sslmode=verify-full&sslrootcert=\(root)")))
    }
    let store = try open("localhost", root: server.certificate)
    let found = try store.findings(now: Date())
    #expect(found.contains(HubFinding("TLS", true, "used")) && !found.contains { $0.what == "pooler" })
    for (host, root, reason) in [
      ("127.0.0.1", server.certificate, "does not match host name \"127.0.0.1\""),
      (
        "localhost", "\(server.folder)/none", "root certificate file \"\(server.folder)/none\" does not exist"
      ),
      ("localhost", other.certificate, "certificate verify failed"),
    ] {
      let failure = #expect(throws: HubStoreFailure.self) { try open(host, root: root) }
      #expect(failure?.kind == .away && failure?.description.contains(reason) == true, "\(failure as Any)")
    }
    // Without TLS, that server accepts no connection.
    let plain = try HubDatabaseOptions(server.address(host: "localhost", "sslmode=disable"))
    #expect(throws: HubStoreFailure.self) { try PostgreSQLPool(plain) }
  }
}
