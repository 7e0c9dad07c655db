/// A colour; terminals show the nearest one that they have.
package enum Color: Hashable, Sendable {
  /// The terminal's default.
  case terminal
  /// One of the 16 basic colours of the terminal: 0 to 7, and 8 to 15 for the bright ones.
  case ansi(UInt8)
  /// One of the 256 of xterm's palette.
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)

  /// The colour as a number: its kind is in the highest byte. The terminal's default colour is 0.
  fileprivate var bits: UInt32 {
    switch self {
    case .terminal: 0
    case .ansi(let number): 1 << 24 | UInt32(number)
    case .indexed(let number): 2 << 24 | UInt32(number)
    case .rgb(let red, let green, let blue): 3 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
  }

  fileprivate init(bits: UInt32) {
    self =
      switch bits >> 24 {
      case 0: .terminal
      case 1: .ansi(UInt8(truncatingIfNeeded: bits))
      case 2: .indexed(UInt8(truncatingIfNeeded: bits))
      default:
        .rgb(
          UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
          UInt8(truncatingIfNeeded: bits))
      }
  }
}

/// The appearance of a cell.
package struct Style: Hashable, Sendable {
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1 << 0)
    package static let dim = Attributes(rawValue: 1 << 1)
    package static let italic = Attributes(rawValue: 1 << 2)
    package static let underline = Attributes(rawValue: 1 << 3)
    package static let reverse = Attributes(rawValue: 1 << 4)
  }

  /// The meaning of text; a theme defines its style. Text may have several roles, for example a link in a quotation.
  /// There are at most 24.
  package struct Roles: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  // These are numbers because a frame has thousands of styles and compares them with those of the last frame.
  private var foregroundBits: UInt32
  private var backgroundBits: UInt32
  /// The attributes in the lowest eight bits and the roles above them.
  private var bits: UInt32

  package init(
    foreground: Color = .terminal, background: Color = .terminal,
    attributes: Attributes = Attributes(), roles: Roles = Roles()
  ) {
    foregroundBits = foreground.bits
    backgroundBits = background.bits
    bits = roles.rawValue << 8 | UInt32(attributes.rawValue)
  }

  /// Compares without a protocol witness table: a frame compares thousands of styles.
  package static func == (a: Style, b: Style) -> Bool {
    a.bits == b.bits && a.foregroundBits == b.foregroundBits && a.backgroundBits == b.backgroundBits
  }

  package var foreground: Color {
    get { Color(bits: foregroundBits) }
    set { foregroundBits = newValue.bits }
  }

  package var background: Color {
    get { Color(bits: backgroundBits) }
    set { backgroundBits = newValue.bits }
  }

  package var attributes: Attributes {
    get { Attributes(rawValue: UInt8(bits & 0xFF)) }
    set { bits = bits & ~0xFF | UInt32(newValue.rawValue) }
  }

  /// The roles; empty if only colours and attributes matter, as in a frame for the terminal.
  package var roles: Roles {
    get { Roles(rawValue: bits >> 8) }
    set { bits = newValue.rawValue << 8 | bits & 0xFF }
  }

  /// The style with only its colours and attributes. A frame reads it thousands of times, so it avoids an empty set of
  /// roles, which would be created from an array.
  package var withoutRoles: Style {
    var style = self
    style.bits &= 0xFF
    return style
  }

  package static let plain = Style()
  package static let bold = Style(attributes: .bold)
  package static let dim = Style(attributes: .dim)
  package static let italic = Style(attributes: .italic)
  package static let underline = Style(attributes: .underline)
  package static let reverse = Style(attributes: .reverse)

  /// Returns this style on top of another. If this style leaves a colour to the terminal, that of `base` is
  /// used; the attributes and roles of both styles are combined.
  package func over(_ base: Style) -> Style {
    var style = self
    if foregroundBits == 0 { style.foregroundBits = base.foregroundBits }
    if backgroundBits == 0 { style.backgroundBits = base.backgroundBits }
    style.bits |= base.bits
    return style
  }
}
