package import Screen

/// The styles of texts by role.
package struct Theme: Hashable, Sendable {
  /// The themes that need no settings.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    /// The terminal's own 16 colours, so that its colours apply.
    case terminal
    /// For a black background.
    case dark
    /// For a white background.
    case light
    /// Attributes only.
    case plain
  }

  /// The roles with a style.
  package enum Role: String, CaseIterable, Hashable, Sendable {
    case text, dim, unread, new, read, dot, selected, title, error, warning, pinned, starred, accent, key,
      link, code,
      quote
    case heading, image, note, match

    /// nil for `text`, which applies to all texts.
    var bit: Style.Roles? {
      switch self {
      case .text: nil
      case .dim: .dim
      case .unread: .unread
      case .new: .new
      case .read: .read
      case .dot: .dot
      case .selected: .selected
      case .title: .title
      case .error: .error
      case .warning: .warning
      case .pinned: .pinned
      case .starred: .starred
      case .accent: .accent
      case .key: .key
      case .link: .link
      case .code: .code
      case .quote: .quote
      case .heading: .heading
      case .image: .image
      case .note: .note
      case .match: .match
      }
    }
  }

  private let name: Name
  /// Styles that replace those of the named theme.
  private let own: [Role: Style]
  /// For the roles with bits, by the number of the bit.
  private let styles: [Style]
  private let text: Style

  package init(_ name: Name = .terminal, own: [Role: Style] = [:]) {
    self.name = name
    self.own = own
    var styles = Array(repeating: Style.plain, count: Role.allCases.count)
    for role in Role.allCases {
      guard let bit = role.bit else { continue }
      styles[bit.rawValue.trailingZeroBitCount] = own[role] ?? name.style(of: role)
    }
    self.styles = styles
    text = own[.text] ?? name.style(of: .text)
  }

  package subscript(role: Role) -> Style {
    guard let bit = role.bit else { return text }
    return styles[bit.rawValue.trailingZeroBitCount]
  }

  /// For a terminal without colours: named themes have all their attributes there.
  package var withoutColors: Theme { Theme(.plain, own: own) }

  /// The style with the colours and attributes of its roles, and without roles.
  package func look(of style: Style) -> Style {
    var look = text
    var rest = style.roles.rawValue
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      if bit < styles.count { look = styles[bit].over(look) }
      rest &= rest - 1
    }
    return style.over(look).withoutRoles
  }

  /// A selected row: the attributes of its texts, in the selection's colours.
  package func selection(over style: Style) -> Style {
    var look = self[.selected]
    look.attributes.formUnion(self.look(of: style).attributes.subtracting(.dim))
    return look
  }
}

extension Theme.Name {
  package func style(of role: Theme.Role) -> Style {
    var style = attributes(of: role)
    style.foreground = foreground(of: role)
    if role == .match, self != .plain { style.background = self == .terminal ? .ansi(3) : .indexed(228) }
    return style
  }

  /// The same in every theme, except that "dim" is used only with the terminal's own colours, since how dark it is
  /// depends on the terminal.
  private func attributes(of role: Theme.Role) -> Style {
    switch role {
    case .text, .error, .pinned, .starred, .accent, .key, .code, .quote, .heading, .image: .plain
    case .dim, .read: self == .terminal || self == .plain ? .dim : .plain
    case .unread: .plain
    case .new, .dot, .title, .warning: .bold
    case .selected: .reverse
    case .link, .match: .underline
    case .note: .italic
    }
  }

  private func foreground(of role: Theme.Role) -> Color {
    switch self {
    case .plain: .terminal
    case .terminal: Self.colors[role].map { .ansi($0.terminal) } ?? .terminal
    case .dark:
      Self.colors[role].map { .indexed($0.dark) }
        ?? (role == .dim || role == .read ? .indexed(245) : .terminal)
    case .light:
      Self.colors[role].map { .indexed($0.light) }
        ?? (role == .dim || role == .read ? .indexed(241) : .terminal)
    }
  }

  /// Of the terminal's own 16, and of xterm's 256.
  private static let colors: [Theme.Role: (terminal: UInt8, dark: UInt8, light: UInt8)] = [
    .dot: (1, 203, 160), .error: (1, 203, 160), .warning: (3, 220, 94), .pinned: (3, 220, 94),
    .starred: (3, 220, 94), .accent: (6, 80, 24), .key: (6, 80, 24), .link: (6, 80, 25), .code: (3, 222, 94),
    .quote: (2, 114, 22), .heading: (5, 176, 90), .image: (5, 176, 90), .note: (3, 222, 94),
    .match: (0, 16, 16),
  ]
}
