import Basics

/// `[hooks]`: what happens beside the inbox.
package struct HookOptions: Hashable, Sendable {
  /// What a message says of a command.
  package enum Commands: String, Hashable, Sendable, CaseIterable {
    /// Its first word: the others may be secrets.
    case first
    case full
  }

  /// A command of a shell that took longer is a message.
  package var after = Duration.seconds(30)
  package var commands = Commands.first
  /// Programs that people sit at: how long they run says nothing.
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
      "a command of a shell that took longer, and ended while nobody looked at its pane, is a message"),
    SettingRow(
      "commands", .choice(Commands.allCases.map(\.rawValue)), \.commands,
      "what such a message says of the command: its `first` word, or all of it with `full`, which may hold secrets"
    ),
    SettingRow(
      "except", .texts, \.except, "programs that people sit at: they make no such message"),
  ]
}

extension SettingsReader {
  func readHooks(_ root: SettingsTable, into options: inout HookOptions) {
    guard let table = root.table(.hooks) else { return }
    table.read(HookOptions.rows, in: .hooks, into: &options)
    for word in options.except where !HookOptions.isProgram(word) {
      table.report("except", "must be names of programs: \"\(word)\" isn't one")
    }
    options.except = options.except.filter(HookOptions.isProgram)
    table.finish()
    root.absorb(table)
  }
}

extension HookOptions {
  /// It stands in a shell's script, between spaces.
  static func isProgram(_ word: String) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-._".utf8.contains($0) }
  }
}
