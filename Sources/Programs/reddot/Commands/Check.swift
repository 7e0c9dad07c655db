import ArgumentParser
import Platform
import Profile
import Settings

/// `reddot check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that counts, indexes and saved lists agree with the stored messages.",
    discussion: """
      Says what the database holds, and whether its file, lists, counts, copies, facets, search index, saved lists and the \
      keys of entries agree with the messages and their marks. With --repair what differs is derived again, in steps while \
      an inbox runs, after a copy of the file where the disk has room for one. Messages and marks are never changed. Triggers, \
      views and indexes that another program put into the file are named, and --repair drops them. Exit status 1: something \
      differs.

      A file whose pages are damaged is never written to. --repair shuts out all others, copies the file and its log byte by \
      byte, and repairs a copy; that takes the file's place only if nothing is missing in it. Otherwise --salvage writes what the \
      whole pages hold into a new database, and leaves the damaged one as it is.

      EXAMPLES:
        reddot check
        reddot check --repair
        reddot check --salvage saved.sqlite && reddot list --database saved.sqlite
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Rebuild what does not agree.") var repair = false
  @Option(
    help: ArgumentHelp("Save what a damaged database holds into this new file.", valueName: "file"),
    transform: WholePath.absolute)
  var salvage: String?

  func run() throws {
    if let salvage {
      return try Answer.print(Profile.salvage(files.database, into: salvage, Composition.environment()))
    }
    let environment = Composition.environment()
    let say = { (line: String) in try Answer.print(line) }
    // A mistake in the settings is reported first, since it prevents everything else.
    _ = try SettingsFile(
      path: files.config ?? environment.directories.settingsFile, home: environment.home
    ).load()
    guard
      let pages = try Profile.checkPages(files.database, isRepairing: repair, environment, say: say)
    else { throw ExitCode.failure }
    let profile = try Composition.profile(files)
    Composition.report(leftOutOf: profile)
    if let sentence = HookProgram.spool(files).setAsideSentence { Complaint.print(sentence) }
    var result = try profile.check(isRepairing: repair, pages: pages, say: say)
    if case .damaged = result, repair {
      guard try profile.repairPages(say: say) else { throw ExitCode.failure }
      result = try Composition.profile(files).check(isRepairing: true, say: say)
    }
    guard case .right = result else { throw ExitCode.failure }
  }
}
