import Basics

/// `[hooks]`: the commands of shells that become messages.
package struct HookOptions: Hashable, Sendable {
  /// The part of a command line that a message contains.
  package enum Commands: String, Hashable, Sendable, CaseIterable {
    /// The first word only: the others may be secrets.
    case first
    case full
  }

  /// The minimum duration of a shell's command that becomes a message.
  package var after = Duration.seconds(30)
  package var commands = Commands.first
  /// Whether `push --hook --answer` waits for an answer while an inbox is open.
  package var ask = false
  /// Interactive programs. They are never reported, since their duration has no meaning.
  package var except = [
    "vi", "vim", "nvim", "nano", "emacs", "hx", "helix", "kak", "micro", "less", "more", "most", "man",
    "info",
    "bash", "zsh", "fish", "sh", "dash", "nu", "ssh", "mosh", "telnet", "tmux", "screen", "zellij", "top",
    "htop",
    "btop", "watch", "tail", "lazygit", "tig", "ranger", "mc", "yazi", "nnn", "lf", "reddot", "newsboat",
    "mutt",
    "neomutt", "aerc", "weechat", "irssi", "gdb", "lldb", "python", "python3", "node", "psql", "sqlite3",
    "fzf",
    "fg", "su", "sudoedit",
  ]

  package init() {}
}

extension HookOptions.Commands: SettingValue {}

extension HookOptions: SettingsRoot {
  static let standard = HookOptions()
  static let places = [Setting.Place.hooks]

  static let rows: [SettingRow<HookOptions>] = [
    SettingRow(
      "after", .duration(.seconds(1)...Duration.seconds(86400)), \.after,
      "time after which a shell command becomes a message, if its pane does not have the focus when it ends"),
    SettingRow(
      "commands", .choice(Commands.allCases.map(\.rawValue)), \.commands,
      "part of the command in the message: its `first` word, or the `full` line, which can contain secrets"
    ),
    SettingRow(
      "ask", .boolean, \.ask,
      "let `push --hook --answer` wait for the answer to a permission request while an inbox is open"),
    SettingRow(
      "except", .texts, \.except, "interactive programs, which make no message"),
  ]
}

extension SettingsReader {
  func readHooks(_ root: SettingsTable, into options: inout HookOptions) {
    guard let table = root.table(.hooks) else { return }
    table.read(HookOptions.rows, in: .hooks, into: &options)
    for word in options.except where !HookOptions.isProgram(word) {
      table.report("except", "must be names of programs: \"\(word)\" is not one")
    }
    options.except = options.except.filter(HookOptions.isProgram)
    table.finish()
    root.absorb(table)
  }
}

extension HookOptions {
  /// Whether the name can be written in a shell's script, between spaces, without quotes.
  static func isProgram(_ word: String) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-._".utf8.contains($0) }
  }
}
