import ArgumentParser
import Foundation
import Hub
import Platform

/// `reddot-hub`: publishes a team's messages, which every reddot reads as native feeds. See the page "Hub".
@main struct HubProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reddot-hub", abstract: "One server for a team's messages, which every reddot reads.",
    version: "reddot-hub \(version)",
    subcommands: [
      ServeCommand.self, FeedCommand.self, TokenCommand.self, PublishCommand.self, CheckCommand.self,
      MigrateCommand.self, BackupCommand.self, RestoreCommand.self, CopyCommand.self,
    ])

  /// The version, which is that of reddot: they are released together.
  static let version = "0.3.0"

  static func main() async {
    // If the other end of a pipe or a connection has closed, writing reports an error.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit of `ulimit -f` fails and is reported, instead of ending the program silently.
    signal(SIGXFSZ, SIG_IGN)
    do {
      try SystemThread.checkThatThereAreMany()
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let mistakes as HubSettingsMistakes {
      end(mistakes.sentence, status: 1)
    } catch let failure as HubStoreFailure {
      end(failure.description, status: status(of: failure))
    } catch let failure as HubFailure {
      let at = failure.at.map { "\($0): " } ?? ""
      end(at + failure.message, status: failure.code.status == 503 ? EX_TEMPFAIL : 1)
    } catch let failure as GivenFile.Failure {
      end(failure.sentence, status: 1)
    } catch let failure as ThreadFailure {
      end(failure.sentence, status: 1)
    } catch let failure as Failed {
      end(failure.sentence, status: failure.status)
    } catch {
      // Invalid usage exits with 64, --help with 0.
      exit(withError: error)
    }
  }

  private static func status(of failure: HubStoreFailure) -> Int32 {
    switch failure.kind {
    case .away: EX_TEMPFAIL
    case .wrongUsage: EX_USAGE
    case .isServed, .olderSchema, .newerSchema, .notAHub, .refused: 1
    }
  }

  /// The reason why a command failed.
  struct Failed: Error {
    var sentence: String
    var status: Int32 = 1
  }

  private static func end(_ sentence: String, status: Int32) -> Never {
    complain(sentence)
    Foundation.exit(status)
  }

  /// Writes a line to standard error.
  static func complain(_ sentence: String) { writeLine("reddot-hub: \(sentence)") }

  static func writeLine(_ line: String) {
    // If standard error is closed, the exit code still reports the failure.
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
  }
}

/// The settings of a command.
struct SettingsOption: ParsableArguments {
  @Option(name: .customLong("config"), help: "The settings file.")
  var file: String?

  func read() throws -> HubSettings { try HubSettings.read(file: file) }

  /// Opens the store of the settings for a command.
  func open(migrates: Bool = false) throws -> (settings: HubSettings, store: any HubAdministering) {
    let settings = try read()
    return (settings, try settings.store.open(settings, migrates: migrates))
  }
}
