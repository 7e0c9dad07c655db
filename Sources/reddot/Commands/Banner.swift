import ArgumentParser

/// `reddot banner`
struct Banner: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tools for publishers of banners.",
    discussion: """
      EXAMPLE:
        reddot banner explain https://example.org/control.json
      """,
    subcommands: [BannerExplain.self])
}
