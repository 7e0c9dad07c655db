/// An edit of the settings by the user, which undo and redo can describe.
package struct SettingsAct: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case added, imported, renamed, changed, moved, paused, resumed, removed
    case listAdded, listChanged, listMoved
    case ruleAdded, ruleChanged, ruleRemoved, ruleOn, ruleOff
    case quieted, quietEnded
  }

  package var kind: Kind
  /// The name of the source, list or rule, or the number of sources in an import.
  package var name: String
  /// The name before a source was renamed.
  package var formerName: String?
  /// Whether undo or redo lacks a token or a password, which the journal does not contain.
  package var lacksSecret: Bool?

  package init(_ kind: Kind, _ name: String, formerName: String? = nil) {
    (self.kind, self.name, self.formerName) = (kind, name, formerName)
  }
}
