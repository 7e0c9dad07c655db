import ArgumentParser
import Messages
import Notifications
import Polling
import Subscriptions

/// `reddot remind`
struct Remind: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind",
    abstract: "Add a reminder: a message that appears at its time.",
    discussion: """
      Times are those of reddot snooze. This is the short form of reddot push --at.

      A reminder waits in the list Snoozed of the inbox, where it can also be moved and removed; reddot undo \
      reverts that. With --every, it recurs. Recurring reminders are stored in a separate source, which the \
      inbox or reddot poll checks.

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
  @Flag(help: "Print the coming reminders, with their numbers.") var list = false
  @Option(help: ArgumentHelp("Remove a reminder by its number.", valueName: "number")) var remove: String?
  @Option(
    help: ArgumentHelp(
      "Move a reminder that does not recur: its number, then its new time.", valueName: "number"))
  var move: String?
  @OptionGroup var message: MessageOptions

  private var title: String { words.dropFirst(every == nil ? 1 : 0).joined(separator: " ") }

  func validate() throws {
    if list || remove != nil {
      guard words.isEmpty, every == nil, move == nil, !(list && remove != nil) else {
        throw ValidationError("give --list or --remove without other arguments")
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
      let profile = try Composition.profileToRead(files)
      let reminders = Reminders(profile)
      return try Answer.print(
        reminders.report(reminders.list()), json: message.json, OutputStyles(profile))
    }
    let profile = try Composition.profile(files)
    if let move {
      return try Answer.print(Reminders(profile).move(move, to: words.joined(separator: " ")))
    }
    if let remove { return try Reminders(profile).remove(remove) }
    if let every { return try await message.remind(every: every, title: title, in: profile) }
    try await profile.arrival(trouble: Complaint.print) { arrival in
      let stored = try await message.push(title: title, at: words[0], by: arrival)
      if !message.json, let moment = stored.content.visibleFrom {
        try Answer.print(Reminders(profile).sentence(title, at: moment))
      }
    }
  }
}
