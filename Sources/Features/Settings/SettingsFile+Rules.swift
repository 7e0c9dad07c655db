import Messages
import Platform
import Queries

/// The error because of which a rule isn't written.
struct RuleMistake: UserFacingError, Hashable {
  /// The key of the rule that has the error.
  var key: String
  var problem: String

  var sentence: String { "\(key): \(problem)" }
}

extension SettingsFile {
  /// Appends a rule and keeps everything else in the file, with comments.
  ///
  /// - Throws: `RuleMistake`, `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func append(rule: RuleEntry) throws {
    try edit(as: SettingsAct(.ruleAdded, rule.name)) { text in
      let before = try reader().read(text)
      var (_, mistakes) = rule.checked()
      if let line = before.rules.first(where: { $0.name == rule.name })?.line {
        mistakes.insert(RuleEntry.taken(rule.name, line: line), at: 0)
      }
      if let (key, problem) = mistakes.first { throw RuleMistake(key: key, problem: problem) }
      let longer = SettingsEdit.appending("rule", [rule.lines], to: text)
      var after = try readAgain(longer).withoutLines
      guard after.rules.popLast()?.rule == rule.checked().rule, after == before.withoutLines else {
        throw byHand("add the rule there")
      }
      return longer
    }
  }

  /// Changes a rule; keeps its program, the comments and everything else.
  ///
  /// - Returns: `false` if no rule has the name.
  /// - Throws: `RuleMistake`, `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func change(rule name: String, to rule: RuleEntry) throws -> Bool {
    var changes = zip(["name", "when", "do"], rule.values).map { Change($0, $1) }
    changes.append(Change("stop", rule.stops ? "true" : nil))
    return try change(rule: name, changes, as: SettingsAct(.ruleChanged, name)) { before in
      var rule = rule
      rule.command = before.rules.first { $0.name == name }?.command ?? []
      var (_, mistakes) = rule.checked()
      if rule.name != name, let line = before.rules.first(where: { $0.name == rule.name })?.line {
        mistakes.insert(RuleEntry.taken(rule.name, line: line), at: 0)
      }
      if let (key, problem) = mistakes.first { throw RuleMistake(key: key, problem: problem) }
    }
  }

  /// Switches a rule on or off.
  ///
  /// - Returns: `false` if no rule has the name.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func change(rule name: String, isEnabled: Bool) throws -> Bool {
    try change(
      rule: name, [Change("enabled", isEnabled ? nil : "false")],
      as: SettingsAct(isEnabled ? .ruleOn : .ruleOff, name))
  }

  private func change(
    rule name: String, _ changes: [Change], as act: SettingsAct,
    checking check: (Settings) throws -> Void = { _ in }
  ) throws -> Bool {
    var isThere = false
    try edit(as: act) { text in
      guard let header = try header(of: name, in: .rule, to: "change", of: text) else { return nil }
      isThere = true
      var before = try reader().read(text)
      try check(before)
      let byHand = byHand("change the rule \"\(name)\" there")
      guard let changed = SettingsEdit.applying(changes, to: header, of: text) else { throw byHand }
      before = before.withoutLines
      var after = try readAgain(changed).withoutLines
      guard let place = before.rules.firstIndex(where: { $0.name == name }),
        after.rules.count == before.rules.count
      else { throw byHand }
      before.rules.remove(at: place)
      after.rules.remove(at: place)
      (before.problems, after.problems) = ([], [])
      guard after == before else { throw byHand }
      return changed
    }
    return isThere
  }
}

extension Settings {
  /// The active rules in the form of text, keyed by their names.
  package var ruleTexts: [String: String] {
    Dictionary(
      rules.compactMap(\.rule).map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
  }
}

extension RuleEntry {
  /// The values, as TOML, of the keys that every rule has: `name`, `when` and `do`.
  fileprivate var values: [String] {
    [
      TOMLText.shortest(name), TOMLText.shortest(when),
      "[\(actions.map(TOMLText.shortest).joined(separator: ", "))]",
    ]
  }

  /// The rule as TOML, without the header.
  fileprivate var lines: [String] {
    var lines = zip(["name", "when", "do"], values).map { "\($0) = \($1)" }
    if stops { lines.append("stop = true") }
    if !command.isEmpty {
      lines.append("command = [\(command.map(TOMLText.shortest).joined(separator: ", "))]")
    }
    return lines
  }
}
