import ArgumentParser
import Messages
import Profile
import Settings
import Subscriptions
import Words

/// `reddot names`: a shell's completions, one per line, which the shell's script quotes.
struct Names: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "names",
    abstract: "Print names for a shell's completion.", shouldDisplay: false)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case sources, ids
    /// Sources and folders.
    case places
    /// Saved lists.
    case lists
    /// Hubs that messages are published to.
    case hubs
    case services, topics

    /// The command for completions. If it fails, there are no completions, and no error in the middle of a command
    /// line.
    var command: String { "reddot names \(rawValue) 2>/dev/null" }
  }

  @OptionGroup var files: FileOptions
  @Argument var kind: Kind

  func run() throws {
    switch kind {
    case .services: for name in SourceAdder.serviceNames { try Answer.print(name) }
    case .topics: for topic in HelpTopic.allCases { try Answer.print(topic.rawValue) }
    case .sources, .ids, .places, .lists, .hubs: try printNames(in: Composition.profileToRead(files))
    }
  }

  private func printNames(in profile: Profile) throws {
    switch kind {
    case .services, .topics: break
    case .sources: for source in profile.sources { try Answer.print(SafeOutput.line(source.name)) }
    case .places:
      for source in profile.sources { try Answer.print(SafeOutput.line(source.name)) }
      for folder in try profile.lookup().folders { try Answer.print(SafeOutput.line(folder.path)) }
    case .lists: for list in profile.settings.lists { try Answer.print(SafeOutput.line(list.name)) }
    case .hubs: for hub in profile.settings.hubs { try Answer.print(SafeOutput.line(hub.name)) }
    case .ids:
      try profile.eachMessage(InboxQuery(scope: .all), limit: 100) { try Answer.print("\($0.id.rawValue)") }
    }
  }
}

extension CompletionKind {
  static let sourceNames = names(.sources)
  static let placeNames = names(.places)
  static let listNames = names(.lists)
  static let hubNames = names(.hubs)
  static let serviceNames = names(.services)
  static let topics = names(.topics)
  static let messageIDs = names(.ids)

  private static func names(_ kind: Names.Kind) -> CompletionKind { .shellCommand(kind.command) }
}
