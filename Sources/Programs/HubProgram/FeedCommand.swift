import ArgumentParser
import Basics
import Hub

extension FeedName: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// A span of time on the command line: `90d`.
struct SpanArgument: ExpressibleByArgument {
  var seconds: Int

  /// The number of whole days, at least one.
  var days: Int64 { max(1, Int64(seconds) / 86_400) }

  init?(argument: String) {
    guard let seconds = Span.seconds(argument), seconds > 0 else { return nil }
    self.seconds = seconds
  }
}

/// `reddot-hub feed`.
struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Add, change, list and remove feeds.",
    subcommands: [Add.self, Change.self, List.self, Remove.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a feed, and print its address.")

    @OptionGroup var settings: SettingsOption
    @Argument(help: "Lowercase letters, digits and hyphens, at most 63.") var name: FeedName
    @Option(help: "Title for readers. (default: the name)") var title: String?
    @Flag(name: .customLong("public"), help: "Let everyone read the feed, without a token.") var isPublic =
      false
    @Option(help: "Time that ended items are kept for readers who were away, for example 90d.")
    var keep: SpanArgument?
    @OptionGroup var ending: Ending

    func validate() throws {
      if let title { try Self.check(title, "title") }
      try ending.check()
    }

    func run() throws {
      let (settings, store) = try settings.open()
      var feed = HubFeed(name: name, title: title ?? name.text, isPublic: isPublic)
      if let keep { feed.keepDays = keep.days }
      if ending.forever || ending.expires != nil { feed.expiresDays = ending.expires?.days }
      try store.add(feed)
      print("\(settings.address)/v1/feeds/\(name)")
    }

    /// Checks that text is one line that a terminal can show.
    static func check(_ text: String, _ what: String) throws {
      let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      guard (1...Limits.hubNameBytes).contains(text.utf8.count), !hasControls else {
        throw ValidationError("the \(what) must be one line of 1 to \(Limits.hubNameBytes) bytes")
      }
    }
  }

  /// The options for how long items are kept whose publishers set no end for them.
  struct Ending: ParsableArguments {
    @Option(
      help: "Time that an item without an end is kept after its last change, for example 60d. (default: 30d)")
    var expires: SpanArgument?
    @Flag(help: "Keep items without an end until their feed is removed.") var forever = false

    func check() throws {
      if forever, expires != nil { throw ValidationError("give --expires or --forever, not both") }
    }
  }

  struct Change: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "change", abstract: "Change the time that a feed keeps its items.")

    @OptionGroup var settings: SettingsOption
    @Argument var name: FeedName
    @OptionGroup var ending: Ending

    func validate() throws {
      try ending.check()
      if !ending.forever, ending.expires == nil { throw ValidationError("give --expires or --forever") }
    }

    func run() throws {
      let days = ending.expires?.days
      try settings.open().store.change(feed: name, expiresDays: days)
      print(
        days.map { "\(name) keeps items without an end for \(Int($0).counted("day"))." }
          ?? "\(name) keeps items without an end for ever.")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the feeds.")

    @OptionGroup var settings: SettingsOption

    func run() throws {
      for feed in try settings.open().store.feeds() {
        let rights = feed.isPublic ? "public" : "private"
        print("\(feed.name)  \(rights)  \(feed.items.counted("item"))  last \(feed.lastID)  \(feed.title)")
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a feed and all of its items.")

    @OptionGroup var settings: SettingsOption
    @Argument var name: FeedName
    @Flag(help: "Confirms it.") var yes = false

    func validate() throws {
      if !yes { throw ValidationError("this removes \(name) with all of its items; give --yes to confirm") }
    }

    func run() throws {
      let items = try settings.open().store.remove(feed: name)
      print("Removed \(name) and its \(items.counted("item")).")
    }
  }
}
