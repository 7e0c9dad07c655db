import ArgumentParser
import Platform
import Workspace

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
  @Argument(help: "The file that is written.", completion: .file()) var file: String
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
      Nothing is replaced without --force. With it, what was there before is saved beside the database first, in a file \
      that restore brings back too. Restore your own backups only: the settings in one name programs that reddot runs.

      EXAMPLES:
        reddot restore ~/reddot-backup
        reddot restore --force ~/reddot-backup
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A file that reddot backup has written.", completion: .file()) var file: String
  @Flag(help: "Replace the settings and messages that are there.") var force = false

  func run() throws {
    let backup = Backup(
      config: files.config, database: files.database, environment: Composition.environment())
    for line in try backup.restore(from: file, replacing: force) { try Answer.print(SafeOutput.line(line)) }
  }
}
