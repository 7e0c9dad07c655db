/// The way in which pictures are drawn.
package enum PictureUse: String, Hashable, Sendable, CaseIterable {
  /// Pixels if the terminal is known to show them, otherwise half blocks.
  case auto
  /// Pixels in kitty's graphics protocol.
  case kitty
  case sixel
  /// Half blocks: text characters with two colours.
  case blocks
}

extension PictureUse: SettingValue {}
