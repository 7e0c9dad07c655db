import CPQ
import Foundation
import PostgreSQL
import Sync

/// `reddot-postgresql`: a table of PostgreSQL as a place, behind the pipe that reddot speaks.
@main enum PostgreSQLProgram {
  private static let help = """
    reddot-postgresql: a table of PostgreSQL as the place of reddot's synchronisation.

    reddot starts this program by itself where its settings say

      [sync]
      place = "postgresql://HOST/DATABASE"

    It reads the address from the variable REDDOT_PLACE, requests from its standard input, and writes the answers to its \
    standard output. Passwords come from ~/.pgpass and certificates from ~/.postgresql, as for psql. The table is made by \
    Resources/samples/sync.sql.

      --version    the version of the pipe and of libpq
      --help       this text
    """

  static func main() {
    // The other end may be gone; writing says so.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit of `ulimit -f` fails, and is reported, instead of ending the program without a word.
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
        "it has no argument \(words.joined(separator: " ")): see reddot-postgresql --help", status: EX_USAGE)
    }
  }

  private static func serve() {
    guard let address = ProcessInfo.processInfo.environment["REDDOT_PLACE"], !address.isEmpty else {
      end("REDDOT_PLACE is not set: see reddot-postgresql --help", status: 1)
    }
    do {
      let place = try PostgreSQLPlace(address)
      try PlaceServer(place, input: STDIN_FILENO, output: STDOUT_FILENO).run()
    } catch let failure as PlaceFailure {
      end(failure.description, status: 1)
    } catch {
      end("reddot can't be answered any more: \(error.localizedDescription)", status: 1)
    }
  }

  private static func end(_ sentence: String, status: Int32) -> Never {
    // Its end is said by the status too where nobody can read this.
    try? FileHandle.standardError.write(contentsOf: Data("\(sentence)\n".utf8))
    exit(status)
  }
}
