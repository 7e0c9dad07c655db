import Foundation
import Platform
package import PostgreSQL
import Synchronization
import TestBasics

/// A server of PostgreSQL in a temporary folder, with the table of Resources/samples/sync.sql in its database `reddot`.
/// It has a role `guarded` with the password `right`. It ends with this process at the latest, and its folder with it.
package final class PostgreSQLServer: Sendable {
  /// The folder in which Debian has the programs of the newest version.
  private static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return versions.compactMap(Int.init).sorted(by: >).map { "\(folder)/\($0)/bin" }.first {
      FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
    }
  }()
  package static let isInstalled = programs != nil
  private static let one = Result { try PostgreSQLServer() }
  /// The server for all tests that don't stop it.
  package static var shared: PostgreSQLServer { get throws { try one.get() } }

  package struct Failed: Error {
    package var event: String

    package init(event: String) { self.event = event }
  }

  /// The folder of the server's socket.
  package let folder: String
  /// The port on localhost, with TLS and the certificate `data/server.crt`; `nil` if the server has only the socket.
  private let port: Int?
  private let script: PipedProgram
  private let alarm: Alarm
  private let names = Mutex(0)

  /// - Parameters:
  ///   - isDurable: whether it waits for the disk, like servers that are not for tests.
  ///   - hasTLS: whether it also listens on localhost, only with TLS. Its certificate is also its authority.
  package init(isDurable: Bool = false, hasTLS: Bool = false) throws {
    // The program does the same.
    signal(SIGPIPE, SIG_IGN)
    // The path is short, because a socket's address contains it.
    var template = Array("/tmp/reddot-sql-XXXXXX".utf8CString)
    guard let programs = Self.programs, let made = mkdtemp(&template) else {
      throw Failed(event: "no server, or no folder")
    }
    folder = String(cString: made)
    alarm = try Alarm()
    port = hasTLS ? try Self.freePort() : nil
    // PostgreSQL refuses to run as root.
    var unprivileged: [String] = []
    if geteuid() == 0, let nobody = getpwnam("nobody") {
      guard chown(folder, nobody.pointee.pw_uid, nobody.pointee.pw_gid) == 0 else {
        throw POSIXError(.EPERM)
      }
      unprivileged = [
        "setpriv", "--reuid=\(nobody.pointee.pw_uid)", "--regid=\(nobody.pointee.pw_gid)", "--clear-groups",
      ]
    }
    let sample = Project.folder.appending(path: "Resources/samples/sync.sql").path
    let start = [
      "sh", "-c",
      """
      folder=$1 sample=$2 fsync=$3 port=$4
      shift 4
      more="-c listen_addresses=''"
      [ -z "$port" ] || more="-c listen_addresses=127.0.0.1 -c port=$port -c ssl=on"
      export PGPORT="${port:-5432}"
      as="$*"
      cd "$folder" || exit
      start() { $as pg_ctl -w -D data -l log -o "-k '$folder' $more -c fsync=$fsync -c max_connections=400" start >/dev/null || exit; }
      stop() { $as pg_ctl -w -D data -m "$1" stop >/dev/null 2>&1; }
      # Also where nobody reads the answers any more, the server is to be ended.
      trap '' PIPE
      trap 'stop immediate; cd /; rm -rf "$folder"' EXIT
      $as initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null || exit
      printf 'local reddot guarded scram-sha-256\\nlocal all all trust\\nhostssl all all 127.0.0.1/32 trust\\n' >data/pg_hba.conf
      [ -z "$port" ] || $as openssl req -x509 -nodes -days 2 -newkey rsa:2048 -subj /CN=localhost \\
        -addext subjectAltName=DNS:localhost -keyout data/server.key -out data/server.crt 2>/dev/null || exit
      start
      sql() { psql -X -q -h "$folder" -U postgres -v ON_ERROR_STOP=1 "$@" 2>/dev/null || exit; }
      sql -d postgres -c 'CREATE DATABASE reddot' -c 'CREATE DATABASE bare'
      sql -d postgres -c "CREATE ROLE guarded LOGIN PASSWORD 'right'"
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
      """, "server", folder, sample, isDurable ? "on" : "off",
      port.map { "\($0)" } ?? "",
    ]
    script = try PipedProgram(
      start + unprivileged, environment: ["PATH": "\(programs):/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"])
    try order("")
  }

  deinit {
    do {
      // The script has no time for that if its input ends while this process still runs.
      try order("end\n")
    } catch {
      print("\(folder) may stay behind: \(error)")
    }
  }

  /// Waits until the order is carried out.
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

  /// - Parameter mode: the mode of pg_ctl: `fast` ends all connections, `immediate` is a crash.
  package func stop(_ mode: String = "fast") throws { try order("\(mode)\n") }

  package func start() throws { try order("start\n") }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failed(event: "no socket") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw Failed(event: "no port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Returns an address with TLS.
  ///
  /// - Parameter more: further parameters of libpq.
  package func address(host: String, _ more: String) throws -> String {
    guard let port else { throw Failed(event: "it has no TLS") }
    return "postgresql://postgres@\(host):\(port)/bare?\(more)"
  }

  package var certificate: String { "\(folder)/data/server.crt" }

  package func address(role: String, database: String = "reddot") -> String {
    "postgresql:///\(database)?host=\(folder)&user=\(role)"
  }

  // MARK: The administrator

  /// The statements of an administrator, on a separate connection.
  package final class Administrator {
    private let connection: PostgreSQLConnection

    init(_ server: PostgreSQLServer, database: String) throws {
      guard let address = PostgreSQLAddress(server.address(role: "postgres", database: database)) else {
        throw Failed(event: "the address cannot be read")
      }
      connection = try PostgreSQLConnection(address, closing: server.alarm)
    }

    @discardableResult package func callAsFunction(_ statement: String) throws -> [PostgreSQLRow] {
      try connection.ask(statement)
    }

    /// Returns a number from the first row.
    package func number(_ statement: String) throws -> Int {
      try self(statement).first?.number(0).map(Int.init) ?? 0
    }

    /// Repeats the query until the number isn't 0. It runs outside a transaction, which would always see the same
    /// activity.
    @discardableResult package func wait(for statement: String) throws -> Int {
      let end = ContinuousClock.now + HangLimit.duration
      while true {
        let number = try number(statement)
        if number != 0 { return number }
        guard ContinuousClock.now < end else { throw Failed(event: "never so: \(statement)") }
      }
    }
  }

  package func administrator(database: String = "reddot") throws -> Administrator {
    try Administrator(self, database: database)
  }

  /// Creates a new role, which has no rows.
  package func role(_ options: String = "") throws -> String {
    let name = newName("role")
    try administrator()("CREATE ROLE \(name) LOGIN \(options)")
    return name
  }

  /// Creates a new and empty database.
  package func database() throws -> String {
    let name = newName("database")
    try administrator()("CREATE DATABASE \(name)")
    return name
  }

  private func newName(_ what: String) -> String {
    names.withLock { number in
      number += 1
      return "\(what)\(number)"
    }
  }
}
