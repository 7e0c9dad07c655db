import ArgumentParser
import Formats
import Platform
import Profile
import Words

/// `reddot backup`
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up settings, messages and reminders into one file.",
    discussion: """
      The backup also contains files below your home folder that the settings name: scripts, tokens, \
      certificates, strings of apps. Everything can keep running meanwhile. Only you can read the file, since \
      it contains the passwords and tokens of the settings. It is an SQLite database: sqlite3 FILE -Atv lists \
      the files in it, and reddot list --database FILE prints its messages.

      EXAMPLES:
        reddot backup ~/reddot-backup
        reddot backup --force /media/disk/reddot-backup        replaces the last one
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The file to write.", completion: .file(), transform: WholePath.absolute)
  var file: String
  @Flag(help: "Replace an existing file.") var force = false
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let backup = Backup(
      config: files.config, database: files.database, environment: Composition.environment())
    let contents = try backup.write(to: file, replacing: force)
    if json { return try Answer.print(SafeOutput.json(contents.json(in: file))) }
    try Answer.print(SafeOutput.line("\(file): \(contents.sentence)"))
    try Answer.print(
      "The settings with their passwords and tokens are in it: only you can read it, so keep it private.")
    for reason in contents.leftOut { try Answer.print(SafeOutput.line("not in it: \(reason)")) }
  }
}

/// `reddot restore`
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a file that reddot backup has written.",
    discussion: """
      Every path is listed, and nothing is changed before you confirm it; --yes is for scripts. Nothing is \
      replaced without --force. With --force, the present state is first saved next to the database, in a file \
      that you can also restore.

      Messages, settings and reminders are restored, with mode 0600. Other files below your home folder are \
      only listed. With --with-files, those that the settings in the backup name are written, if no such file \
      exists yet: through no link, with mode 0600, or 0700 for programs.

      Restore only your own backups: the settings in a backup name programs that reddot runs.

      EXAMPLES:
        reddot restore ~/reddot-backup
        reddot restore --with-files ~/reddot-backup      with scripts and tokens
        reddot restore --force --yes ~/reddot-backup     without a question
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help: "A file that reddot backup has written.", completion: .file(), transform: WholePath.absolute)
  var file: String
  @Flag(help: "Replace the present settings and messages.") var force = false
  @Flag(help: "Also write other files that the settings in the backup name.") var withFiles = false
  @Flag(help: "Do not ask for confirmation.") var yes = false

  func run() throws {
    let backup = Backup(
      config: files.config, database: files.database, environment: Composition.environment())
    let restoration = try backup.restoration(from: file, replacing: force, withFiles: withFiles)
    for line in restoration.lines { try Answer.print(SafeOutput.line(line)) }
    if let refusal = restoration.refusal { throw Complaint(refusal) }
    if !yes {
      guard TerminalQuestion.canAsk else {
        throw ValidationError("nothing was changed; give --yes too to restore the listed files")
      }
      guard try TerminalQuestion.isConfirmed("Restore?") else { throw Complaint("nothing was changed") }
    }
    for line in try backup.restore(restoration) { try Answer.print(SafeOutput.line(line)) }
  }
}

extension BackupContents {
  fileprivate func json(in file: String) -> JSONValue {
    .object(
      JSONObject(pairs: [
        ("file", .string(file)), ("messages", .integer(messages)), ("settings", .bool(hasSettings)),
        ("reminders", .bool(hasReminders)), ("sync_key", .bool(hasSyncKey)),
        ("other_files", .integer(otherFiles)), ("left_out", .array(leftOut.map(JSONValue.string))),
      ]))
  }
}
