internal import TOMLKit

/// How pictures are drawn.
package enum PictureUse: String, Hashable, Sendable, CaseIterable {
  /// In pixels where the terminal is known to show them, else with half blocks.
  case auto
  /// By kitty's graphics protocol.
  case kitty
  /// As sixel.
  case sixel
  /// With half blocks.
  case blocks
}

extension PictureUse: SettingValue {
  static func read(_ raw: any TOMLValueConvertible, _ form: Setting.Form, home: String) -> PictureUse? {
    raw.string.flatMap(PictureUse.init)
  }

  func toml(_ form: Setting.Form) -> String { TOMLText.quoted(rawValue) }
}
