import ArgumentParser
import Foundation
import Profile
import Settings
import Sync
import Words

/// `reddot sync`
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Keep one inbox on several machines.",
    discussion: """
      The sources that you follow, and the messages that you read, star, dismiss and snooze, are the same on \
      all your machines. They meet in a sync location: a folder that they all have (Syncthing, Nextcloud, a \
      network's folder, a USB stick), a folder behind ssh, or a table in PostgreSQL. The location sees only \
      encrypted objects, their sizes and times.

      Without a subcommand, it syncs once, as the inbox and reddot poll do.

      EXAMPLES:
        reddot sync init ~/Sync/reddot               on the first machine
        reddot sync key                              the key for the others
        reddot sync join ~/Sync/reddot               on each other machine
        reddot sync                                  sync now
        reddot sync status                           unsent changes
      """,
    subcommands: [
      SyncNow.self, SyncInit.self, SyncJoin.self, SyncKeyCommand.self, SyncStatus.self, SyncMove.self,
      SyncLeave.self,
      SyncServe.self,
    ],
    defaultSubcommand: SyncNow.self)

  /// Offers to move sources that `reddot add` once wrote into config.toml to `sources.toml`.
  fileprivate static func offerMove(in profile: Profile) throws {
    let names = try profile.settingsFile.travelling()
    guard !names.isEmpty, TerminalQuestion.canAsk else { return }
    let count =
      names.count == 1 ? "1 source in config.toml has" : "\(names.count) sources in config.toml have"
    let question =
      "\(count) only a name and an address. Move to sources.toml, so that a removal on another machine works here too?"
    if try TerminalQuestion.isConfirmed(question) {
      try profile.settingsFile.moveTravelling()
      _ = try profile.reopened()
    }
  }
}

/// `reddot sync`, without further words.
struct SyncNow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now",
    abstract: "Sync once.",
    discussion: """
      Once a day, and with --check immediately, reddot compares the objects that this machine sent with the sync location. \
      Lost and damaged objects are sent again. With --check: downloads all of them, unless the location is a folder.

      EXAMPLES:
        reddot sync
        reddot sync --check
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Compare the bytes of all objects that this machine sent.") var check = false

  func run() async throws {
    let profile = try Composition.profile(files).registered()
    guard let outcome = try await Synchroniser(profile).run(checksAll: check) else { return }
    try Answer.print(outcome.sentence)
    for note in [outcome.followedSentence].compactMap(\.self) + outcome.notes {
      Complaint.print(SafeOutput.line(note))
    }
  }
}

/// `reddot sync init`
struct SyncInit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Set up sync on the first machine.",
    discussion: """
      This makes an encryption key, which stays on your machines, and sends your changes so far.

      EXAMPLES:
        reddot sync init ~/Sync/reddot
        reddot sync init ssh:box:reddot
        reddot sync init postgresql://box/reddot
        reddot sync init https://hub.example
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help: "A folder, ssh:HOST:PATH, postgresql://HOST/DATABASE or a hub's URL.", completion: .directory)
  var place: String

  func run() async throws {
    let profile = try Composition.profile(files).registered()
    for line in try await Synchroniser(profile).begin(at: place) { try Answer.print(line) }
    try SyncCommand.offerMove(in: profile)
  }
}

/// `reddot sync join`
struct SyncJoin: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Join the machines that are already synced.",
    discussion: """
      Without a key, or with -, this asks for the one that reddot sync key prints on a joined machine.

      EXAMPLES:
        reddot sync join ~/Sync/reddot
        ssh laptop reddot sync key | reddot sync join ssh:box:reddot -
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The sync location, by its name on this machine.", completion: .directory) var place: String
  @Argument(help: "The key; - reads it from standard input, where other programs don't see it.") var key = "-"

  func run() async throws {
    let profile = try Composition.profile(files).registered()
    let text = key == "-" ? SecretInput.line(asking: "Key: ") : key
    for line in try await Synchroniser(profile).join(place, key: text) { try Answer.print(line) }
    try SyncCommand.offerMove(in: profile)
  }
}

/// `reddot sync key`
struct SyncKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Print the encryption key for the other machines.",
    discussion: """
      Anyone with the key and access to the location can read everything: type the key, or send it over ssh.

      EXAMPLE:
        reddot sync key
      """)

  @OptionGroup var files: FileOptions

  func run() async throws {
    let synchroniser = Synchroniser(try Composition.profileToRead(files))
    _ = try synchroniser.place()
    try Answer.print(try await synchroniser.keyText())
  }
}

/// `reddot sync status`
struct SyncStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show unsent changes, and when the machines last synced.",
    discussion: """
      This reads only the database. In JSON, times are as everywhere, and clock_ahead is in seconds.

      EXAMPLES:
        reddot sync status
        reddot sync status --json
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let synchroniser = Synchroniser(try Composition.profileToRead(files))
    for line in try synchroniser.statusLines(json: json) { try Answer.print(line) }
  }
}

/// `reddot sync move`
struct SyncMove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move to another sync location.",
    discussion: """
      This copies the objects of all machines, and prints the next steps for the others. With --new-key, for a \
      lost machine: it can't read the new location.

      EXAMPLES:
        reddot sync move ssh:box:reddot
        reddot sync move ~/Sync/reddot2 --new-key
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The new sync location.", completion: .directory) var place: String
  @Flag(help: "With a new key, which reddot sync key prints.") var newKey = false

  func run() async throws {
    let profile = try Composition.profile(files).registered()
    for line in try await Synchroniser(profile).move(to: place, hasNewKey: newKey) {
      try Answer.print(line)
    }
  }
}

/// `reddot sync leave`
struct SyncLeave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave",
    abstract: "Stop syncing this machine.",
    discussion: """
      This removes [sync] from the settings. reddot sync join continues as the same machine.

      EXAMPLE:
        reddot sync leave
      """)

  @OptionGroup var files: FileOptions

  func run() throws {
    try Answer.print(try Synchroniser(try Composition.profile(files)).leave())
  }
}

/// `reddot sync serve`
struct SyncServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a folder as a sync location, over standard input and output.",
    discussion: """
      Another machine's reddot starts this by ssh, and it ends with that reddot. It needs no settings, database or key, \
      since the folder is encrypted. The folder is created when the first machine is set up.

      A line of authorized_keys that allows this and nothing else:
        command="reddot sync serve /srv/reddot/ann",restrict ssh-ed25519 AAAA…

      EXAMPLE:
        reddot sync serve /srv/reddot/ann
      """)

  @Argument(help: "The folder with the objects.", completion: .directory) var folder: String

  func run() throws {
    do {
      let place = try FolderPlace(path: folder, isServed: true)
      try PlaceServer(place, input: STDIN_FILENO, output: STDOUT_FILENO).run()
    } catch let failure as PlaceFailure {
      throw Complaint(failure.description)
    } catch let error as POSIXError {
      throw Complaint(
        "cannot serve the other machine any more: \(String(cString: strerror(error.code.rawValue)))")
    }
  }
}
