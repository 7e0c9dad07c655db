import Basics
package import Foundation
import Platform
import PostgreSQL

extension PostgreSQLPool {
  /// Throws a failure that names PostgreSQL's own program for backups.
  package func backUp(to target: String) throws(HubStoreFailure) -> (items: Int, bytes: Int) {
    throw HubStoreFailure(
      .wrongUsage,
      "PostgreSQL has a program for that: pg_dump --format=custom --file=\(ShellWord.quoted(target)) \(ShellWord.quoted(name))"
    )
  }

  /// Returns the failure of a request to restore a backup. It names PostgreSQL's own program for that.
  package static func restoringElsewhere(_ file: String, _ options: HubDatabaseOptions) -> HubStoreFailure {
    let target = "--dbname=\(ShellWord.quoted(options.address.text)) \(ShellWord.quoted(file))"
    return HubStoreFailure(
      .wrongUsage,
      "PostgreSQL has a program for that: pg_restore --clean --if-exists --single-transaction \(target); then reddot-hub migrate --restored"
    )
  }

  package func findings(now: Date) throws(HubStoreFailure) -> [HubFinding] {
    let version = try version()
    let (row, isNear, hasTLS, process) = try reading { connection in
      let rows = try connection.ask(
        """
        SELECT current_setting('server_version_num')::int, current_setting('server_version'),
          current_setting('fsync'), current_setting('synchronous_standby_names'), clock_timestamp(), pg_backend_pid()
        """)
      return (rows.first, connection.isOfThisMachine, connection.hasTLS, connection.serverProcess)
    }
    guard let row else { return [] }
    let isDurable = row.text(2) == "on"
    let standby = row.text(3) ?? ""
    let seconds = Int((row.time(4) ?? 0) / 1000) - Int(now.timeIntervalSince1970)
    // Behind a pooler another process responds than the one that accepted the connection.
    let hasPooler = row.number(5) != Int64(process)
    return [
      HubFinding("schema", true, "\(version)"),
      HubFinding(
        "server", row.number(0) ?? 0 >= 130_000, "PostgreSQL \(row.text(1) ?? "of unknown version")"),
      HubFinding(
        "fsync", isDurable,
        isDurable ? "acknowledged items are on the disk" : "the server does not wait for the disk"),
      HubFinding(
        "standby", true,
        standby.isEmpty
          ? "none is waited for: a failover may lose what was acknowledged last" : "waits for \(standby)"),
      HubFinding(
        "TLS", isNear || hasTLS,
        hasTLS ? "used" : isNear ? "not needed on this machine" : "not used: add ?sslmode=verify-full"),
      HubFinding(
        "clock", abs(seconds) <= 60,
        abs(seconds) <= 60
          ? "as the database's" : "\(seconds) s behind the database, whose time is used"),
    ]
      + (hasPooler
        ? [
          HubFinding(
            "pooler", true,
            "there is one, which must keep each transaction on one connection; other hubs' items are looked for each second"
          )
        ] : [])
  }
}
