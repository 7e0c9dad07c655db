/// A colour; terminals show the nearest one that they have.
package enum Color: Hashable, Sendable {
  /// The terminal's default.
  case terminal
  /// One of the terminal's own 16: 0 to 7, and 8 to 15 for the bright ones.
  case ansi(UInt8)
  /// One of the 256 of xterm's palette.
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// How a cell looks.
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

  /// What a text is to its reader; a theme says how that looks. Several may hold: a link in a quotation. At most 24.
  package struct Roles: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  package var foreground: Color
  package var background: Color
  /// The attributes in the lowest eight bits and the roles above them: frames hold many styles.
  private var bits: UInt32

  package init(
    foreground: Color = .terminal, background: Color = .terminal, attributes: Attributes = [],
    roles: Roles = []
  ) {
    self.foreground = foreground
    self.background = background
    bits = roles.rawValue << 8 | UInt32(attributes.rawValue)
  }

  package var attributes: Attributes {
    get { Attributes(rawValue: UInt8(bits & 0xFF)) }
    set { bits = bits & ~0xFF | UInt32(newValue.rawValue) }
  }

  /// None where only colours and attributes count, as in a frame for the terminal.
  package var roles: Roles {
    get { Roles(rawValue: bits >> 8) }
    set { bits = newValue.rawValue << 8 | bits & 0xFF }
  }

  package static let plain = Style()
  package static let bold = Style(attributes: .bold)
  package static let dim = Style(attributes: .dim)
  package static let italic = Style(attributes: .italic)
  package static let underline = Style(attributes: .underline)
  package static let reverse = Style(attributes: .reverse)

  /// This style on top of another: what this one leaves to the terminal comes from below, and
  /// the attributes and roles of both hold.
  package func over(_ base: Style) -> Style {
    Style(
      foreground: foreground == .terminal ? base.foreground : foreground,
      background: background == .terminal ? base.background : background,
      attributes: attributes.union(base.attributes), roles: roles.union(base.roles))
  }
}
