import ArgumentParser
import Banners
import Messages
import Platform
import Profile
import Screen
import Session
import Words

/// `reddot publisher banner show`
struct BannerShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a banner without judging its conditions.",
    discussion: """
      The banner is shown over an inbox without messages: nothing is stored, nothing is polled, no launch is \
      counted. Tab moves the focus to the banner, Esc closes it and ends.

      EXAMPLES:
        reddot publisher banner show control.json
        reddot publisher banner show https://example.org/control.json --banner update
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "A control file or its address.") var target: String
  @Option(help: ArgumentHelp("By default the first whose entry names a view.", valueName: "name"))
  var banner: String?

  func validate() throws {
    if target == "-" {
      throw ValidationError("the keyboard is needed for the banner: give a file or an address")
    }
  }

  @MainActor
  func run() async throws {
    let environment = Composition.environment()
    do {
      let show = try await BannerShow.load(
        target, banner: banner, config: files.config, environment: environment)
      var run = InboxRun(profile: try .empty(config: files.config, environment: environment))
      run.onStart = { $0.present(show) }
      try await run.run()
      for problem in show.problems { try Answer.print(problem) }
    } catch let failure as FetchFailure {
      throw Complaint("\(target): \(Words.inLanguage(environment.language).sentence(failure).text)")
    }
  }
}
