import App
import ArgumentParser
import Foundation

/// `reddot status`
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print a line for a prompt or a status bar.",
    discussion: """
      "● 3" when something arrived that nobody has looked at and 3 are unread; "3" when all was looked at but 3 are \
      unread; nothing at all otherwise. With --check the exit code is 10 when something is unseen, 0 when not.

      --format takes waybar, tmux, polybar or json, or a template such as "{unread} {title}" with {dot}, {unread}, and \
      {title} and {source} of the newest unread message. Titles come from publishers: with "tmux:{dot} {title}", and \
      waybar: or polybar: likewise, what means something to that bar is escaped.

      EXAMPLES:
        PS1='$(reddot status) \\w $ '
        set -g status-right '#(reddot status)'        in tmux.conf
        reddot status --check || notify
        reddot status --format waybar --watch         a line for each change
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Exit with 10 when something is unseen.") var check = false
  @Flag(help: "Print a JSON object.") var json = false
  @Option(help: ArgumentHelp("waybar, tmux, polybar, json, or a template.", valueName: "format"))
  var format: String?
  @Flag(help: "Go on, and print a line for each change.") var watch = false

  func validate() throws {
    if json, format != nil { throw ValidationError("give either --json or --format") }
    if check, watch { throw ValidationError("--check tells once, and --watch goes on") }
    if let format, StatusFormat(format) == nil {
      throw ValidationError(
        "\"\(format)\" isn't a format: write waybar, tmux, polybar, json, or a template with {dot}, {unread}, {title} or {source}"
      )
    }
  }

  func run() async throws {
    let chosen = StatusFormat(format ?? (json ? "json" : "plain"))
    guard let chosen else { return }
    if watch {
      // A bar may start before anything else has made the database.
      return try await Composition.workspace(files).watchStatus(chosen) { line in
        try Answer.print(line)
        try Answer.flush()
      }
    }
    let (line, status) = try Composition.workspaceToRead(files).statusLine(chosen)
    if let line { try Answer.print(line) }
    if check && status.isUnseen { throw ExitCode(10) }
  }
}
