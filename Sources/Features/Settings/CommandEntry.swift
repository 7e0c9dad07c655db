import Screen
import Words

/// A table `[[command]]` of the settings: a key that starts a program or performs commands. The meaning of a field is
/// in `rows`.
struct CommandEntry: Hashable, Sendable {
  var key = ""
  var run: [String] = []
  var commands: [String] = []
  var usesTerminal = false
}

extension CommandEntry: SettingsRoot {
  static let standard = CommandEntry()
  static let places = [Setting.Place.command]

  static let rows: [SettingRow<CommandEntry>] = [
    SettingRow(
      "key", .text, \.key, else: Setting.required, example: "\"B\"",
      "the key; it takes precedence over a command that has it"),
    SettingRow(
      "do", .texts, \.commands, else: Setting.required,
      example: "[\"open_link\", \"dismiss\", \"next_unread\"]",
      """
      instead of `run`: commands, performed in order and undone in one step; text for a command follows its name: \
      `"snooze 2h"`
      """),
    SettingRow(
      "run", .program, \.run, else: Setting.required, example: "[\"buku\", \"--add\", \"{url}\"]",
      """
      instead of `do`: a program and its arguments, without a shell; `{url}` (http, https and mailto only), \
      `{title}`, `{source}` and `{id}` are those of the message
      """),
    SettingRow(
      "terminal", .boolean, \.usesTerminal, "give the program the terminal until it ends"),
  ]
}

extension SettingsReader {
  func readCommands(_ tables: [SettingsTable], into settings: inout Settings, reportTo root: SettingsTable) {
    var taken: [KeyPress: String] = [:]
    for (command, names) in settings.keys {
      for key in names.compactMap(KeyPress.init(parsing:)) { taken[key.normalized] = "\(command) in [keys]" }
    }
    for table in tables {
      var entry = CommandEntry()
      table.read(CommandEntry.rows, in: .command, into: &entry)
      if !table.has("key") { table.report("", "needs a key") }
      switch (table.has("run"), table.has("do")) {
      case (false, false): table.report("", "needs run or do")
      case (true, true): table.report("do", "cannot be combined with run; write a [[command]] for each")
      case (true, false), (false, true): break
      }
      if table.has("do"), table.has("terminal") { table.report("terminal", "is only for run") }
      table.finish()
      if let key = readKey(entry, in: table, taken) {
        taken[key.normalized] = "the command on line \(table.line)"
        if table.gave("run") {
          let program = ProgramTemplate(entry.run, usesTerminal: entry.usesTerminal)
          if let problem = program.problem { table.report("run", problem.sentence) }
          settings.programs.append(BoundProgram(key: key, template: program))
        } else if table.gave("do") {
          let calls = readCalls(entry.commands, of: key, in: table)
          if !calls.isEmpty { settings.sequences.append(BoundCommands(key: key, calls: calls)) }
        }
      }
      root.absorb(table)
    }
  }

  /// Parses the commands of a key. Reports each invalid command, with the key.
  private func readCalls(_ texts: [String], of key: KeyPress, in table: SettingsTable) -> [CommandCall] {
    let start = "(key \"\(key.name)\") "
    var calls: [CommandCall] = []
    for text in texts {
      switch CommandCall.parse(text) {
      case .success(let call): calls.append(call)
      case .failure(let problem): table.report("do", start + problem.sentence)
      }
    }
    if texts.isEmpty { table.report("do", start + "must name at least one command") }
    if let asking = BoundCommands(key: key, calls: calls).asking {
      table.report(
        "do",
        start
          + "\"\(asking.command.rawValue)\" asks for text; write the text after it, or make it the last command"
      )
    }
    return calls
  }

  /// Returns the key of a table, or reports the reason why it cannot be bound.
  private func readKey(
    _ entry: CommandEntry, in table: SettingsTable, _ taken: [KeyPress: String]
  ) -> KeyPress? {
    guard table.gave("key") else { return nil }
    guard let key = KeyPress(parsing: entry.key) else {
      table.report("key", "\"\(entry.key)\" does not name a key; \"B\", \"ctrl-b\" and \"f5\" do")
      return nil
    }
    if case .character(let character) = key.key, key.modifiers.isEmpty, "0"..."9" ~= character {
      table.report("key", "\"\(key.name)\" is a digit for counts, so it cannot be the key of a command")
      return nil
    }
    if let holder = taken[key.normalized] {
      table.report("key", "\"\(key.name)\" is already the key of \(holder)")
      return nil
    }
    return key
  }
}
