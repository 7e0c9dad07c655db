import ArgumentParser
import Basics
import Foundation
import Hub

/// `reddot-hub token`.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Add, change, list and revoke tokens.",
    subcommands: [Add.self, Change.self, List.self, Revoke.self])

  /// Names of feeds, separated by commas.
  struct Feeds: ExpressibleByArgument {
    var names: Set<FeedName>

    init?(argument: String) {
      let words = argument.split(onBytes: ",", omittingEmptySubsequences: false)
      names = Set(words.compactMap { FeedName(String($0)) })
      if names.count != Set(words).count { return nil }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Create a token, and print it once.")

    @OptionGroup var settings: SettingsOption
    @Argument(help: "Name of the token, and the author of its items if they have none.") var name: String
    @Option(help: "Feeds that the token may publish to, for example ops,team.") var publish: [Feeds] = []
    @Option(help: "Feeds that the token may read, for example ops,team.") var read: [Feeds] = []
    @Option(help: "Time until the token expires, for example 1y.") var expires: SpanArgument?
    @Flag(help: "Only for the address of one feed as Atom or JSON Feed, which contains the token.")
    var link = false
    @Flag(help: "Let the token read the audit and the metrics.") var admin = false
    @Option(help: "User whose machines may store their encrypted objects here, for reddot sync.") var person:
      String?

    func validate() throws {
      try FeedCommand.Add.check(name, "name")
      if publish.isEmpty, read.isEmpty, !admin, person == nil {
        throw ValidationError("give --publish, --read, --person or --admin")
      }
      if let person { try FeedCommand.Add.check(person, "--person") }
      if link, !publish.isEmpty || admin || person != nil || Self.all(read).count != 1 {
        throw ValidationError(
          "a link can only read one feed; give --read with its name, and no other right")
      }
    }

    func run() throws {
      let store = try settings.open().store
      let now = try store.now()
      var rights = HubRights(
        reads: Self.all(read), publishes: Self.all(publish),
        expires: expires.map { now.addingTimeInterval(Double($0.seconds)) })
      (rights.isLink, rights.isAdmin, rights.person) = (link, admin, person)
      let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
      print(try store.addToken(name, rights, secret: secret, now: now))
    }

    private static func all(_ feeds: [Feeds]) -> Set<FeedName> {
      feeds.reduce(into: []) { $0.formUnion($1.names) }
    }

    /// Returns all named feeds, or `nil` if none are named, unless `none` requests an empty set.
    static func all(_ feeds: [Feeds], none: Bool) -> Set<FeedName>? {
      none || !feeds.isEmpty ? all(feeds) : nil
    }
  }

  struct Change: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "change", abstract: "Change the feeds that a token reads and publishes to.")

    @OptionGroup var settings: SettingsOption
    @Argument var name: String
    @Option(help: "All feeds that the token may publish to from now on, for example ops,team.") var publish:
      [Feeds] = []
    @Flag(help: "Let the token publish to no feed.") var noPublish = false
    @Option(help: "All feeds that the token may read from now on, for example ops,team.") var read: [Feeds] =
      []
    @Flag(help: "Let the token read no feed.") var noRead = false

    func validate() throws {
      if publish.isEmpty, read.isEmpty, !noPublish, !noRead {
        throw ValidationError("give --publish, --read, --no-publish or --no-read")
      }
      if noPublish && !publish.isEmpty || noRead && !read.isEmpty {
        throw ValidationError("give feeds, or --no-publish or --no-read, not both")
      }
    }

    func run() throws {
      let store = try settings.open().store
      let token = try store.changeToken(
        name, reads: Add.all(read, none: noRead), publishes: Add.all(publish, none: noPublish),
        now: try store.now())
      print("Changed \(List.line(token)): here at once, elsewhere within 10 s.")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens.")

    @OptionGroup var settings: SettingsOption

    func run() throws {
      for token in try settings.open().store.tokens() { print(Self.line(token)) }
    }

    static func line(_ token: HubAccess) -> String {
      func feeds(_ word: String, _ names: Set<FeedName>) -> String? {
        names.isEmpty ? nil : "\(word) \(names.sorted().map(\.text).joined(separator: ","))"
      }
      func day(_ word: String, _ time: Date?) -> String? {
        time.map { "\(word) \(ISOInstant.text($0).prefix(10))" }
      }
      return [
        token.name, token.isLink ? "link" : nil, token.isAdmin ? "admin" : nil,
        token.personName.map { "person \($0)" },
        feeds("publishes", token.publishes), feeds("reads", token.reads), day("made", token.made),
        day("used", token.used), day("expires", token.expires), day("revoked", token.revoked),
      ].compactMap(\.self).joined(separator: "  ")
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke a token.")

    @OptionGroup var settings: SettingsOption
    @Argument var name: String

    func run() throws {
      let store = try settings.open().store
      try store.revokeToken(name, now: try store.now())
      print("Revoked \(name): here at once, elsewhere within 10 s.")
    }
  }
}
