package import Screen

/// The author's colours of text. Only views (the HTML pages of banners) have them: messages use the theme.
package struct Colors: Hashable, Sendable {
  /// The colour of the letters; the terminal's by default.
  package var foreground: Color
  /// The background; the terminal's by default.
  package var background: Color

  /// Creates colours, which are the terminal's by default.
  package init(foreground: Color = .terminal, background: Color = .terminal) {
    self.foreground = foreground
    self.background = background
  }

  /// Returns `style` with these colours, changed if necessary so that they have enough contrast.
  func over(_ style: Style) -> Style {
    guard self != Colors() else { return style }
    var style = style
    if foreground != .terminal { style.foreground = foreground }
    if background != .terminal { style.background = background }
    return style.legible
  }
}

extension Style {
  /// The style with enough contrast. On an author's background, a foreground becomes black or white if it has too
  /// little contrast or is the terminal's, which is unknown. On the terminal's background, a foreground near black or
  /// white becomes the terminal's, since the terminal may be dark or light.
  var legible: Style {
    var style = self
    guard let back = background.luminance else {
      if foreground.isNearlyBlackOrWhite { style.foreground = .terminal }
      return style
    }
    if let front = foreground.luminance, Style.contrast(front, back) >= Style.leastContrast { return self }
    let isOnDark = Style.contrast(1, back) >= Style.contrast(0, back)
    style.foreground = isOnDark ? .rgb(255, 255, 255) : .rgb(0, 0, 0)
    return style
  }

  /// The minimum contrast, below which text is hard to read. White on orange, which authors use, has more.
  private static let leastContrast = 1.5

  /// Returns the contrast ratio of WCAG 2.2, from 1 to 21.
  private static func contrast(_ a: Double, _ b: Double) -> Double {
    (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }
}

extension Color {
  /// The approximate relative luminance of WCAG 2.2, from 0 to 1, or `nil` for the terminal's own colours.
  fileprivate var luminance: Double? {
    guard case .rgb(let red, let green, let blue) = self else { return nil }
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value * value * (0.8 * value + 0.2)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  fileprivate var isNearlyBlackOrWhite: Bool {
    guard case .rgb(let red, let green, let blue) = self else { return false }
    let (least, most) = (min(red, green, blue), max(red, green, blue))
    return most <= 0x48 && most - least <= 0x18 || least >= 0xE8
  }
}
