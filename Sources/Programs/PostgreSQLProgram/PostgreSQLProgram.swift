import CPQ
import Foundation
import PostgreSQL
import Sync

/// `reddot-postgresql`, which serves a table of PostgreSQL as a sync location, using reddot's pipe protocol.
@main enum PostgreSQLProgram {
  private static let help = """
    reddot-postgresql: serve a table of PostgreSQL as a sync location of reddot.

    reddot starts this program if its settings contain

      [sync]
      place = "postgresql://HOST/DATABASE"

    It reads the address from the variable REDDOT_PLACE and requests from standard input, and writes responses to \
    standard output. Passwords come from ~/.pgpass and certificates from ~/.postgresql, as for psql. Create the table with \
    Resources/samples/sync.sql.

      --version    the version of the pipe and of libpq
      --help       this text
    """

  static func main() {
    // If the other end has closed, writing reports an error.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit of `ulimit -f` fails and is reported, instead of ending the program silently.
    signal(SIGXFSZ, SIG_IGN)
    switch Array(CommandLine.arguments.dropFirst()) {
    case []: serve()
    case ["--version"]:
      let version = PQlibVersion()
      print(
        "reddot-postgresql, \(Greeting.line.dropLast()), libpq \(version / 10_000).\(version % 10_000)")
    case ["--help"], ["-h"]: print(help)
    case let words:
      end(
        "there is no argument \(words.joined(separator: " ")); see reddot-postgresql --help", status: EX_USAGE
      )
    }
  }

  private static func serve() {
    guard let address = ProcessInfo.processInfo.environment["REDDOT_PLACE"], !address.isEmpty else {
      end("REDDOT_PLACE is not set; see reddot-postgresql --help", status: 1)
    }
    do {
      let place = try PostgreSQLPlace(address)
      try PlaceServer(place, input: STDIN_FILENO, output: STDOUT_FILENO).run()
    } catch let failure as PlaceFailure {
      end(failure.description, status: 1)
    } catch {
      end("cannot respond to reddot any more: \(error.localizedDescription)", status: 1)
    }
  }

  private static func end(_ sentence: String, status: Int32) -> Never {
    // If standard error is closed, the exit status still reports the end.
    try? FileHandle.standardError.write(contentsOf: Data("\(sentence)\n".utf8))
    exit(status)
  }
}
