/// Whether links are links of the terminal too (OSC 8).
package enum HyperlinkUse: String, Hashable, Sendable, CaseIterable {
  /// Where the terminal is known to have them.
  case auto
  case always, never
}

extension HyperlinkUse: SettingValue {}
