import ArgumentParser
import Basics

/// The groups of commands in the help; each command is in one.
enum CommandGroups {
  static let all = [
    CommandGroup(
      name: "Every day",
      subcommands: [
        Inbox.self, Add.self, List.self, Search.self, Show.self, Mark.self, Snooze.self, Undo.self,
      ]),
    CommandGroup(
      name: "Notifications",
      subcommands: [
        Notify.self, QuietCommand.self, Remind.self, Push.self, Ask.self, NextCommand.self, Run.self,
        HooksCommand.self, Catch.self,
      ]),
    CommandGroup(
      name: "Upkeep",
      subcommands: [
        ConfigCommand.self, Rename.self, Remove.self, Import.self, Export.self, BackupCommand.self,
        RestoreCommand.self, Check.self, Prune.self, SyncCommand.self,
      ]),
    CommandGroup(
      name: "Look",
      subcommands: [
        Status.self, Sources.self, Why.self, AgendaCommand.self, Poll.self, RulesCommand.self, Inspect.self,
        Demo.self,
      ]),
    CommandGroup(
      name: "For publishers",
      subcommands: [
        PublisherCommand.self,
        // The help does not list these.
        Manual.self, Names.self, HelpCommand.self, ScriptHostCommand.self, NoticeHostCommand.self,
      ]),
  ]

  /// The commands that are now subcommands of `publisher`. Their earlier names remain valid.
  static let moved: Set = ["banner", "apns", "schedule", "features"]

  /// Returns the words of a command line, with `publisher` before a command that is now one of its
  /// subcommands.
  static func current(_ words: [String]) -> [String] {
    guard let word = words.first, moved.contains(word) else { return words }
    return ["publisher"] + words
  }

  /// Returns a help text with plain titles of groups, instead of the parser's `UPKEEP SUBCOMMANDS:`.
  static func withPlainTitles(_ help: String) -> String {
    all.reduce(help) {
      $0.replacingBytes("\n\($1.name.uppercased()) SUBCOMMANDS:\n", with: "\n\($1.name.uppercased()):\n")
    }
  }
}
