import Foundation

/// Kills the program with SIGKILL at random moments of polls and acts, two processes at a time on one database, and
/// records what was acknowledged. Afterwards each acknowledged message must be stored exactly once, and services must have
/// been told what was done and nothing else.
///
///     swift build && .build/debug/torture --kills 4000 [--seed 7]
@main
struct Torture {
  static func main() async {
    do {
      let wish = try Wish(CommandLine.arguments.dropFirst())
      let run = TortureRun(seed: wish.seed)
      let clock = ContinuousClock()
      let start = clock.now
      while run.figures.kills < wish.kills {
        try run.firstStarts(12)
        try await run.longLife(rounds: 40)
        print("\(run.figures.kills) kills, \(run.figures.problems.count) problems")
        fflush(nil)
      }
      print(run.figures.report(seed: wish.seed, seconds: (clock.now - start).components.seconds))
      exit(run.figures.problems.isEmpty ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("torture: \(error)\n".utf8))
      exit(2)
    }
  }

  /// The options of the command line.
  struct Wish {
    var kills = 200
    var seed = UInt64(ProcessInfo.processInfo.processIdentifier)

    init(_ arguments: ArraySlice<String>) throws {
      var rest = arguments
      while let name = rest.popFirst() {
        switch (name, rest.popFirst()) {
        case ("--kills", let text?):
          guard let number = Int(text), number > 0 else { throw Unusable("--kills needs a number") }
          kills = number
        case ("--seed", let text?):
          guard let number = UInt64(text) else { throw Unusable("--seed needs a number") }
          seed = number
        case (_, _): throw Unusable("usage: torture [--kills N] [--seed N]")
        }
      }
    }
  }
}

/// Why the run could not continue; not a finding.
struct Unusable: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
