import ArgumentParser

/// `reddot publisher schedule`
struct Schedule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Try a file of local schedules before it is followed.",
    discussion: """
      EXAMPLES:
        reddot publisher schedule preview ~/reminders.json
        reddot publisher schedule check reminders.json
        reddot add ~/reminders.json                  follow it
      """,
    subcommands: [SchedulePreviewCommand.self, ScheduleCheckCommand.self])
}
