import ArgumentParser

/// `reddot banner reset`
struct BannerResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forget what was displayed, so that banners start again.",
    discussion: """
      Displays, launches and flags are forgotten: of one banner, of a source's banners, or of all.

      EXAMPLES:
        reddot banner reset update
        reddot banner reset update --source team
        reddot banner reset
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a banner; by default every one.") var name: String?
  @Option(help: ArgumentHelp("Only of this source.", valueName: "name"), completion: .sourceNames) var source:
    String?

  func run() throws {
    let reset = BannerReset(try Composition.profile(files))
    for line in try reset.run(name: name, source: source) { try Answer.print(line) }
  }
}
