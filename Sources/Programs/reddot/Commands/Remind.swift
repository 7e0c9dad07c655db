import ArgumentParser
import Messages
import Notifications
import Polling
import Subscriptions

/// `reddot remind`
struct Remind: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind",
    abstract: "Put a reminder into the inbox: a message that comes at its time.",
    discussion: """
      Times are those of reddot snooze. The short form of reddot push --at.

      It waits in the list Snoozed of the inbox, where it can be moved and removed too; reddot undo takes that back. With \
      --every it comes again and again; those reminders are kept in a source of their own, which the inbox or reddot poll \
      looks at.

      EXAMPLES:
        reddot remind 2h30m "Tea is cold"
        reddot remind "tomorrow 9" "Call Bo" --url https://example.org/notes
        reddot remind "fri 5pm" "Send the report" --priority 4
        reddot remind --every "weekday 9:45" "Stand-up"
        reddot remind --list
        reddot remind --remove 3
        reddot remind --move m42 "mon 10:00"
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help:
      "When, such as 2h, \"tomorrow 9\", \"fri 5pm\" or \"24 dec\", then the title; with --every the title only."
  )
  var words: [String] = []
  @Option(
    help: ArgumentHelp(
      "Again and again: day, weekday, weekend, mon, \"mon, thu 5pm\", \"month 31\", \"2 weeks\", with a time.",
      valueName: "when"))
  var every: String?
  @Flag(help: "Print the reminders that are to come, with their numbers.") var list = false
  @Option(help: ArgumentHelp("Remove a reminder by its number.", valueName: "number")) var remove: String?
  @Option(
    help: ArgumentHelp(
      "Let a reminder that comes once come at another time, which follows its number.", valueName: "number"))
  var move: String?
  @OptionGroup var message: MessageOptions

  private var title: String { words.dropFirst(every == nil ? 1 : 0).joined(separator: " ") }

  func validate() throws {
    if list || remove != nil {
      guard words.isEmpty, every == nil, move == nil, !(list && remove != nil) else {
        throw ValidationError("--list and --remove stand alone")
      }
    } else if move != nil {
      guard !words.isEmpty, every == nil else {
        throw ValidationError("give the number of a reminder that comes once, then its new time")
      }
    } else if let every {
      try message.validate(every: every, title: title)
    } else if words.count < 2 {
      throw ValidationError("give a time and a title")
    }
  }

  func run() async throws {
    if list {
      let reminders = Reminders(try Composition.profileToRead(files))
      let all = try reminders.list()
      for line in message.json ? all.map(Reminders.json) : reminders.lines(all) { try Answer.print(line) }
      return
    }
    let profile = try Composition.profile(files)
    if let move {
      return try Answer.print(Reminders(profile).move(move, to: words.joined(separator: " ")))
    }
    if let remove { return try Reminders(profile).remove(remove) }
    if let every { return try await message.remind(every: every, title: title, in: profile) }
    try await profile.arrival(trouble: Complaint.print) { arrival in
      let stored = try message.push(title: title, at: words[0], by: arrival)
      if !message.json, let moment = stored.content.visibleFrom {
        try Answer.print(Reminders(profile).sentence(title, at: moment))
      }
    }
  }
}
