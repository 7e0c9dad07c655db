import ArgumentParser

/// `reddot banner`
struct Banner: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "banner",
    abstract: "Tools for publishers of banners.",
    discussion: """
      EXAMPLES:
        reddot banner explain https://example.org/control.json
        reddot banner show control.json --banner update
        reddot banner reset update
      """,
    subcommands: [BannerExplain.self, BannerShowCommand.self, BannerResetCommand.self])
}
