import Basics
import Foundation
import Platform
import Settings

/// The script that a shell runs at its start: it reports the line of a command that took long. `ShellCommand` finds the
/// program in the line.
///
/// A stopped job is reported only when it has ended, after `fg` or `bg`. Nothing is started for a short command, and
/// the user's own settings stay: options, traps, prompts, and the status that a prompt shows.
enum ShellHooks: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Returns the script.
  ///
  /// - Parameter program: this program with the options for its files.
  func script(_ program: [String], _ options: HookOptions) -> String {
    let record = ShellWord.line(
      program + ["hooks", "record", "command"] + (options.commands == .full ? ["--full"] : [])
        + ["--except=\(options.except.joined(separator: ","))"])
    let seconds = String(Int(options.after.components.seconds))
    let text =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    return text.replacingBytes("@RECORD@", with: record).replacingBytes("@SECONDS@", with: seconds)
  }
}
