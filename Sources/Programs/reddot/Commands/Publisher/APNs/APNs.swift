import ArgumentParser

/// `reddot publisher apns`
struct APNs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apns",
    abstract: "Make and preview payloads of Apple Push Notification service.",
    discussion: """
      EXAMPLES:
        reddot publisher apns make --title "Game request" --body "Bob wants to play"
        reddot publisher apns make --alert Hello | reddot publisher apns show -
        reddot push --apns payload.json              put one into the inbox
      """,
    subcommands: [APNsMake.self, APNsShow.self])
}
