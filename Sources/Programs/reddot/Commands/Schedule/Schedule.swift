import ArgumentParser

/// `reddot schedule`
struct Schedule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Try a file of local schedules before it is followed.",
    discussion: """
      EXAMPLES:
        reddot schedule preview ~/reminders.json
        reddot schedule check reminders.json
        reddot add ~/reminders.json                  follow it
      """,
    subcommands: [SchedulePreviewCommand.self, ScheduleCheckCommand.self])
}
