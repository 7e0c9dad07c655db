package import Platform
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
    guard let holdings = try read({ () throws(StoreFailure) in try store.check.holdings() }, say) else {
      return false
    }
    for (one, several, count) in holdings where count > 0 {
      try say("\(count) \(count == 1 ? one : several)")
    }
    if let desktopProblem { try say(desktopProblem) }
    var differing: [CheckPart] = []
    var isReadable = true
    for part in CheckPart.allCases {
      guard let problems = try read({ () throws(StoreFailure) in try store.check.compare(part) }, say) else {
        isReadable = false
        continue
      }
      if problems.isEmpty { continue }
      differing.append(part)
      try list(problems, of: part, say)
    }
    if differing.isEmpty {
      if isReadable { try say("everything agrees") }
      return isReadable
    }
    guard isRepairing else {
      try say("reddot check --repair derives it again")
      return false
    }
    let now = environment.now()
    let copy = try store.check.copyBeforeRepair(at: now)
    try say(
      copy.map { "the database as it was: \(SafeOutput.line($0))" }
        ?? "the disk has no room for a copy of the database; it is repaired without one")
    var isRight = true
    for part in differing {
      try store.check.repair(part, at: now)
      let problems = try store.check.compare(part)
      if problems.isEmpty { try say("\(part.rawValue): derived again") }
      if !problems.isEmpty { isRight = false }
      try list(problems, of: part, say)
    }
    return isRight && isReadable
  }

  /// Writes what a damaged database still holds into a new one.
  ///
  /// - Parameters:
  ///   - database: nil: the usual one.
  ///   - file: must not be there yet.
  /// - Returns: a sentence about it.
  package static func salvage(
    _ database: String?, into file: String, _ environment: Environment
  ) throws -> String {
    let path = database ?? environment.directories.databaseFile
    let salvage = try Store.salvage(path, into: file, now: environment.now())
    var text = "\(salvage.messages) \(salvage.messages == 1 ? "message" : "messages") saved"
    if salvage.partial > 0 { text += ", of which parts were lost in \(salvage.partial) places" }
    if salvage.lost > 0 { text += "; \(salvage.lost) rows belong to nothing that is known" }
    if let reason = salvage.logFailure {
      text += "; the last changes are lost, since their log can't be read (\(reason))"
    }
    return text + ": \(SafeOutput.line(file))"
  }

  /// A page that cannot be read stops no other part.
  private func read<Value>(
    _ work: () throws(StoreFailure) -> Value, _ say: (String) throws -> Void
  ) throws -> Value? {
    do throws(StoreFailure) {
      return try work()
    } catch {
      try say(error.sentence)
      return nil
    }
  }

  private func list(_ problems: [String], of part: CheckPart, _ say: (String) throws -> Void) throws {
    for problem in problems.prefix(Self.most) { try say("\(part.rawValue): \(SafeOutput.line(problem))") }
    if problems.count > Self.most { try say("\(part.rawValue): and \(problems.count - Self.most) more") }
  }
}
