internal import TOMLKit

/// Whether links are links of the terminal too (OSC 8).
package enum HyperlinkUse: String, Hashable, Sendable, CaseIterable {
  /// Where the terminal is known to have them.
  case auto
  case always, never
}

extension HyperlinkUse: SettingValue {
  static func read(_ raw: any TOMLValueConvertible, _ form: Setting.Form, home: String) -> HyperlinkUse? {
    raw.string.flatMap(HyperlinkUse.init)
  }

  func toml(_ form: Setting.Form) -> String { TOMLText.quoted(rawValue) }
}
