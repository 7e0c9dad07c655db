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

extension PictureUse: SettingValue {}
