import ArgumentParser
import Basics
import Foundation
import Messages
import Platform
import Profile
import Settings

/// `reddot hooks`
struct HooksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hooks",
    abstract: "Get messages about long commands, bells and panes.",
    discussion: """
      A shell's command that took longer than 30 s, and ended while you were not looking at its pane, becomes \
      a message. So does the bell of a tmux pane, a pane that is silent (monitor-silence), and a program that \
      ended. Each message knows its pane: gp in the inbox shows the pane, and going there yourself marks the \
      message as read. Events in the pane that has the focus are no messages. [hooks] in the settings has the \
      time, and the programs that are left out.

      EXAMPLES:
        eval "$(reddot hooks bash)"                  in ~/.bashrc, at its end
        eval "$(reddot hooks zsh)"                   in ~/.zshrc
        reddot hooks fish | source                   in ~/.config/fish/config.fish
        reddot hooks tmux --install                  for this server of tmux
        reddot hooks tmux >> ~/.tmux.conf            for all that start later
        some-tool --on-event 'reddot push --hook'    a program that waits for you
      """,
    subcommands: [
      TmuxHooksCommand.self, BashHooks.self, ZshHooks.self, FishHooks.self, JSONHooksCommand.self,
      HookRecordCommand.self,
      HookStoreCommand.self,
    ])
}

