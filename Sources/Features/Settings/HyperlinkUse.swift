/// Whether links are also links of the terminal (OSC 8).
package enum HyperlinkUse: String, Hashable, Sendable, CaseIterable {
  /// Only in terminals that are known to support them.
  case auto
  case always, never
}

extension HyperlinkUse: SettingValue {}
