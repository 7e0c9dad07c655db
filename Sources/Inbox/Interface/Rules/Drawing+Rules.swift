import Messages
import Screen
import Words

extension Drawing {
  /// Draws all rules: name and state, then condition and actions.
  mutating func draw(_ page: RulesPage, in area: Rect) {
    guard let rows = page.rows, !rows.isEmpty else {
      let text =
        page.rows == nil
        ? words(.trialLooking) + signs.ellipsis
        : words(.rulesNone, state.options.keymap.name(of: .makeRule))
      let lines = StyledText(text, style: Palette.quiet).wrapped(to: max(1, area.size.columns - 2))
      for (index, line) in lines.prefix(area.size.rows).enumerated() {
        frame.write(line, at: Point(column: area.origin.column + 1, row: area.origin.row + index), in: area)
      }
      return
    }
    let room = max(0, area.size.columns - 2)
    for (index, (rule, isSelected)) in page.visible(lines: area.size.rows).enumerated() {
      for (line, text) in [head(of: rule, isSelected: isSelected), content(of: rule)].enumerated() {
        let row = index * RulesPage.lines + line
        guard row < area.size.rows else { return }
        frame.write(
          text.truncated(to: room, ellipsis: signs.ellipsis),
          at: Point(column: area.origin.column + 1, row: area.origin.row + row), in: area)
        if isSelected, line == 0 { drawSelection(area.row(row), isFocused: true) }
      }
    }
  }

  private func head(of rule: RuleRow, isSelected: Bool) -> StyledText {
    var line = StyledText.empty
    if signs.areWords, isSelected { line.append(words(.stateSelected) + ", ") }
    let isOn = rule.isOn && rule.mistake == nil
    line.append(SafeText(untrusted: rule.name), style: isOn ? Palette.heading : Palette.quiet)
    line.append("  ")
    line.append(words(rule.isOn ? .ruleOn : .ruleOff), style: rule.isOn ? Palette.accent : Palette.warning)
    line.append("  ")
    line.append(words.count(.ruleHits, rule.hits, "\(RuleTrial.usualDays)"), style: Palette.quiet)
    return line
  }

  private func content(of rule: RuleRow) -> StyledText {
    if let mistake = rule.mistake {
      return StyledText("  " + signs.failed + " " + SafeText(untrusted: mistake), style: Palette.failure)
    }
    var line = StyledText("  ")
    line.append(SafeText(untrusted: rule.actions.joined(separator: ", ")))
    line.append("  " + words(.ruleWhen) + " " + SafeText(untrusted: rule.condition), style: Palette.quiet)
    return line
  }
}
