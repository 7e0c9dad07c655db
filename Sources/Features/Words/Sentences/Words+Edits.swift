package import Messages
package import Screen

extension Words {
  /// Returns the name of an edit of the settings, for undo and redo.
  package func edit(_ act: SettingsAct) -> SafeText {
    let name = SafeText(untrusted: act.name)
    let text =
      switch act.kind {
      case .added: self(.undoneAdded, name)
      case .imported: count(.undoneImported, Int(act.name) ?? 0)
      case .renamed: self(.undoneRenamed, SafeText(untrusted: act.formerName ?? ""), name)
      case .changed: self(.undoneChanged, name)
      case .moved, .listMoved: self(.undoneMoved, name)
      case .paused: self(.undonePaused, name)
      case .resumed: self(.undoneResumed, name)
      case .removed, .ruleRemoved: self(.undoneRemoval, name)
      case .listAdded: self(.undoneListAdded, name)
      case .listChanged: self(.undoneListChanged, name)
      case .ruleAdded: self(.undoneRuleAdded, name)
      case .ruleChanged: self(.undoneRuleChanged, name)
      case .ruleOn: self(.undoneRuleOn, name)
      case .ruleOff: self(.undoneRuleOff, name)
      case .quieted: self(.undoneQuiet)
      case .quietEnded: self(.undoneQuietEnd)
      }
    return act.lacksSecret == true ? text + self(.undoneLacksSecret) : text
  }
}
