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
    abstract: "One inbox on several machines.",
    discussion: """
      What you read, star, dismiss and snooze, and the sources that you follow, are the same on all your machines. They meet \
      in a place: a folder that they all have (Syncthing, Nextcloud, a network's folder, a USB stick), a folder behind \
      ssh, or a table in PostgreSQL. The place sees encrypted objects, their sizes and times only.

      By itself it synchronises once, as the inbox and reddot poll do.

      EXAMPLES:
        reddot sync init ~/Sync/reddot               on the first machine
        reddot sync key                              the key that the others ask for
        reddot sync join ~/Sync/reddot               on each other machine
        reddot sync                                  synchronise now
        reddot sync status                           what waits
      """,
    subcommands: [
      SyncNow.self, SyncInit.self, SyncJoin.self, SyncKeyCommand.self, SyncStatus.self, SyncMove.self,
      SyncLeave.self,
      SyncServe.self,
    ],
    defaultSubcommand: SyncNow.self)

  /// Asks whether sources that `reddot add` once wrote into config.toml are to be moved into `sources.toml`.
  fileprivate static func offerMove(in profile: Profile) throws {
    let names = try profile.settingsFile.travelling()
    guard !names.isEmpty, TerminalQuestion.canAsk else { return }
    let count =
      names.count == 1 ? "1 source in config.toml has" : "\(names.count) sources in config.toml have"
    let question =
      "\(count) nothing but a name and an address. Move into sources.toml, so that a removal on another machine works here too?"
    if try TerminalQuestion.isConfirmed(question) {
      try profile.settingsFile.moveTravelling()
      _ = try profile.reopened()
    }
  }
}

/// `reddot sync`, without more words.
struct SyncNow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now",
    abstract: "Synchronise once.",
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
    abstract: "Begin to synchronise, on the first machine.",
    discussion: """
      Makes a key, which stays on your machines, and sends what was done here so far.

      EXAMPLES:
        reddot sync init ~/Sync/reddot
        reddot sync init ssh:box:reddot
        reddot sync init postgresql://box/reddot
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A folder, ssh:HOST:PATH or postgresql://HOST/DATABASE.", completion: .directory) var place:
    String

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
    abstract: "Join the machines that synchronise already.",
    discussion: """
      Without a key, or with -, it asks for the one that reddot sync key prints on a machine that is joined.

      EXAMPLES:
        reddot sync join ~/Sync/reddot
        ssh laptop reddot sync key | reddot sync join ssh:box:reddot -
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The place, as it is called on this machine.", completion: .directory) var place: String
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
    abstract: "Print the key that other machines ask for.",
    discussion: """
      Who has it can read what the place holds: type it, or send it over ssh.

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
    abstract: "Say what waits, and when the other machines were heard of.",
    discussion: """
      Reads the database only. In JSON, times are as everywhere, and clock_ahead is in seconds.

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
    abstract: "Go on at another place.",
    discussion: """
      Copies what all machines have sent, and says what to do on the others. With --new-key for a machine that was lost: \
      it can't read the new place.

      EXAMPLES:
        reddot sync move ssh:box:reddot
        reddot sync move ~/Sync/reddot2 --new-key
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The new place.", completion: .directory) var place: String
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
    abstract: "Stop synchronising this machine.",
    discussion: """
      Takes [sync] out of the settings. reddot sync join goes on as the same machine.

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
    abstract: "Serve a folder as a place, over standard input and output.",
    discussion: """
      Another machine's reddot starts this by ssh, and it ends with it. Needs no settings, database or key: what lies in the \
      folder is encrypted. The folder is made when the first machine is set up.

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
        "the other machine can't be served any more: \(String(cString: strerror(error.code.rawValue)))")
    }
  }
}
