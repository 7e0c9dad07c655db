import ArgumentParser

/// `reddot apns`
struct APNs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apns",
    abstract: "Make payloads of the Apple Push Notification service, and see what a phone would show of one.",
    discussion: """
      EXAMPLES:
        reddot apns make --title "Game request" --body "Bob wants to play"
        reddot apns make --alert Hello | reddot apns show -
        reddot push --apns payload.json              put one into the inbox
      """,
    subcommands: [APNsMake.self, APNsShow.self])
}
