import ArgumentParser
import Platform
import Profile
import Words

/// `reddot backup`
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write settings, messages and reminders into one file.",
    discussion: """
      Files below your home folder that the settings name are in it too: scripts, tokens, certificates, texts of apps. \
      Everything may go on running meanwhile. Only you can read the file, since it holds the passwords and tokens of the \
      settings. It is an SQLite database: sqlite3 FILE -Atv lists the files in it, and reddot list --database FILE prints \
      its messages.

      EXAMPLES:
        reddot backup ~/reddot-backup
        reddot backup --force /media/disk/reddot-backup        replaces the last one
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The file that is written.", completion: .file(), transform: WholePath.absolute)
  var file: String
  @Flag(help: "Replace a file that is there already.") var force = false

  func run() throws {
    let backup = Backup(
      config: files.config, database: files.database, environment: Composition.environment())
    for line in try backup.write(to: file, replacing: force) { try Answer.print(SafeOutput.line(line)) }
  }
}

/// `reddot restore`
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Bring back what reddot backup has written.",
    discussion: """
      Every path is listed, and nothing is changed before you confirm it; --yes is for scripts. Nothing is replaced without \
      --force. With --force the present state is first saved next to the database, in a file that you can restore too.

      Messages, settings and reminders are restored, with mode 0600. Other files below your home folder are only listed, and \
      --with-files writes those that the settings in the backup name: where no file is yet, through no link, with mode 0600, or \
      0700 for programs.

      Restore your own backups only: the settings in one name programs that reddot runs.

      EXAMPLES:
        reddot restore ~/reddot-backup
        reddot restore --with-files ~/reddot-backup      with scripts and tokens
        reddot restore --force --yes ~/reddot-backup     without a question
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help: "A file that reddot backup has written.", completion: .file(), transform: WholePath.absolute)
  var file: String
  @Flag(help: "Replace the settings and messages that are there.") var force = false
  @Flag(help: "Write other files that the settings in the backup name, too.") var withFiles = false
  @Flag(help: "Do it without asking.") var yes = false

  func run() throws {
    let backup = Backup(
      config: files.config, database: files.database, environment: Composition.environment())
    let restoration = try backup.restoration(from: file, replacing: force, withFiles: withFiles)
    for line in restoration.lines { try Answer.print(SafeOutput.line(line)) }
    if let refusal = restoration.refusal { throw Complaint(refusal) }
    if !yes {
      guard TerminalQuestion.canAsk else {
        throw ValidationError("nothing was changed: give --yes, too, to restore what is listed")
      }
      guard try TerminalQuestion.isConfirmed("Restore?") else { throw Complaint("nothing was changed") }
    }
    for line in try backup.restore(restoration) { try Answer.print(SafeOutput.line(line)) }
  }
}
