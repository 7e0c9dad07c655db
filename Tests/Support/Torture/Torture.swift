import Foundation

/// Kills the program with SIGKILL at random moments of polls and acts, two processes at a time on one database, and
/// records the acknowledged acts. Afterwards, each acknowledged message must be stored exactly once, and services must
/// have received the performed acts and no others. Machines that synchronise must all show the same, including the acts
/// acknowledged on one of them.
///
/// Resources/torture builds and runs it.
@main
struct Torture {
  static func main() async {
    do {
      let wish = try Wish(CommandLine.arguments.dropFirst())
      let run = TortureRun(seed: wish.seed)
      let clock = ContinuousClock()
      let start = clock.now
      while run.figures.kills < wish.kills {
        // Each first start has two rounds, and a round has one or two kills.
        let left = wish.kills - run.figures.kills
        try run.firstStarts(min(12, 1 + left / 8))
        try await run.longLife(rounds: min(40, 8 + left / 2))
        say(run)
      }
      let enough = run.figures.kills + wish.syncKills
      while run.figures.kills < enough {
        try run.machines(rounds: min(150, 8 + enough - run.figures.kills))
        say(run)
      }
      print(run.figures.report(seed: wish.seed, seconds: (clock.now - start).components.seconds))
      exit(run.figures.problems.isEmpty ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("torture: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func say(_ run: TortureRun) {
    print("\(run.figures.kills) kills, \(run.figures.problems.count) problems")
    fflush(nil)
  }

  /// The options of the command line.
  struct Wish {
    var kills = 200
    /// The number of kills of machines that synchronise.
    var syncKills = 200
    var seed = UInt64(ProcessInfo.processInfo.processIdentifier)

    init(_ arguments: ArraySlice<String>) throws {
      var rest = arguments
      while let name = rest.popFirst() {
        switch (name, rest.popFirst()) {
        case ("--kills", let text?):
          kills = try Self.count(text, of: "--kills")
        case ("--sync-kills", let text?):
          syncKills = try Self.count(text, of: "--sync-kills")
        case ("--seed", let text?):
          guard let number = UInt64(text) else { throw Unusable("--seed needs a number") }
          seed = number
        case (_, _): throw Unusable("usage: torture [--kills N] [--sync-kills N] [--seed N]")
        }
      }
    }

    private static func count(_ text: String, of option: String) throws -> Int {
      guard let number = Int(text), number >= 0 else { throw Unusable("\(option) needs a number") }
      return number
    }
  }
}

/// The reason why the run could not continue; it is not a finding.
struct Unusable: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
