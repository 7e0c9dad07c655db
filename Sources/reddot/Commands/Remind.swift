import App
import ArgumentParser

/// `reddot remind`
struct Remind: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a reminder into the inbox: a message that comes at its time.",
    discussion: """
      Times are those of reddot snooze. The short form of reddot push --at.

      EXAMPLES:
        reddot remind 2h30m "Tea is cold"
        reddot remind "tomorrow 9" "Call Bo" --url https://example.org/notes
        reddot remind "fri 5pm" "Send the report" --priority 4
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "When, such as 2h, \"tomorrow 9\", \"fri 5pm\" or \"24 dec\".") var when: String
  @Argument(help: "The title.") var title: [String]
  @OptionGroup var message: MessageOptions

  func run() throws {
    let workspace = try Composition.workspace(files)
    try message.push(title: title.joined(separator: " "), at: when, into: workspace)
  }
}
