import ArgumentParser

/// `reddot publisher banner`
struct Banner: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "banner",
    abstract: "Check and try banners.",
    discussion: """
      EXAMPLES:
        reddot publisher banner explain https://example.org/control.json
        reddot publisher banner show control.json --banner update
        reddot publisher banner reset update
      """,
    subcommands: [BannerExplain.self, BannerShowCommand.self, BannerResetCommand.self])
}
