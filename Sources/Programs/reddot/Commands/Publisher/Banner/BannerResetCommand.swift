import ArgumentParser

/// `reddot publisher banner reset`
struct BannerResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forget earlier displays, so that banners start again.",
    discussion: """
      This deletes the stored displays, launches and flags of one banner, of a source's banners, or of all.

      EXAMPLES:
        reddot publisher banner reset update
        reddot publisher banner reset update --source team
        reddot publisher banner reset
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a banner (default: all).") var name: String?
  @Option(help: ArgumentHelp("Only of this source.", valueName: "name"), completion: .sourceNames) var source:
    String?

  func run() throws {
    let reset = BannerReset(try Composition.profile(files))
    for line in try reset.run(name: name, source: source) { try Answer.print(line) }
  }
}
