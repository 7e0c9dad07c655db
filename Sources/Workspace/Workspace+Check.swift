import Platform
import Storage

/// What `check` says of the database.
extension Workspace {
  /// Differences of a part that are printed.
  private static let most = 5

  /// Compares everything derived with what it is derived from, and derives again what differs.
  ///
  /// - Parameter say: prints a line.
  /// - Returns: whether everything agrees now.
  package func check(isRepairing: Bool, say: (String) throws -> Void) throws -> Bool {
    for (one, several, count) in try store.holdings() where count > 0 {
      try say("\(count) \(count == 1 ? one : several)")
    }
    var differing: [CheckPart] = []
    for part in CheckPart.allCases {
      let problems = try store.check(part)
      if problems.isEmpty { continue }
      differing.append(part)
      try list(problems, of: part, say)
    }
    if differing.isEmpty {
      try say("everything agrees")
      return true
    }
    guard isRepairing else {
      try say("reddot check --repair derives it again")
      return false
    }
    let now = environment.now()
    let copy = try store.copyBeforeRepair(at: now)
    try say(
      copy.map { "the database as it was: \(SafeOutput.line($0))" }
        ?? "the disk has no room for a copy of the database; it is repaired without one")
    var isRight = true
    for part in differing {
      try store.repair(part, at: now)
      let problems = try store.check(part)
      if problems.isEmpty { try say("\(part.rawValue): derived again") }
      if !problems.isEmpty { isRight = false }
      try list(problems, of: part, say)
    }
    return isRight
  }

  private func list(_ problems: [String], of part: CheckPart, _ say: (String) throws -> Void) throws {
    for problem in problems.prefix(Self.most) { try say("\(part.rawValue): \(SafeOutput.line(problem))") }
    if problems.count > Self.most { try say("\(part.rawValue): and \(problems.count - Self.most) more") }
  }
}
