import Notifications
import Platform
import Profile
import Storage
import Words

/// The checks of `reddot check` for the database.
extension Profile {
  /// The maximum number of printed differences for each part of the database.
  private static let most = 5

  /// The result of checking the database.
  enum CheckResult: Sendable {
    /// Everything is consistent now, perhaps after a repair.
    case right
    case wrong
    /// Some pages cannot be read.
    case damaged
  }

  /// Examines the pages of the database before it is opened for writing, and throws if there is no database.
  ///
  /// - Parameters:
  ///   - database: the path, or `nil` for the default one.
  ///   - say: prints a line.
  /// - Returns: the result for intact or repaired pages, or `nil` if the pages are damaged.
  static func checkPages(
    _ database: String?, isRepairing: Bool, _ environment: Environment, say: (CheckLine) throws -> Void
  ) throws -> StoredPages.Look? {
    let path = database ?? environment.directories.databaseFile
    let look = try StoredPages(path: path).look()
    guard let damage = look.damage else { return look }
    try say("\(SafeOutput.line(path)) is damaged: \(SafeOutput.line(damage))")
    if isRepairing { return try repairPages(database, environment, say: say) ? .unknown : nil }
    try say(
      "nothing was changed; run reddot check --repair to repair a copy, which replaces the file if it is complete, or reddot check --salvage FILE to save the content of the undamaged pages"
    )
    return nil
  }

  /// Closes the database after a part of it could not be read, and repairs its pages.
  ///
  /// - Returns: whether the pages are complete now.
  func repairPages(say: (CheckLine) throws -> Void) throws -> Bool {
    try store.close()
    return try Self.repairPages(store.path, environment, say: say)
  }

  private static func repairPages(
    _ database: String?, _ environment: Environment, say: (CheckLine) throws -> Void
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
      "the file stays as it was; run reddot check --salvage FILE to save the content of the undamaged pages, or reddot restore to restore a backup"
    )
    return false
  }

  /// Closes the database, and rewrites its file without the free pages.
  func compact(say: (CheckLine) throws -> Void) throws {
    guard let path = store.path else { return }
    try store.close()
    let pages = StoredPages(path: path)
    let (file, needed) = pages.room()
    func mebibytes(_ bytes: Int) -> String { "\((bytes + (1 << 20) - 1) >> 20) MiB" }
    // A slow disk writes 50 MiB per second.
    try say(
      "compacting \(mebibytes(file)): it needs up to \(mebibytes(needed)) more on the disk, and about \(1 + (needed >> 20) / 50) s; no other reddot can use it meanwhile"
    )
    try say("the file has \(mebibytes(try pages.compact())) now")
  }

  /// Compares all derived data with its origin, and derives differing data again.
  ///
  /// - Parameters:
  ///   - pages: the result of `checkPages`, which also checked the indexes.
  ///   - say: prints a line.
  func check(
    isRepairing: Bool, pages: StoredPages.Look = .unknown, say: (CheckLine) throws -> Void
  ) throws -> CheckResult {
    guard let holdings = try read({ () throws(StoreFailure) in try store.check.holdings() }, say) else {
      return .damaged
    }
    for (one, several, count) in holdings { try say(.holding(one: one, several: several, count)) }
    if let desktopProblem { try say(.note(desktopProblem)) }
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
      if isReadable { try say(.agreement) }
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
      .note(
        copy.map { "the database as it was: \(SafeOutput.line($0))" }
          ?? "the disk has no room for a copy of the database; it is repaired without one"))
    var isRight = true
    for part in differing {
      try store.check.repair(part, at: now)
      let problems = try store.check.compare(part)
      if problems.isEmpty {
        try say(.repaired(part.rawValue, part == .schema ? "made again as it was" : "derived again"))
      }
      if !problems.isEmpty { isRight = false }
      try list(problems, of: part, say)
    }
    return isRight ? .right : .wrong
  }

  /// Writes the readable data of a damaged database into a new one.
  ///
  /// - Parameters:
  ///   - database: the path, or `nil` for the default one.
  ///   - file: the new file, which must not exist.
  /// - Returns: a sentence about the result.
  static func salvage(
    _ database: String?, into file: String, _ environment: Environment
  ) throws -> String {
    let path = database ?? environment.directories.databaseFile
    let salvage = try Store.salvage(path, into: file, now: environment.now())
    var text = "\(salvage.messages) \(salvage.messages == 1 ? "message" : "messages") saved"
    if salvage.partial > 0 { text += ", of which parts were lost in \(salvage.partial) places" }
    if salvage.lost > 0 { text += "; \(salvage.lost) rows belong to unknown messages" }
    if let reason = salvage.logFailure {
      text += "; the last changes are lost, since their log cannot be read (\(reason))"
    }
    return text + ": \(SafeOutput.line(file))"
  }

  /// Reads a part of the database. A page that cannot be read is reported, and does not stop the check of other parts.
  private func read<Value>(
    _ work: () throws(StoreFailure) -> Value, _ say: (CheckLine) throws -> Void
  ) throws -> Value? {
    do throws(StoreFailure) {
      return try work()
    } catch {
      guard case .corrupt = error else { throw error }
      try say(.note(error.sentence))
      return nil
    }
  }

  /// Prints the differences of a part of the database, up to a maximum number.
  private func list(_ problems: [String], of part: CheckPart, _ say: (CheckLine) throws -> Void) throws {
    // The user wants to know all objects that another program has created.
    let most = part == .schema ? 50 : Self.most
    for problem in problems.prefix(most) { try say(.problem(part.rawValue, problem)) }
    if problems.count > most { try say("\(part.rawValue): and \(problems.count - most) more") }
  }
}
