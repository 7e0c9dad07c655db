import ArgumentParser
import Platform
import Profile
import Screen
import Settings
import Words

/// `reddot check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that counts and indexes agree with the messages.",
    discussion: """
      This prints what the database contains, and whether its file, lists, counts, duplicates, facets, search \
      index, saved lists and the keys of entries agree with the messages and their state. With --repair, \
      differing parts are derived again, in steps if an inbox is running, after a copy of the file if the disk \
      has room for one. Messages and their state are never changed. Triggers, views and indexes that another \
      program added to the file are listed, and --repair drops them. Exits with 1 if something differs.

      A file with damaged pages is never written to. --repair locks all others out, copies the file and its \
      log byte by byte, and repairs the copy. The copy replaces the file only if nothing is missing in it. \
      Otherwise --salvage writes the content of the intact pages into a new database, and leaves the damaged \
      one unchanged.

      After the check, --compact rewrites the file without its free pages. It first prints how much room on \
      the disk and how much time that needs, and locks all others out meanwhile. From then on, the daily \
      pruning returns free pages.

      EXAMPLES:
        reddot check
        reddot check --repair
        reddot check --compact
        reddot check --salvage saved.sqlite && reddot list --database saved.sqlite
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Rebuild the parts that do not agree.") var repair = false
  @Flag(help: "Rewrite the file without its free pages.") var compact = false
  @Option(
    help: ArgumentHelp(
      "Save the readable content of a damaged database into this new file.", valueName: "file"),
    transform: WholePath.absolute)
  var salvage: String?

  @Flag(help: "Print a JSON object.") var json = false

  func validate() throws {
    if json, salvage != nil { throw ValidationError("--salvage prints one sentence; leave out --json") }
  }

  func run() throws {
    guard json else {
      let styles = OutputStyles(Composition.environment())
      let isRight = try check { line in
        if let text = line.text { try Answer.print(text, styles) }
      }
      if !isRight { throw ExitCode.failure }
      return
    }
    var lines: [CheckLine] = []
    let isRight = try check { lines.append($0) }
    try Answer.print(SafeOutput.json(CheckLine.json(lines, agrees: isRight)))
    if !isRight { throw ExitCode.failure }
  }

  /// Checks the database, and repairs, salvages or compacts it if an option requests that.
  ///
  /// - Parameter say: prints a line.
  /// - Returns: whether the database has no errors now.
  private func check(say: (CheckLine) throws -> Void) throws -> Bool {
    let environment = Composition.environment()
    if let salvage {
      try say(.note(Profile.salvage(files.database, into: salvage, environment)))
      return true
    }
    // An error in the settings is reported first, since it prevents everything else.
    _ = try SettingsFile(
      path: files.config ?? environment.directories.settingsFile, home: environment.home
    ).load()
    guard
      let pages = try Profile.checkPages(files.database, isRepairing: repair, environment, say: say)
    else { return false }
    let profile = try Composition.profile(files)
    Composition.report(leftOutOf: profile)
    if let sentence = HookProgram.spool(files).setAsideSentence { Complaint.print(sentence) }
    var result = try profile.check(isRepairing: repair, pages: pages, say: say)
    if case .damaged = result, repair {
      guard try profile.repairPages(say: say) else { return false }
      result = try Composition.profile(files).check(isRepairing: true, say: say)
    }
    guard case .right = result else { return false }
    if compact { try profile.compact(say: say) }
    return true
  }
}
