import Foundation
import HangLimit
import Places
import Programs
import Sync
import Synchronization
import TerminalHarness

@testable import PostgreSQLPlace

/// A server of PostgreSQL in a temporary folder, with the table of Resources/samples/sync.sql in its database `reddot`. It
/// ends with this process at the latest, and its folder with it.
final class PostgreSQLServer: Sendable {
  /// Where Debian has the newest one's programs.
  private static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return versions.compactMap(Int.init).sorted(by: >).map { "\(folder)/\($0)/bin" }.first {
      FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
    }
  }()
  static let isInstalled = programs != nil
  private static let one = Result { try PostgreSQLServer() }
  /// For all tests that don't stop it.
  static var shared: PostgreSQLServer { get throws { try one.get() } }

  struct Failed: Error {
    var event: String
  }

  private let folder: String
  private let script: PipedProgram
  private let alarm: Alarm
  private let roles = Mutex(0)

  init() throws {
    // As the program does.
    signal(SIGPIPE, SIG_IGN)
    // Short: a socket has its name in it.
    var template = Array("/tmp/reddot-sql-XXXXXX".utf8CString)
    guard let programs = Self.programs, let made = mkdtemp(&template) else {
      throw Failed(event: "no server, or no folder")
    }
    folder = String(cString: made)
    alarm = try Alarm()
    // It refuses to run as root.
    var unprivileged: [String] = []
    if geteuid() == 0, let nobody = getpwnam("nobody") {
      guard chown(folder, nobody.pointee.pw_uid, nobody.pointee.pw_gid) == 0 else {
        throw POSIXError(.EPERM)
      }
      unprivileged = [
        "setpriv", "--reuid=\(nobody.pointee.pw_uid)", "--regid=\(nobody.pointee.pw_gid)", "--clear-groups",
      ]
    }
    let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Resources/samples/sync.sql"
    ).standardized.path
    let start = [
      "sh", "-c",
      """
      folder=$1 sample=$2
      shift 2
      as="$*"
      cd "$folder" || exit
      start() { $as pg_ctl -w -D data -l log -o "-k '$folder' -c listen_addresses='' -c fsync=off" start >/dev/null || exit; }
      stop() { $as pg_ctl -w -D data -m "$1" stop >/dev/null 2>&1; }
      # Also where nobody reads the answers any more, the server is to be ended.
      trap '' PIPE
      trap 'stop immediate; cd /; rm -rf "$folder"' EXIT
      $as initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null || exit
      printf 'local reddot guarded scram-sha-256\\nlocal all all trust\\n' >data/pg_hba.conf
      start
      sql() { psql -X -q -h "$folder" -U postgres -v ON_ERROR_STOP=1 "$@" 2>/dev/null || exit; }
      sql -d postgres -c 'CREATE DATABASE reddot' -c 'CREATE DATABASE bare'
      sql -d reddot -f "$sample"
      sql -d reddot -f "$sample"
      echo ready
      while read -r order && [ "$order" != end ]; do
        if [ "$order" = start ]; then start; else stop "$order"; fi
        echo ready
      done
      trap '' EXIT
      stop immediate
      cd /
      rm -rf "$folder"
      echo ready
      """, "server", folder, sample,
    ]
    script = try PipedProgram(
      start + unprivileged, environment: ["PATH": "\(programs):/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"])
    try order("")
  }

  deinit {
    do {
      // Its script has no time for that once its input ends while we live.
      try order("end\n")
    } catch {
      print("\(folder) may stay behind: \(error)")
    }
  }

  /// Waits until it is done.
  private func order(_ line: String) throws {
    var bytes = Array(line.utf8)[...]
    var answer: [UInt8] = []
    while !bytes.isEmpty || answer.last != UInt8(ascii: "\n") {
      guard case .moved(let came) = script.move(&bytes, within: HangLimit.duration, alarm: alarm) else {
        throw Failed(event: "\(line) failed: \(script.end())")
      }
      answer += came
    }
  }

  /// - Parameter mode: of pg_ctl: `fast` ends all connections, `immediate` is a crash.
  func stop(_ mode: String = "fast") throws { try order("\(mode)\n") }

  func start() throws { try order("start\n") }

  func address(role: String, database: String = "reddot") -> String {
    "postgresql:///\(database)?host=\(folder)&user=\(role)"
  }

  // MARK: The administrator

  /// What an administrator says, on a connection of its own.
  final class Administrator {
    private let connection: PostgreSQLConnection

    init(_ server: PostgreSQLServer, database: String) throws {
      guard let address = PostgreSQLAddress(server.address(role: "postgres", database: database)) else {
        throw Failed(event: "the address can't be read")
      }
      connection = try PostgreSQLConnection(address, closing: server.alarm)
    }

    @discardableResult func callAsFunction(_ statement: String) throws -> [PostgreSQLConnection.Row] {
      try connection.ask(statement)
    }

    /// A number, of the first row.
    func number(_ statement: String) throws -> Int {
      try self(statement).first?.first?.reduce(0) { $0 << 8 | Int($1) } ?? 0
    }

    /// Asks until the number isn't 0. Outside of a transaction, which would always see the same activity.
    @discardableResult func wait(for statement: String) throws -> Int {
      let end = ContinuousClock.now + HangLimit.duration
      while true {
        let number = try number(statement)
        if number != 0 { return number }
        guard ContinuousClock.now < end else { throw Failed(event: "never so: \(statement)") }
      }
    }
  }

  func administrator(database: String = "reddot") throws -> Administrator {
    try Administrator(self, database: database)
  }

  /// A new role, which has no rows.
  func role(_ options: String = "") throws -> String {
    let name = roles.withLock { number in
      number += 1
      return "role\(number)"
    }
    try administrator()("CREATE ROLE \(name) LOGIN \(options)")
    return name
  }

  // MARK: Places

  /// By the program, as reddot starts it.
  func place(role: String, database: String = "reddot", environment: [String: String] = [:]) throws
    -> any Place & Sendable
  {
    try place(address(role: role, database: database), environment: environment)
  }

  func place(_ address: String, environment: [String: String] = [:]) throws -> any Place & Sendable {
    let place = try PlaceAddress(address).open(
      environment: ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 },
      beside: URL(filePath: BuiltProduct.path("reddot-postgresql")).deletingLastPathComponent().path,
      hub: noHub)
    guard let pipe = place as? PipePlace else { throw Failed(event: "not a pipe") }
    return pipe
  }
}

/// Something that another thread waits for.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
