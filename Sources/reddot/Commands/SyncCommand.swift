import ArgumentParser
import Foundation
import Places

/// `reddot sync`
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "One inbox on several machines.",
    discussion: """
      EXAMPLES:
        reddot sync serve /srv/reddot/ann            serve a folder to other machines, behind ssh
      """,
    subcommands: [SyncServe.self])
}

/// `reddot sync serve`
struct SyncServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a folder as a place, over standard input and output.",
    discussion: """
      Another machine's reddot starts this by ssh, and it ends with it. Needs no settings, database or key: what lies in the \
      folder is encrypted. The folder is made when the first machine is set up.

      A line of authorized_keys that allows this and nothing else:
        command="reddot sync serve /srv/reddot/ann",restrict ssh-ed25519 AAAA…

      EXAMPLE:
        reddot sync serve /srv/reddot/ann
      """)

  @Argument(help: "The folder with the objects.", completion: .directory) var folder: String

  func run() throws {
    do {
      let place = try FolderPlace(path: folder)
      try PlaceServer(place, input: STDIN_FILENO, output: STDOUT_FILENO).run()
    } catch let failure as PlaceFailure {
      throw Complaint(failure.description)
    } catch let error as POSIXError {
      throw Complaint(
        "the other machine can't be served any more: \(String(cString: strerror(error.code.rawValue)))")
    }
  }
}