/// `reddot hooks tmux`
struct TmuxHooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tmux",
    abstract: "Print the hooks for tmux.conf, or set them in the running server.",
    discussion: """
      The hooks are appended to others of the same names, which stay unchanged. #{@reddot} in a format of tmux \
      is 1 for a pane with unread messages: set -g window-status-format '#I:#W#{?@reddot,●,}'.

      EXAMPLES:
        reddot hooks tmux >> ~/.tmux.conf
        reddot hooks tmux --install                  again changes nothing
        reddot hooks tmux --remove
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Set the hooks in the tmux server of this pane.") var install = false
  @Flag(help: "Remove the hooks there.") var remove = false

  func validate() throws {
    if install, remove { throw ValidationError("give either --install or --remove") }
  }

  func run() async throws {
    let program = HookProgram.words(files)
    guard install || remove else { return try Answer.print(TmuxHooks.lines(program), terminator: "") }
    let environment = Composition.environment()
    guard TerminalPane(environment: environment.variables)?.program == .tmux else {
      throw Complaint(
        "this is not a pane of tmux; run it in one, or append the output of reddot hooks tmux to tmux.conf")
    }
    do throws(ProgramFailure) {
      try await TmuxHooks.install(install ? program : nil, environment)
    } catch {
      throw Complaint("tmux \(error.words)")
    }
  }
}

/// `reddot hooks bash`
struct BashHooks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bash", abstract: "Print the script for the start of bash (4.4 or later).",
    discussion: """
      EXAMPLE:
        eval "$(reddot hooks bash)"                  at the end of ~/.bashrc
      """)
  @OptionGroup var files: FileOptions
  func run() throws { try HookProgram.print(.bash, files) }
}

/// `reddot hooks zsh`
struct ZshHooks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zsh", abstract: "Print the script for the start of zsh.",
    discussion: """
      EXAMPLE:
        eval "$(reddot hooks zsh)"                   in ~/.zshrc
      """)
  @OptionGroup var files: FileOptions
  func run() throws { try HookProgram.print(.zsh, files) }
}

/// `reddot hooks fish`
struct FishHooks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fish", abstract: "Print the script for the start of fish.",
    discussion: """
      EXAMPLE:
        reddot hooks fish | source                   in ~/.config/fish/config.fish
      """)
  @OptionGroup var files: FileOptions
  func run() throws { try HookProgram.print(.fish, files) }
}

/// The program that hooks start, which is reddot itself, and its records.
enum HookProgram {
  /// Returns the words that start this program in a hook, with the options for the files of the command that prints the
  /// hook.
  static func words(_ files: FileOptions) -> [String] {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }
    return [Composition.ownFile]
      + (files.config.map { ["--config", absolute($0)] } ?? [])
      + (files.database.map { ["--database", absolute($0)] } ?? [])
  }

  static func print(_ shell: ShellHooks, _ files: FileOptions) throws {
    let profile = try Composition.profileToRead(files)
    try Answer.print(shell.script(words(files), profile.settings.hooks), terminator: "")
  }

  /// Writes a record and starts the process that stores it, without waiting: a shell's prompt, tmux or a program waits
  /// for this process.
  static func leave(_ event: HookRecord.Event, pane: TerminalPane?, _ files: FileOptions) async {
    let environment = Composition.environment()
    let record = HookRecord(
      event, at: environment.now(), pane: pane, directory: FileManager.default.currentDirectoryPath,
      host: MachineName.short)
    let spool = spool(files)
    do throws(HookSpool.Failure) {
      try spool.add(record, id: UUID().uuidString.lowercased())
    } catch {
      HookLog.warn(error.sentence, environment)
      return
    }
    // The storing process checks again after it has released the lock.
    guard let lock = spool.tryLock() else { return }
    lock.release()
    await startStorer(files)
  }

  static func spool(_ files: FileOptions) -> HookSpool {
    HookSpool(database: files.database ?? Composition.environment().directories.databaseFile)
  }

  /// Starts the process that stores records, if any wait. Processes that show or poll messages call this.
  static func storeWaiting(_ files: FileOptions) async {
    if !spool(files).isEmpty { await startStorer(files) }
  }

  /// Starts the process that stores the events of hooks; it outlives this one.
  static func startStorer(_ files: FileOptions) async {
    let environment = Composition.environment()
    var words = [Composition.ownFile, "hooks", "store"]
    if let config = files.config { words += ["--config", config] }
    if let database = files.database { words += ["--database", database] }
    do throws(ProgramFailure) {
      try await environment.programs.detach(words, environment: environment.variables)
    } catch {
      HookLog.warn("cannot store the records of hooks: \(error.words)", environment)
    }
  }
}

/// `reddot hooks record`, which hooks start: writes a record of an event.
struct HookRecordCommand: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Leave what happened.", shouldDisplay: false)

  enum Event: String, ExpressibleByArgument { case command, bell, silence, ended, looked }

  @OptionGroup var files: FileOptions
  @Argument var event: Event
  /// The id of the pane in tmux, for example `%12`; by default, the pane of this process.
  @Option var pane: String?
  @Option var status: Int32?
  @Option var seconds = 0
  /// Interactive programs, separated by commas.
  @Option var except = ""
  /// Whether the message contains the whole command line instead of the program's name.
  @Flag var full = false
  /// Whether the command line was read from the end of the shell's history, and may be that of an earlier
  /// command.
  @Flag var unsure = false
  /// Whether the last command of the command line is the end of a pipe.
  @Flag var piped = false

  func run() async throws {
    var variables = Composition.environment().variables
    if let pane { variables["TMUX_PANE"] = pane }
    let place = TerminalPane(environment: variables)
    let what: HookRecord.Event
    switch event {
    case .bell: what = .bell
    case .silence: what = .silence
    case .ended: what = .ended
    case .looked: what = .looked
    case .command:
      let excepted = Set(except.split(onBytes: ",").map(String.init))
      let command = ShellCommand(
        HookInput.text(within: Limits.shellInputTime), isLineUnsure: unsure, isPiped: piped)
      guard let text = command.text(except: excepted, isFull: full, variables: variables) else { return }
      what = .command(text, status: status, seconds: seconds)
    }
    // tmux's own events mean nothing without their pane.
    if place == nil, event != .command { return }
    await HookProgram.leave(what, pane: place, files)
  }
}

/// `reddot hooks store`, which stores records. It is started by the process that wrote a record, and by the next
/// process that finds one.
struct HookStoreCommand: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Store what hooks left.", shouldDisplay: false)

  @OptionGroup var files: FileOptions

  func run() async throws {
    do {
      try await HookStorer.run(HookProgram.spool(files)) { try Composition.profile(files) }
    } catch {
      HookLog.warn(Complaint.sentence(error) ?? "\(error)", Composition.environment())
    }
  }
}
