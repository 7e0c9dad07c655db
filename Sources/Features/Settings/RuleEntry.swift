import Basics
import Calendars
import Foundation
package import Queries

/// A table `[[rule]]` of the settings. The meaning of a field is in `rows`.
package struct RuleEntry: Hashable, Sendable {
  package var name = ""
  package var when = ""
  package var actions: [String] = []
  package var stops = false
  package var isEnabled = true
  /// The program of the action `run`, and its arguments.
  package internal(set) var command: [String] = []

  package init(name: String = "", when: String = "", actions: [String] = [], stops: Bool = false) {
    (self.name, self.when, self.actions, self.stops) = (name, when, actions, stops)
  }
}

/// A rule of the settings.
package struct ConfiguredRule: Hashable, Sendable {
  package var name: String
  /// The rule, or `nil` if it is invalid or switched off. It does nothing then.
  package var rule: Rule?
  /// The rule as it is in the file.
  package var written = RuleEntry()
  /// The program of its action `run`, and its arguments.
  package var command: [String]
  /// The number of the line in the file at which the rule's table begins.
  package var line: Int
}

extension RuleEntry: SettingsRoot {
  static let standard = RuleEntry()
  static let places = [Setting.Place.rule]

  static let rows: [SettingRow<RuleEntry>] = [
    SettingRow(
      "name", .text, \.name, else: Setting.required, example: "\"ci noise\"",
      "unique name"),
    SettingRow(
      "when", .text, \.when, else: Setting.required, example: "\"source:build -title:failed\"",
      "query for its messages"),
    SettingRow(
      "do", .texts, \.actions, else: Setting.required, example: "[\"read\", \"tag:ci\", \"silent\"]",
      """
      actions, performed in this order: `read`, `unread`, `star`, `dismiss`, `hide`, `tag:T`, `untag:T`, \
      `priority:N`, `snooze:WHEN`, `notify`, `urgent`, `again:30m`, `silent`, `run`
      """),
    SettingRow(
      "stop", .boolean, \.stops, "let no later rule get the messages that it matched"),
    SettingRow(
      "enabled", .boolean, \.isEnabled, "`false` disables the rule"),
    SettingRow(
      "command", .program, \.command, else: "none", example: "[\"on-alert\"]",
      "program of the action `run`"
    ),
  ]
}

extension SettingsReader {
  /// Returns the rules in their order. Rules with errors do nothing, and their errors are reported; the other settings
  /// still apply.
  func readRules(
    _ tables: [SettingsTable], reportTo root: SettingsTable
  ) -> (rules: [ConfiguredRule], problems: [SettingsMistake]) {
    var rules: [ConfiguredRule] = []
    var lines: [String: Int] = [:]
    var problems: [SettingsMistake] = []
    for table in tables {
      var entry = RuleEntry()
      table.read(RuleEntry.rows, in: .rule, into: &entry)
      for key in ["name", "when", "do"] where !table.has(key) { table.report("", "a rule needs \(key)") }
      table.finish()
      root.absorb(table)
      guard table.gave("name"), table.gave("when"), table.gave("do") else { continue }
      var mistakes: [(key: String, problem: String)] = []
      if let line = lines[entry.name] { mistakes.append(RuleEntry.taken(entry.name, line: line)) }
      lines[entry.name] = lines[entry.name] ?? table.line
      let (rule, others) = entry.checked()
      mistakes += others
      problems += mistakes.map { table.mistake($0.key, $0.problem + "; the rule does nothing") }
      rules.append(
        ConfiguredRule(
          name: entry.name, rule: mistakes.isEmpty && entry.isEnabled ? rule : nil, written: entry,
          command: entry.command, line: table.line))
    }
    return (rules, problems.sorted { $0.line < $1.line })
  }

}

extension RuleEntry {
  /// Returns the error for the second of two rules with the same name.
  static func taken(_ name: String, line: Int) -> (key: String, problem: String) {
    ("name", "\"\(name)\" is already the name of the rule on line \(line)")
  }

  /// Returns the rule and all its errors, each with the key that it is in. The rule is `nil` if the query is invalid.
  func checked() -> (rule: Rule?, mistakes: [(key: String, problem: String)]) {
    var mistakes: [(key: String, problem: String)] = []
    if !SourceName.isValid(name) {
      mistakes.append(("name", "must be 1 to 64 visible characters, without line ends or spaces at its ends"))
    }
    var actions: [RuleAction] = []
    if self.actions.isEmpty { mistakes.append(("do", "must contain an action")) }
    for text in self.actions {
      switch RuleAction.parse(text) {
      case .success(let action):
        actions.append(action)
        // Whether words specify a time does not depend on the current time.
        if case .snooze(let words) = action,
          SnoozeTime.parse(words, now: Date(timeIntervalSince1970: 0), zone: .gmt) == nil
        {
          mistakes.append(("do", "\"\(words)\" is not a time; 2h, tomorrow 9 and weekend are"))
        }
      case .failure(let mistake): mistakes.append(("do", mistake.description))
      }
    }
    if actions.contains(.run), command.isEmpty {
      mistakes.append(("do", "run needs command = [\"…\"]"))
    }
    switch Query.parse(when, .strict) {
    case .success(let condition):
      return (Rule(name: name, condition: condition, actions: actions, stops: stops), mistakes)
    case .failure(let mistake):
      mistakes.append(("when", mistake.sentence(in: when)))
      return (nil, mistakes)
    }
  }
}

extension Query.Mistake {
  /// Returns a sentence that reports the error and its position in the text.
  package func sentence(in text: String) -> String {
    let before = String(decoding: text.utf8.prefix(range.lowerBound), as: UTF8.self)
    return "\(description), at character \(before.count + 1)"
  }
}
