import Foundation
import Platform
import PostgreSQL
import Sync
import TerminalHarness
import TestBasics
import Testing

/// `reddot-postgresql` without a server.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PostgreSQLProgramTests {
  private func failure(_ address: String) throws -> String? {
    let place = try PipePlace(
      [BuiltProduct.path("reddot-postgresql")],
      environment: ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "REDDOT_PLACE": address],
      place: "PLACE", host: "HOST")
    defer { place.close() }
    let failure = #expect(throws: PlaceFailure.self) { try place.list() }
    return failure?.description.replacing(
      "\(BuiltProduct.path("reddot-postgresql"))", with: "reddot-postgresql")
  }

  @Test func aServerThatIsNotThereIsSaid() throws {
    let folder = try TemporaryFolder()
    #expect(
      try failure("postgresql:///reddot?host=\(folder.path)")
        == """
        PLACE cannot be used: connection to server on socket "\(folder.path)/.s.PGSQL.5432" failed: No such file or directory
        """)
    #expect(
      try failure("postgresql://ada:secret@127.0.0.1:1/reddot")
        == #"PLACE cannot be used: connection to server at "127.0.0.1", port 1 failed: Connection refused"#)
  }

  /// A part of the password would be taken for the host or the port.
  @Test(arguments: [
    "postgresql://ada:s3cret@word@box/reddot", "postgresql://ada:s3cret/word@box/reddot",
    "postgresql://ada:s3cret%zz@box/reddot", "postgresql://ada:s3cret", "postgresql://ada:s3cret#@box/reddot",
    "postgresql://box/reddot?passwort=s3cret", "ssh:box:s3cret", "s3cret",
  ])
  func anAddressThatCannotBeReadIsRefusedWithoutItsPassword(address: String) throws {
    let sentence = try #require(try failure(address))
    #expect(sentence.hasPrefix("reddot-postgresql ended: "), "\(sentence)")
    #expect(
      sentence.hasSuffix(
        "cannot be used: write postgresql://HOST/DATABASE, and in a name or a password %40 for @, %2F for / and %25 for %"
      ), "\(sentence)")
    #expect(
      address.contains("word") || address.contains("zz") ? !sentence.contains("s3cret") : true, "\(sentence)")
  }

  @Test(arguments: [
    "postgresql://box", "postgresql://box/reddot", "postgresql://ada@box:5433/reddot",
    "postgresql://ada:a%40b%2Fc%25@box,box2:5433,5434/reddot?sslmode=verify-full",
    "postgresql://[::1]/reddot", "postgresql:///reddot?host=/run/postgresql&user=ada",
  ])
  func whatLibpqUnderstandsIsUnderstood(address: String) {
    #expect(PostgreSQLAddress(address) != nil)
  }

  @Test func withoutAnAddressItSaysWhereHelpIs() throws {
    #expect(
      try failure("")
        == "reddot-postgresql ended: REDDOT_PLACE is not set; see reddot-postgresql --help"
    )
  }

  @Test func aServerThatNeverAnswersIsNotWaitedForForever() throws {
    let folder = try TemporaryFolder()
    let listening = try Listener(path: "\(folder.path)/.s.PGSQL.5432")
    var times = PostgreSQLPlace.Times()
    times.connecting = .milliseconds(50)
    let place = try PostgreSQLPlace("postgresql:///reddot?host=\(folder.path)", times: times)
    let failure = #expect(throws: PlaceFailure.self) { try place.list() }
    #expect(failure?.description.hasSuffix("cannot be used: the server did not answer for 1 s") == true)
    withExtendedLifetime(listening) {}
  }

  private func output(_ arguments: String...) async throws -> String {
    let bytes = try await ProgramRunner().run(
      Program(
        [BuiltProduct.path("reddot-postgresql")] + arguments, environment: ["PATH": "/usr/bin:/bin"],
        outputLimit: 1 << 16, deadline: HangLimit.duration))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func itSaysItsVersionAndItsHelp() async throws {
    #expect(try await output("--version").contains(#/^reddot-postgresql, reddot-sync 1, libpq \d+\.\d+\n$/#))
    let help = try await output("--help")
    #expect(help.contains("place = \"postgresql://HOST/DATABASE\"") && help.contains("REDDOT_PLACE"))
    await #expect(throws: ProgramFailure.self) { try await output("--verbose") }
  }

  @Test func aReasonIsOneLineThatIsBounded() {
    #expect(
      PostgreSQLFailure.reason(
        """
        connection to server at "box" (::1), port 5432 failed: Connection refused
        \tIs the server running on that host and accepting TCP/IP connections?
        connection to server at "box" (127.0.0.1), port 5432 failed: FATAL:  no\u{1B}[31m
        \tHint.

        """) == #"connection to server at "box" (127.0.0.1), port 5432 failed: FATAL: no [31m"#)
    #expect(PostgreSQLFailure.reason("") == "the server gave no reason")
    #expect(PostgreSQLFailure.reason(String(repeating: "x", count: 10_000)).count == 500)
  }
}

/// Accepts connections, and sends nothing.
private final class Listener {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0, listen(descriptor, 8) == 0 else { throw POSIXError(.EIO) }
  }

  deinit { close(descriptor) }
}
