import Screen
import Words

/// One `[[command]]`. The meaning of a field is in `rows`.
struct CommandEntry: Hashable, Sendable {
  var key = ""
  var run: [String] = []
  var usesTerminal = false
}

extension CommandEntry: SettingsRoot {
  static let standard = CommandEntry()
  static let places = [Setting.Place.command]

  static let rows: [SettingRow<CommandEntry>] = [
    SettingRow(
      "key", .text, \.key, else: Setting.required, example: "\"B\"",
      "the key that starts it; it goes before a command that has it"),
    SettingRow(
      "run", .program, \.run, else: Setting.required, example: "[\"buku\", \"--add\", \"{url}\"]",
      """
      the program and its arguments, which no shell reads; `{url}` (http, https and mailto only), `{title}`, `{source}` \
      and `{id}` stand for those of the message
      """),
    SettingRow(
      "terminal", .boolean, \.usesTerminal, "whether it has the terminal until it ends"),
  ]
}

extension SettingsReader {
  /// - Parameter keys: the keys of commands in `[keys]`.
  func readPrograms(
    _ tables: [SettingsTable], keys: [String: [String]], reportTo root: SettingsTable
  ) -> [BoundProgram] {
    var programs: [BoundProgram] = []
    var taken: [KeyPress: String] = [:]
    for (command, names) in keys {
      for key in names.compactMap(KeyPress.init(parsing:)) { taken[key.normalized] = "\(command) in [keys]" }
    }
    for table in tables {
      var entry = CommandEntry()
      table.read(CommandEntry.rows, in: .command, into: &entry)
      for key in ["key", "run"] where !table.has(key) { table.report("", "needs a \(key)") }
      table.finish()
      if let key = readKey(entry, in: table, taken), table.gave("run") {
        taken[key.normalized] = "the command on line \(table.line)"
        let program = ProgramTemplate(entry.run, usesTerminal: entry.usesTerminal)
        if let problem = program.problem { table.report("run", problem.sentence) }
        programs.append(BoundProgram(key: key, template: program))
      }
      root.absorb(table)
    }
    return programs
  }

  private func readKey(
    _ entry: CommandEntry, in table: SettingsTable, _ taken: [KeyPress: String]
  ) -> KeyPress? {
    guard table.gave("key") else { return nil }
    guard let key = KeyPress(parsing: entry.key) else {
      table.report("key", "\"\(entry.key)\" does not name a key; \"B\", \"ctrl-b\" and \"f5\" do")
      return nil
    }
    if case .character(let character) = key.key, key.modifiers.isEmpty, "0"..."9" ~= character {
      table.report("key", "\"\(key.name)\" counts, so it cannot be the key of a command")
      return nil
    }
    if let holder = taken[key.normalized] {
      table.report("key", "\"\(key.name)\" is already the key of \(holder)")
      return nil
    }
    return key
  }
}
