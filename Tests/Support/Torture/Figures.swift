/// The counts of the run, and its findings.
struct Figures {
  var kills = 0
  var acknowledged = 0
  var firstStarts = 0
  var households = 0
  var problems: [String] = []

  func report(seed: UInt64, seconds: Int64) -> String {
    let counts =
      "seed \(seed): \(kills) kills, \(acknowledged) acknowledged commands, \(firstStarts) first starts, "
      + "\(households) databases, \(seconds) s: \(problems.count) problems"
    return ([counts] + problems.prefix(50)).joined(separator: "\n")
  }
}
