import Notifications
import Platform
import Profile
import Storage
import Words

/// What `check` says of the database.
extension Profile {
  /// Differences of a part that are printed.
  private static let most = 5

  /// How a check ended.
  enum CheckResult: Sendable {
    /// Everything agrees now.
    case right
    case wrong
    /// Pages cannot be read.
    case damaged
  }

  /// Looks at the pages of the database before anything opens it to write, and throws if there is none.
  ///
  /// - Parameters:
  ///   - database: the path; `nil` means the usual one.
  ///   - say: prints a line.
  /// - Returns: the rest of the result; nil if they aren't whole.
  static func checkPages(
    _ database: String?, isRepairing: Bool, _ environment: Environment, say: (String) throws -> Void
  ) throws -> StoredPages.Look? {
    let path = database ?? environment.directories.databaseFile
    let look = try StoredPages(path: path).look()
    guard let damage = look.damage else { return look }
    try say("\(SafeOutput.line(path)) is damaged: \(SafeOutput.line(damage))")
    if isRepairing { return try repairPages(database, environment, say: say) ? .unknown : nil }
    try say(
      "nothing was changed; reddot check --repair repairs a copy, which takes the file's place if nothing is missing in it, and reddot check --salvage FILE saves what whole pages hold"
    )
    return nil
  }

  /// Closes the database, of which a part could not be read, and repairs its pages.
  ///
  /// - Returns: whether they are whole now.
  func repairPages(say: (String) throws -> Void) throws -> Bool {
    try store.close()
    return try Self.repairPages(store.path, environment, say: say)
  }

  private static func repairPages(
    _ database: String?, _ environment: Environment, say: (String) throws -> Void
  ) throws -> Bool {
    let path = database ?? environment.directories.databaseFile
    let repair = try StoredPages(path: path).repair(at: environment.now())
    try say("the database as it was: \(SafeOutput.line(repair.copy))")
    if repair.missing.isEmpty {
      try say("pages: repaired, and nothing is missing")
      return true
    }
    for missing in repair.missing.prefix(most) { try say("pages: a repaired copy would lack \(missing)") }
    if repair.missing.count > most { try say("pages: and \(repair.missing.count - most) more") }
    try say(
      "the file stays as it was; reddot check --salvage FILE saves what whole pages hold, and reddot restore brings a backup back"
    )
    return false
  }

  /// Compares everything derived with what it is derived from, and derives again what differs.
  ///
  /// - Parameters:
  ///   - pages: the result of `checkPages`, which checked the indexes too.
  ///   - say: prints a line.
  func check(
    isRepairing: Bool, pages: StoredPages.Look = .unknown, say: (String) throws -> Void
  ) throws -> CheckResult {
    guard let holdings = try read({ () throws(StoreFailure) in try store.check.holdings() }, say) else {
      return .damaged
    }
    for (one, several, count) in holdings where count > 0 {
      try say("\(count) \(count == 1 ? one : several)")
    }
    if let desktopProblem { try say(desktopProblem) }
    var differing: [CheckPart] = []
    var isReadable = true
    for part in CheckPart.allCases {
      let known = part == .file ? pages.indexes : nil
      guard
        let problems = try known
          ?? read({ () throws(StoreFailure) in try store.check.compare(part) }, say)
      else {
        isReadable = false
        continue
      }
      if problems.isEmpty { continue }
      differing.append(part)
      try list(problems, of: part, say)
    }
    if differing.isEmpty {
      if isReadable { try say("everything agrees") }
      return isReadable ? .right : .damaged
    }
    // Nothing is written to a damaged file.
    guard isReadable else { return .damaged }
    guard isRepairing else {
      try say("reddot check --repair derives it again")
      return .wrong
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
      if problems.isEmpty {
        try say("\(part.rawValue): \(part == .schema ? "made again as it was" : "derived again")")
      }
      if !problems.isEmpty { isRight = false }
      try list(problems, of: part, say)
    }
    return isRight ? .right : .wrong
  }

  /// Writes what a damaged database still holds into a new one.
  ///
  /// - Parameters:
  ///   - database: nil: the usual one.
  ///   - file: must not be there yet.
  /// - Returns: a sentence about it.
  static func salvage(
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
      guard case .corrupt = error else { throw error }
      try say(error.sentence)
      return nil
    }
  }

  private func list(_ problems: [String], of part: CheckPart, _ say: (String) throws -> Void) throws {
    // A person wants to know of each thing that another program made.
    let most = part == .schema ? 50 : Self.most
    for problem in problems.prefix(most) { try say("\(part.rawValue): \(SafeOutput.line(problem))") }
    if problems.count > most { try say("\(part.rawValue): and \(problems.count - most) more") }
  }
}
