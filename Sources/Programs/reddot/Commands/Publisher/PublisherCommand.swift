import ArgumentParser

/// `reddot publisher`: commands that only publishers need.
struct PublisherCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publisher",
    abstract: "Check what you publish: feeds, schedules, banners, payloads.",
    discussion: """
      Nothing is published, and nothing is sent to readers. reddot help publisher shows how to publish.

      EXAMPLES:
        reddot publisher feed news.json
        reddot publisher schedule check reminders.json
        reddot publisher banner explain https://example.org/control.json
      """,
    subcommands: [PublisherFeed.self, Schedule.self, Banner.self, APNs.self, Features.self])
}
