import Basics
import Foundation
import Notifications
import Platform
import Profile

/// The hooks of tmux(1) that report bells, silence and ended panes, and that mark a pane's messages as read when the
/// user goes there.
///
/// The hooks contain only ids (`%12`, `@3`): titles and names are strings of programs, and would be read as formats and
/// by a shell.
enum TmuxHooks {
  /// The index of reddot's entry in each hook, which is an array: the entries of other programs stay unchanged.
  private static let index = 7353

  /// The hooks that run when the user goes to another pane.
  private static let looks = [
    "after-select-pane", "window-pane-changed", "session-window-changed", "client-session-changed",
    "client-attached", "client-focus-in",
  ]

  /// Returns the name and the command of each hook.
  ///
  /// - Parameter program: this program with the options for its files.
  static func hooks(_ program: [String]) -> [(name: String, command: String)] {
    func record(_ event: String, pane: String) -> String {
      // tmux reads the quotes first, then expands `#{}`, then the shell reads its own quotes.
      let line = ShellWord.line(program + ["hooks", "record", event, "--pane"]) + " '#{\(pane)}'"
      return "run-shell -b \(quoted(line, keeping: pane))"
    }
    return [
      ("alert-bell", record("bell", pane: "pane_id")),
      ("alert-silence", record("silence", pane: "pane_id")),
      // There is no message for a pane that the user left by ending its program.
      (
        "pane-exited",
        "if-shell -F \"#{!=:#{hook_pane},#{@reddot-pane}}\" { \(record("ended", pane: "hook_pane")) }"
      ),
      (
        "pane-died",
        "if-shell -F \"#{!=:#{hook_pane},#{@reddot-pane}}\" { \(record("ended", pane: "hook_pane")) }"
      ),
    ]
      + looks.map { name in
        // If nothing is unread, no process is started.
        (
          name,
          "set-option -gF @reddot-pane \"#{pane_id}\" ; "
            + "if-shell -F \"#{@reddot}\" { \(record("looked", pane: "pane_id")) }"
        )
      }
  }

  /// Quotes a line, except for a format in it. In tmux's double quotes, a backslash, a dollar sign and a quote have a
  /// meaning, and in a format `#` has one.
  private static func quoted(_ line: String, keeping format: String) -> String {
    let known = "#{\(format)}"
    let parts = line.components(separatedBy: known)
    let escaped = parts.map { part in
      part.replacingBytes("#", with: "##").replacingBytes("\\", with: "\\\\").replacingBytes(
        "\"", with: "\\\""
      )
      .replacingBytes("$", with: "\\$")
    }
    return "\"" + escaped.joined(separator: known) + "\""
  }

  /// Returns the lines for tmux.conf.
  static func lines(_ program: [String]) -> String {
    hooks(program).map { name, command in
      // Apostrophes end tmux's single quotes, and cannot be escaped there.
      "set-hook -g '\(name)[\(index)]' '\(command.replacingBytes("'", with: "'\\''"))'"
    }.joined(separator: "\n") + "\n"
  }

  /// Sets the hooks in the tmux server of this process, or removes them if `program` is `nil`.
  static func install(_ program: [String]?, _ environment: Environment) async throws(ProgramFailure) {
    let known = hooks(program ?? [])
    for (name, command) in known {
      let hook = "\(name)[\(index)]"
      let words = program == nil ? ["set-hook", "-gu", hook] : ["set-hook", "-g", hook, command]
      _ = try await environment.programs.run(
        Program(
          ["tmux"] + words, environment: environment.variables, outputLimit: Limits.paneAnswerBytes,
          deadline: Limits.paneTime))
    }
  }
}
