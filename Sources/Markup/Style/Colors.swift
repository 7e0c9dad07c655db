package import Screen

/// The colours that an author asked for. Only views have any: a message looks as the theme says.
package struct Colors: Hashable, Sendable {
  /// Of the letters; the terminal's where nothing was asked for.
  package var foreground: Color
  /// Behind them; the terminal's where nothing was asked for.
  package var background: Color

  /// Both the terminal's, unless said otherwise.
  package init(foreground: Color = .terminal, background: Color = .terminal) {
    self.foreground = foreground
    self.background = background
  }

  /// A style with these in place of its own.
  func over(_ style: Style) -> Style {
    guard self != Colors() else { return style }
    var style = style
    if foreground != .terminal { style.foreground = foreground }
    if background != .terminal { style.background = background }
    return style.legible
  }
}

extension Style {
  /// The style with a foreground that can be told from its background. On an author's background,
  /// whatever is too near to it, or is the terminal's own and so unknown, becomes black or white.
  /// On the terminal's, what is nearly black or white becomes its own: which of the two it has, the
  /// author did not know.
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

  /// Authors put white on orange; below this, letters are only guessed.
  private static let leastContrast = 1.5

  /// WCAG 2.2, contrast ratio: 1 to 21.
  private static func contrast(_ a: Double, _ b: Double) -> Double {
    (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }
}

extension Color {
  /// WCAG 2.2, relative luminance, 0 to 1, to a good approximation; nil for what only the terminal knows.
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
