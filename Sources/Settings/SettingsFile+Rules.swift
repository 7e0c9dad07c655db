import Messages
import Platform

/// What is wrong with a rule, so that it isn't written.
struct RuleMistake: UserFacingError, Hashable {
  /// A key of the rule.
  var key: String
  var problem: String

  var sentence: String { "\(key): \(problem)" }
}

extension SettingsFile {
  /// Appends a rule and keeps everything in the file, with comments.
  ///
  /// - Throws: `RuleMistake`, `Failure` or `SettingsMistakes`; the file is then as it was.
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
}

extension RuleEntry {
  /// As TOML, without the header.
  fileprivate var lines: [String] {
    var lines = [
      "name = \(TOMLText.shortest(name))", "when = \(TOMLText.shortest(when))",
      "do = [\(actions.map(TOMLText.shortest).joined(separator: ", "))]",
    ]
    if stops { lines.append("stop = true") }
    if !command.isEmpty {
      lines.append("command = [\(command.map(TOMLText.shortest).joined(separator: ", "))]")
    }
    return lines
  }
}
