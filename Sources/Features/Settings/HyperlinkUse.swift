/// Whether links in messages can also be opened with the mouse in the terminal, as its own links (OSC 8).
package enum HyperlinkUse: String, Hashable, Sendable, CaseIterable {
  /// Only in terminals that are known to support them.
  case auto
  case always, never
}

extension HyperlinkUse: SettingValue {}
