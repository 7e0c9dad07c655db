import App
import ArgumentParser
import Foundation

/// `reddot status`
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print a line for a prompt or a status bar.",
    discussion: """
      "● 3" when something arrived that nobody has looked at and 3 are unread; "3" when all was looked at but 3 are \
      unread; nothing at all otherwise. With --check the exit code is 10 when something is unseen, 0 when not.

      EXAMPLES:
        PS1='$(reddot status) \\w $ '
        set -g status-right '#(reddot status)'        in tmux.conf
        reddot status --check || notify
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Exit with 10 when something is unseen.") var check = false
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let workspace = try Composition.workspaceToRead(files)
    let status = try workspace.status()
    if json {
      try Answer.print(status.json)
    } else if let line = status.line(isUTF8: workspace.environment.isUTF8) {
      try Answer.print(line)
    }
    if check && status.isUnseen { throw ExitCode(10) }
  }
}
